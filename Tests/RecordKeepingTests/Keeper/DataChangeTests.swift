import Testing

@testable import RecordKeeping

/// Changes of the local databases: which entries become due, and when.
@Suite struct DataChangeTests {
    private let one = addresses(1)[0]

    /// Returns a keeper that watches these addresses, whose records are from May.
    private func watching(_ all: [IPAddress], changesPerTurn: Int = Limits.changesPerTurn) -> KeeperHarness {
        let entry = Entry(watch: Watch(byClient: true), scan: .example(from: .may, age: .seconds(10)))
        return KeeperHarness.local(
            .may, ignoring: .upkeep.union([.commit]), entries: storedEntries(all, entry),
            changesPerTurn: changesPerTurn)
    }

    @Test func `all records are stale at once, and become due in portions`() {
        let all = addresses(10)
        let harness = watching(all, changesPerTurn: 6)
        harness.beginsTurns = false
        harness.handle(.providerDataChanged(.june))
        harness.expect(.call(Array(all[..<3]), .batch))
        for address in all { #expect(harness.show(address)?.state == .stale) }
        harness.beginTurn()
        harness.expect(.call(Array(all[3..<6]), .batch))
        harness.beginTurn()
        harness.expect(.call(Array(all[6..<9]), .batch))
        harness.beginTurn()
        harness.expect(.call([all[9]], .single))
        #expect(!harness.wantsTurn)
        for call in harness.log.calls { harness.reply(to: call, from: .june) }
        harness.finishTurns()
        for address in all { #expect(harness.show(address)?.state == .fresh) }
    }

    @Test func `a second change while entries become due begins again`() {
        let all = addresses(4)
        let harness = watching(all, changesPerTurn: 4)
        harness.beginsTurns = false
        harness.handle(.providerDataChanged(.june))
        harness.expect(.call(Array(all[..<2]), .batch))
        let first = harness.log.calls
        harness.reply(to: first[0], from: .june)
        harness.write()
        harness.discardEffects()
        harness.handle(.providerDataChanged(.juneWithASN))
        harness.finishTurns()
        harness.discardEffects()
        for call in harness.log.calls.dropFirst() { harness.reply(to: call, from: .juneWithASN) }
        harness.finishTurns()
        harness.discardEffects()
        for address in all { #expect(harness.show(address)?.state == .fresh, "\(address)") }
    }

    @Test func `a client that waits for a stale record does not wait until its turn comes`() throws {
        let all = addresses(300)
        let harness = watching(all, changesPerTurn: 2)
        harness.beginsTurns = false
        harness.handle(.providerDataChanged(.june))
        harness.expect(.call([all[0]], .single))
        let (id, effects) = harness.ask(.show([all[299]], wait: .seconds(5)))
        harness.expect(.call([all[299]], .single))
        harness.reply(to: try #require(effects.calls.first), from: .june)
        harness.finishTurns()
        harness.discardEffects()
        guard case .entries(let views)? = harness.log.answer(to: id) else {
            Issue.record("no answer")
            return
        }
        #expect(views.map(\.state) == [.fresh])
    }

    @Test func `a damaged entry is retried at once`() throws {
        let harness = KeeperHarness.local(.may, ignoring: .upkeep.union([.commit]))
        var call = try #require(harness.add([one]).calls.first)
        harness.discardEffects()
        harness.reply(to: call, from: .may, answering: [one: .malformed("damaged")])
        harness.expect(.log(.failed))
        let view = try #require(harness.show(one))
        #expect(view.state == .failed && view.failure?.message == "damaged")
        #expect(harness.keeper.status(at: harness.now).provider.state == .ok, "the other addresses are not affected")
        call = try #require(harness.handle(.providerDataChanged(.june)).calls.first)
        harness.expect(.call([one], .single))
        harness.reply(to: call, from: .june)
        harness.expect(.log(.recovered))
        #expect(harness.show(one)?.state == .fresh)
    }

    @Test func `without a readable database, calls fail, and the first readable one is used at once`() throws {
        let harness = KeeperHarness.local(nil, ignoring: .upkeep.union([.commit]))
        let call = try #require(harness.add([one]).calls.first)
        harness.discardEffects()
        let next = try #require(harness.fail(call, .unreachable, message: "no database").calls.first)
        harness.expect(.call([one], .batch), .log(.providerFailed))
        #expect(harness.log.announced.map(\.message) == ["no database"])
        harness.fail(next, .unreachable, message: "no database")
        let view = try #require(harness.show(one))
        #expect(view.state == .failed && view.failure?.kind == .unreachable)
        #expect(harness.keeper.outages.current?.cause == .provider)
        let again = try #require(harness.handle(.providerDataChanged(.may)).calls.first)
        harness.discardEffects()
        harness.reply(to: again, from: .may)
        harness.expect(.log(.providerRecovered))
        #expect(harness.show(one)?.state == .fresh && harness.keeper.outages.current == nil)
        let provider = harness.keeper.status(at: harness.now).provider
        #expect(provider.state == .ok && provider.endpoints.allSatisfy { $0.state == .ok })
    }

    // MARK: Lookups

    /// Returns a keeper with a looked-up record from May.
    private func withLookup() throws -> KeeperHarness {
        let harness = KeeperHarness.local(.may)
        let (id, effects) = harness.ask(.show([one], wait: .seconds(5)))
        harness.expect(.call([one], .single))
        harness.reply(to: try #require(effects.calls.first), from: .may)
        harness.expect(.commit(.records(of: [one], cohort: 1) + [.health, .history]), .entries(id, [.fresh]))
        return harness
    }

    @Test func `a looked-up record is kept for one interval`() throws {
        let harness = try withLookup()
        harness.pass(.seconds(300) - .nanoseconds(1))
        #expect(harness.show(one)?.state == .fresh)
        harness.pass(.nanoseconds(1))
        harness.expect(.commit([.remove(one)]))
        harness.discardEffects()
        #expect(harness.keeper.slots.count == 0)
    }

    @Test func `a looked-up record that is watched later stays current after the interval`() throws {
        let harness = try withLookup()
        harness.add([one])
        harness.discardEffects()
        harness.pass(.seconds(86_400))
        #expect(harness.show(one)?.state == .fresh)
    }

    @Test func `a change of the databases removes looked-up records`() throws {
        let harness = try withLookup()
        harness.handle(.providerDataChanged(.june))
        harness.expect(.commit([.remove(one)]))
        #expect(harness.keeper.slots.count == 0)
    }

    // MARK: Requests

    @Test(arguments: [(Duration.seconds(299), 1), (.seconds(300), 0)])
    func `a record whose watch ends is kept for the rest of its interval`(age: Duration, kept: Int) {
        let entry = Entry(watch: Watch(byClient: true), scan: .example(from: .may, age: age))
        let harness = KeeperHarness.local(.may, ignoring: .all, entries: storedEntries([one], entry))
        harness.ask(.remove([one]))
        #expect(harness.keeper.slots.count == kept)
    }

    @Test func `a refresh leaves current records alone`() {
        let harness = watching(addresses(2))
        let (id, _) = harness.ask(.refresh(nil))
        harness.expect(.answer(id, .refreshing(0, fresh: 2)))
    }

    @Test func `a remote provider ignores a change of local databases`() throws {
        let harness = try KeeperHarness.withRecord(of: one)
        harness.handle(.providerDataChanged(.may))
        #expect(harness.show(one)?.state == .fresh)
    }
}
