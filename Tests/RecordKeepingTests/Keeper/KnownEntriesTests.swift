import Testing

@testable import RecordKeeping

/// Requests for entries that must not cause calls.
@Suite struct KnownEntriesTests {
    private let one = IPAddress(v4: 0x0101_0101)
    private let unknown = IPAddress(v4: 0x0303_0303)
    private let special = IPAddress(v4: 0x0A00_0001)

    /// Returns the entries in the reply to a request for the entries of some addresses, which must be immediate.
    private func known(_ addresses: [IPAddress], in harness: KeeperHarness) throws -> [EntryView] {
        let (id, effects) = harness.ask(.known(addresses), asAdministrator: false, user: 1_000)
        guard case .entries(let views)? = effects.answer(to: id) else {
            Issue.record("no entries in \(effects)")
            return []
        }
        harness.expect(.entries(id, views.map(\.state)))
        return views
    }

    @Test func `known addresses are returned in order, and others left out, without a call`() throws {
        let harness = try KeeperHarness.withRecord(of: one)
        let views = try known([special, unknown, one], in: harness)
        #expect(views.map(\.address) == [special, one])
        #expect(views.map(\.state) == [.empty, .fresh])
        #expect(views.first?.reason == "private range (RFC 1918)")
        #expect(try known([unknown], in: harness) == [])
        #expect(harness.pass(Limits.gather).calls == [])
        harness.discardEffects()
        #expect(harness.show(unknown)?.state == .loading, "only a lookup creates an entry")
        harness.discardEffects()
    }

    @Test func `the record of an address that is not watched is known until it expires`() throws {
        let harness = KeeperHarness(ignoring: .all, settings: .unlimitedProvider)
        harness.ask(.show([one], wait: .seconds(5)))
        let call = try #require(harness.pass(Limits.gather).calls.first)
        #expect(try known([one], in: harness).map(\.state) == [.loading])
        harness.reply(to: call)
        #expect(try known([one], in: harness).map(\.state) == [.fresh])
    }

    @Test func `an expired record is reported as stale, and its refresh is not hastened`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .all, of: one)
        harness.loseRoute()
        harness.pass(harness.keeper.settings.interval)
        #expect(try known([one], in: harness).map(\.state) == [.stale])
        #expect(harness.keeper.waiters.callers.isEmpty)
    }
}
