import Testing

@testable import RecordKeeping

/// Requests of clients: their permissions, and the time of their replies.
@Suite struct RequestTests {
    private let one = IPAddress(v4: 0x0101_0101)
    private let three = IPAddress(v4: 0x0909_0909)
    private let two = IPAddress(v4: 0x0808_0808)

    @Test func `an acknowledgement is sent only after the commit`() {
        let harness = KeeperHarness(ignoring: .upkeep)
        harness.disk = .waits
        let (id, _) = harness.ask(.add([one], tags: [], note: nil))
        harness.expect(.commit([.put(one), .event(.added, one), .history]))
        harness.write()
        harness.expect(.answer(id, .added(1, already: 0)))
    }

    @Test func `all changes that arrive during a commit share the next one`() {
        let harness = KeeperHarness(ignoring: .upkeep)
        harness.disk = .waits
        let (first, _) = harness.ask(.add([one], tags: [], note: nil))
        harness.expect(.commit([.put(one), .event(.added, one), .history]))
        let (a, _) = harness.ask(.add([two], tags: [], note: nil))
        let (b, _) = harness.ask(.add([three], tags: [], note: nil))
        harness.write()
        harness.expect(
            .answer(first, .added(1, already: 0)),
            .commit([.put(two), .event(.added, two), .put(three), .event(.added, three)]))
        harness.write()
        harness.expect(.answer(a, .added(1, already: 0)), .answer(b, .added(1, already: 0)))
    }

    @Test func `an empty note removes the existing note`() {
        let harness = KeeperHarness(ignoring: .upkeep)
        harness.add([one])
        harness.discardEffects()
        for (said, kept) in [("ours", "ours"), (nil, "ours"), ("", nil), ("", nil)] as [(String?, String?)] {
            let before = harness.show(one)?.entry.watch?.note
            let (id, _) = harness.ask(.add([one], tags: [], note: said))
            let answer = EffectOutline.answer(id, .added(0, already: 1))
            if kept == before { harness.expect(answer) } else { harness.expect(.commit([.put(one)]), answer) }
            #expect(harness.show(one)?.entry.watch?.note == kept)
        }
    }

    @Test func `a change sees earlier changes in the same commit`() {
        let harness = KeeperHarness(ignoring: .upkeep)
        harness.disk = .waits
        harness.add([two])
        harness.discardEffects()
        let (add, _) = harness.ask(.add([one], tags: ["a"], note: nil))
        let (again, _) = harness.ask(.add([one, two], tags: ["b"], note: "x"))
        let (remove, _) = harness.ask(.remove([one]))
        let (missing, _) = harness.ask(.remove([one]))
        harness.write()
        harness.discardEffects()
        harness.write()
        harness.expect(
            .answer(add, .added(1, already: 0)), .answer(again, .added(0, already: 2)), .answer(remove, .removed(1)),
            .answer(missing, .refused(.notWatched(one))))
    }

    @Test func `an address that is added again keeps its record, and gets the new labels`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .upkeep, of: one)
        let (id, _) = harness.ask(.add([one, one], tags: ["dns"], note: "resolver"))
        harness.expect(.commit([.put(one)]), .answer(id, .added(0, already: 1)))
        let view = try #require(harness.show(one))
        #expect(view.state == .fresh && view.entry.watch?.tags == ["dns"] && view.entry.watch?.note == "resolver")
        let (same, _) = harness.ask(.add([one], tags: ["dns"], note: nil))
        harness.expect(.answer(same, .added(0, already: 1)))
    }

    @Test func `only administrators can change the watch list`() {
        let harness = KeeperHarness(ignoring: .upkeep)
        let (add, _) = harness.ask(.add([one], tags: [], note: nil), asAdministrator: false)
        harness.expect(.answer(add, .refused(.permissionDenied)))
        let (remove, _) = harness.ask(.remove([one]), asAdministrator: false)
        harness.expect(.answer(remove, .refused(.permissionDenied)))
    }

    @Test func `a removal applies to all of its addresses or to none`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .upkeep, of: one)
        let (id, _) = harness.ask(.remove([one, two]))
        harness.expect(.answer(id, .refused(.notWatched(two))))
        #expect(harness.show(one)?.entry.watch != nil)
    }

    @Test func `removing and adding an address again causes no second call within the interval`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .upkeep, of: one)
        let (remove, _) = harness.ask(.remove([one]))
        harness.expect(
            .commit([.remove(one), .put(one, cohort: 1), .event(.removed, one)]), .answer(remove, .removed(1)))
        #expect(harness.show(one)?.entry.watch == nil)
        #expect(harness.show(one)?.state == .fresh)
        let (add, _) = harness.ask(.add([one], tags: [], note: nil))
        harness.expect(.commit([.put(one), .event(.added, one)]), .answer(add, .added(1, already: 0)))
        harness.pass(.seconds(299))
    }

    @Test func `the record of a removed address is deleted when it expires`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .upkeep, of: one)
        harness.ask(.remove([one]))
        harness.discardEffects()
        harness.pass(.seconds(301))
        harness.expect(.commit([.remove(one)]))
        #expect(harness.show(one)?.entry.scan == nil)
    }

    @Test func `a reply for an address that was removed in the meantime is kept for an interval, like a lookup`() throws
    {
        let harness = KeeperHarness(ignoring: .upkeep)
        harness.add([one])
        harness.discardEffects()
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.expect(.commit([.health]), .call([one], .single))
        let (id, _) = harness.ask(.remove([one]))
        harness.expect(.commit([.remove(one), .event(.removed, one)]), .answer(id, .removed(1)))
        #expect(harness.show(one)?.entry.watch == nil)
        harness.reply(to: call)
        harness.expect(.commit(.records(of: [one], cohort: 1) + [.health]))
        #expect(harness.show(one)?.state == .fresh)
        harness.pass(.seconds(301))
        harness.expect(.commit([.remove(one)]))
    }

    @Test func `an address that is removed and added again during its call or its commit is not fetched twice`() throws
    {
        let harness = KeeperHarness(ignoring: .upkeep)
        harness.add([one])
        harness.discardEffects()
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.expect(.commit([.health]), .call([one], .single))
        harness.ask(.remove([one]))
        harness.discardEffects()
        harness.add([one])
        harness.discardEffects()
        harness.pass(.seconds(5))
        // The reply now waits for a slow disk, behind another removal.
        harness.disk = .waits
        let (remove, _) = harness.ask(.remove([one]))
        harness.expect(.commit(.removing([one])))
        harness.reply(to: call)
        let (add, _) = harness.ask(.add([one], tags: [], note: nil))
        harness.write()
        harness.expect(
            .answer(remove, .removed(1)),
            .commit(.records(of: [one], cohort: 1) + [.put(one), .event(.added, one), .health]))
        harness.write()
        harness.expect(.answer(add, .added(1, already: 0)))
        harness.disk = .writesAtOnce
        #expect(harness.show(one)?.state == .fresh)
        #expect(harness.show(one)?.entry.watch != nil)
        harness.pass(.seconds(290))
        harness.pass(.seconds(20))
        harness.expect(.call([one], .single), .resolve)
    }

    @Test func `an address that is removed during its call is dropped when the call fails`() throws {
        for kind in [Failure.Kind.offline, .rejected, .malformed] {
            let harness = KeeperHarness(ignoring: .upkeep)
            harness.add([one])
            harness.discardEffects()
            let call = try #require(harness.pass(Limits.gather).calls.first)
            harness.discardEffects()
            harness.ask(.remove([one]))
            harness.discardEffects()
            harness.fail(call, kind)
            if kind != .offline {
                harness.expect(.commit([.event(.providerFailed), .health]), .log(.providerFailed))
            }
            harness.pass(.seconds(600))
            #expect(harness.keeper.footprint.entries == 0, "\(kind)")
        }
    }

    // MARK: Waiting

    @Test func `a waiting caller gets the record after it is on disk`() throws {
        let harness = KeeperHarness(ignoring: .upkeep)
        let (id, _) = harness.ask(.show([one], wait: .seconds(5)))
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.expect(.commit([.health, .history]), .call([one], .single))
        harness.reply(to: call)
        harness.expect(.commit(.records(of: [one], cohort: 1) + [.health]), .entries(id, [.fresh]))
        harness.pass(.seconds(10))
    }

    @Test func `a waiting caller gets the known state at its time limit`() {
        let harness = KeeperHarness(ignoring: .upkeep)
        let (id, _) = harness.ask(.show([one], wait: .seconds(5)))
        harness.pass(.seconds(5) - .nanoseconds(1))
        harness.expect(.commit([.health, .history]), .call([one], .single))
        harness.pass(.nanoseconds(1))
        harness.expect(.entries(id, [.loading]))
    }

    @Test func `callers that wait for the same address share one call`() throws {
        let harness = KeeperHarness(ignoring: .upkeep)
        let ids = (0..<3).map { harness.ask(.show([one], wait: .seconds(5)), asAdministrator: false, peer: $0).0 }
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.expect(.commit([.health, .history]), .call([one], .single))
        harness.reply(to: call)
        harness.expect(
            .commit(.records(of: [one], cohort: 1) + [.health]), .entries(ids[0], [.fresh]), .entries(ids[1], [.fresh]),
            .entries(ids[2], [.fresh]))
    }

    @Test func `entries are returned in the order of the request, including duplicates`() {
        let harness = KeeperHarness(ignoring: .upkeep)
        let (id, effects) = harness.ask(.show([two, one, two], wait: .zero))
        harness.expect(.entries(id, [.loading, .loading, .loading]))
        guard case .entries(let views)? = effects.answer(to: id) else { return #expect(Bool(false)) }
        #expect(views.map(\.address) == [two, one, two])
    }

    @Test func `a client that disconnects gets no reply`() {
        let harness = KeeperHarness(ignoring: .upkeep)
        harness.ask(.show([one], wait: .seconds(5)), peer: 9)
        harness.handle(.clientLeft(PeerID(number: 9)))
        harness.pass(.seconds(60))
        harness.expect(.commit([.health, .history]), .call([one], .single))
    }

    @Test func `a lookup is kept for one interval and no longer`() throws {
        let harness = KeeperHarness(ignoring: .upkeep)
        let (id, _) = harness.ask(.show([one], wait: .seconds(5)), asAdministrator: false)
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.expect(.commit([.health, .history]), .call([one], .single))
        harness.reply(to: call)
        harness.expect(.commit(.records(of: [one], cohort: 1) + [.health]), .entries(id, [.fresh]))
        harness.pass(.seconds(299))
        #expect(harness.show(one)?.state == .fresh)
        harness.pass(.seconds(2))
        harness.expect(.commit([.remove(one)]))
        harness.pass(.seconds(3_600))
    }

    @Test func `lookups by unprivileged clients are limited`() {
        let harness = KeeperHarness(ignoring: .upkeep)
        let many = addresses(Limits.lookedUpAddresses)
        harness.ask(.show(many, wait: .zero), asAdministrator: false)
        harness.discardEffects()
        let (id, _) = harness.ask(.show([two], wait: .zero), asAdministrator: false)
        harness.expect(.answer(id, .refused(.tooMany(limit: Limits.lookedUpAddresses, .lookups))))
    }

    @Test func `addresses with waiting callers never fill a call while others are overdue`() throws {
        let harness = KeeperHarness(ignoring: .upkeep, status: nil)
        let all = addresses(400)
        harness.add(all)
        harness.discardEffects()
        let first = try #require(harness.answerRouteCheck(.open).calls.first)
        harness.expect(.commit([.health]), .call(Array(all[..<100]), .batch))
        harness.ask(.show(Array(all[200...]), wait: .seconds(60)), asAdministrator: false)
        harness.reply(to: first, quota: ReportedQuota(remaining: 9, resetsIn: .seconds(9)))
        // Half of a call goes to awaited addresses, unless the others need less.
        harness.expect(
            .commit(.records(of: all[..<100], cohort: 1) + [.health]), .commit([.health]),
            .call(Array(all[200..<250] + all[100..<150]), .batch),
            .call(Array(all[250..<300] + all[150..<200]), .batch),
            .call(Array(all[300...]), .batch))
    }
}
