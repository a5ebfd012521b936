import Testing

@testable import RecordKeeping

/// Records of a local provider: they are current until the databases change.
@Suite struct LocalRecordTests {
    private let one = addresses(1)[0]
    private let month = Duration.seconds(30 * 86_400)
    private static let watched = Watch(byClient: true)

    /// Returns a keeper that watches an address, whose record is from May.
    private func withRecord() throws -> KeeperHarness {
        let harness = KeeperHarness.local(.may)
        let call = try #require(harness.add([one]).calls.first)
        harness.discardEffects()
        harness.reply(to: call, from: .may)
        harness.discardEffects()
        return harness
    }

    /// Whether the fast path returns the record of an address.
    private func isOnFastPath(_ address: IPAddress, in harness: KeeperHarness) -> Bool {
        var (keeper, entries) = (harness.keeper, [FreshEntryView]())
        return keeper.readFresh([address], at: harness.now, into: &entries) && entries.first?.expiresAt == nil
    }

    // MARK: Calls

    @Test func `an address is called at once, without a route, a name or a reservation`() throws {
        let harness = KeeperHarness.local(.may)
        let (id, effects) = harness.ask(.add([one], tags: [], note: nil))
        harness.expect(
            .commit(.adding([one]) + [.history]), .answer(id, .added(1, already: 0)), .call([one], .single))
        harness.reply(to: try #require(effects.calls.first), from: .may)
        harness.expect(.commit(.records(of: [one], cohort: 1) + [.health]))
        #expect(harness.show(one)?.entry.scan == Scan.example(from: .may, age: .zero))
    }

    @Test func `many addresses are called in full batches, eight at a time`() throws {
        let all = addresses(1_000)
        let harness = KeeperHarness.local(.may, ignoring: .all)
        let calls = harness.add(all).calls
        #expect(calls.allSatisfy { $0.endpoint == .batch && $0.addresses.count == 100 })
        #expect(calls.count == Limits.callsInFlight)
        #expect(harness.reply(to: calls[0], from: .may).calls.map(\.addresses.count) == [100])
    }

    @Test func `connectivity is irrelevant`() throws {
        let harness = try withRecord()
        harness.handle(.routesChanged)
        harness.pass(.seconds(10))
        harness.handle(.routeChecked(epoch: harness.keeper.connectivity.epoch, .none(reason: "no route")))
        let status = harness.keeper.status(at: harness.now)
        #expect(status.isOnline && status.networkReason == nil)
    }

    @Test func `the status has no quotas, no deadline and no load, and names the databases`() throws {
        let harness = try withRecord()
        let status = harness.keeper.status(at: harness.now)
        #expect(status.provider.quotas.isEmpty && status.nextAt == nil && status.load == nil)
        #expect(status.provider.name == "GeoLite2-City" && status.provider.state == .ok)
    }

    // MARK: Age

    @Test func `a record is current until the databases change, and no timer is set for it`() throws {
        let harness = try withRecord()
        harness.pass(month)
        let view = try #require(harness.show(one))
        #expect(view.state == .fresh && view.expiresAt == nil && view.entry.scan?.version == DataVersion.may.id)
        #expect(isOnFastPath(one, in: harness))
        harness.handle(.providerDataChanged(.june))
        harness.expect(.call([one], .single))
        #expect(harness.show(one)?.state == .stale && !isOnFastPath(one, in: harness))
    }

    @Test func `a new file brings the changes`() throws {
        let harness = try withRecord()
        harness.pass(.seconds(10))
        let call = try #require(harness.handle(.providerDataChanged(.june)).calls.first)
        harness.discardEffects()
        harness.reply(to: call, from: .june, answering: [one: .answered(.record(.inBonn))])
        harness.expect(
            .commit([.cohort(2), .put(one, cohort: 2), .event(.changed, one), .health]), .log(.changed))
        #expect(harness.show(one)?.state == .fresh)
    }

    @Test func `a new file without changes of an address updates only its cohort`() throws {
        let harness = try withRecord()
        harness.pass(.seconds(10))
        let call = try #require(harness.handle(.providerDataChanged(.june)).calls.first)
        harness.discardEffects()
        let effects = harness.reply(to: call, from: .june)
        harness.expect(.commit([.cohort(1), .health]))
        let written = effects.commits.flatMap(\.writes).contains(
            .cohort(CohortID(number: 1), at: harness.now, provider: "GeoLite2-City", version: DataVersion.june.id))
        #expect(written && harness.show(one)?.state == .fresh)
    }

    @Test func `the same version again changes nothing`() throws {
        let harness = try withRecord()
        harness.handle(.providerDataChanged(.may))
        #expect(harness.show(one)?.state == .fresh)
    }

    @Test func `a reply from the previous version is stored, but not current`() throws {
        let harness = KeeperHarness.local(.may)
        let call = try #require(harness.add([one]).calls.first)
        harness.discardEffects()
        harness.handle(.providerDataChanged(.june))
        let effects = harness.reply(to: call, from: .may)
        harness.expect(.commit(.records(of: [one], cohort: 1) + [.health]), .call([one], .single))
        #expect(harness.show(one)?.state == .stale)
        harness.reply(to: try #require(effects.calls.first), from: .june)
        harness.expect(.commit([.cohort(1), .health]))
        #expect(harness.show(one)?.state == .fresh)
    }

    @Test func `an address without data is empty until the databases change`() throws {
        let harness = KeeperHarness.local(.may)
        let call = try #require(harness.add([one]).calls.first)
        harness.discardEffects()
        harness.reply(to: call, from: .may, answering: [one: .answered(.empty(reason: "no data"))])
        harness.expect(.commit(.records(of: [one], cohort: 1) + [.health]))
        harness.pass(month)
        let view = try #require(harness.show(one))
        #expect(view.state == .empty && view.reason == "no data")
    }

    // MARK: Restarts

    @Test func `after a restart with the same databases, records stay current, however old they are`() {
        let entry = Entry(watch: Self.watched, scan: .example(from: .may, age: month))
        let harness = KeeperHarness.local(.may, entries: storedEntries([one], entry))
        harness.pass(month)
        #expect(harness.show(one)?.state == .fresh && isOnFastPath(one, in: harness))
    }

    @Test(arguments: [DataVersion.may, nil])
    func `after a restart with other databases, or after a remote provider, all records are due`(
        source: DataVersion?
    ) throws {
        let entry = Entry(watch: Self.watched, scan: .example(from: source, age: .seconds(1)))
        let harness = KeeperHarness.local(.june, entries: storedEntries([one], entry))
        #expect(harness.log.calls.map(\.addresses) == [[one]])
        #expect(harness.show(one)?.state == .stale && harness.show(one)?.expiresAt == nil)
        harness.reply(to: try #require(harness.log.calls.first), from: .june)
        harness.expect(.commit([.cohort(2), .move([1], to: 2), .health, .history]))
        #expect(harness.show(one)?.state == .fresh)
    }

    @Test func `after a local provider, the records are due at a remote one`() throws {
        let entry = Entry(watch: Self.watched, scan: .example(from: .may, age: .seconds(1)))
        let harness = KeeperHarness(ignoring: .upkeep, entries: storedEntries([one], entry))
        harness.pass(Limits.gather)
        harness.expect(.commit([.health, .history]), .call([one], .single))
        #expect(harness.show(one)?.state == .stale && harness.show(one)?.expiresAt == nil)
        harness.reply(to: try #require(harness.log.calls.first))
        harness.expect(.commit([.cohort(2), .move([1], to: 2), .health]))
        #expect(harness.show(one)?.state == .fresh && harness.show(one)?.expiresAt != nil)
    }

    @Test func `a saved loss of the route ends, because no route is needed`() {
        let loss = SavedLoss(since: KeeperHarness.start.wall, reason: "no route")
        let outage = Outage(number: 1, since: loss.since, cause: .network, message: "no route", deferred: 0)
        let harness = KeeperHarness.local(
            .may, restored: Restored(networkLoss: loss, outage: outage, lastOutage: 1))
        let writes = harness.log.commits.flatMap(\.writes)
        #expect(writes.contains(.networkLoss(nil)) && harness.keeper.outages.current == nil)
        #expect(harness.log.announced.map(\.kind) == [.networkRestored])
    }

    @Test func `failures of the last run do not delay calls`() {
        let failure = Failure(kind: .malformed, message: "damaged", at: KeeperHarness.start, attempts: 9)
        let health = Call.Endpoint.allCases.map {
            SavedHealth(
                provider: Settings.localEndpoint, endpoint: $0, state: .failing, since: KeeperHarness.start.wall,
                failure: failure, retryAt: KeeperHarness.start.advanced(by: .seconds(60)))
        }
        let entry = Entry(watch: Self.watched, failure: failure)
        let harness = KeeperHarness.local(
            .may, entries: storedEntries([one], entry), restored: Restored(health: health))
        #expect(harness.log.calls.map(\.addresses) == [[one]])
    }

    // MARK: History

    private func changes(from old: DataVersion?, to new: DataVersion, _ record: Record) throws -> [FieldChange] {
        let entry = Entry(watch: Self.watched, scan: .example(from: old, age: .seconds(1)))
        let harness = KeeperHarness.local(new, ignoring: .all, entries: storedEntries([one], entry))
        let call = try #require(harness.log.calls.first)
        let effects = harness.reply(to: call, from: new, answering: [one: .answered(.record(record))])
        return effects.commits.flatMap(\.writes).flatMap { write in
            if case .event(let event) = write { event.fields } else { [FieldChange]() }
        }
    }

    @Test func `differences between two sources are not changes of the address`() throws {
        #expect(try changes(from: nil, to: .may, .inBonn).isEmpty)
        #expect(try changes(from: .may, to: .juneWithASN, .inBonn).isEmpty)
        #expect(try changes(from: .may, to: .june, .inBonn).map(\.field) == ["city"])
    }

    @Test func `a field that is missing in a new file has changed at once`() throws {
        var record = Record.example
        record.city = nil
        #expect(try changes(from: .may, to: .june, record) == [FieldChange(field: "city", old: "Berlin", new: nil)])
    }
}
