import Testing

@testable import RecordKeeping

/// Replies with more entries than fit in a turn.
@Suite struct ShowingManyTests {
    /// Returns a keeper that watches these addresses, of which none has a record.
    private func harness(watching addresses: [IPAddress]) -> KeeperHarness {
        let harness = KeeperHarness()
        harness.add(addresses)
        harness.discardEffects()
        return harness
    }

    @Test func `a reply with many entries is sent in portions, one per turn`() throws {
        let shown = addresses(2 * Limits.entriesPerTurn + 1)
        let harness = harness(watching: shown)
        var (id, effects) = harness.ask(.show(shown, wait: .zero))
        var portions: [[IPAddress]] = []
        while let portion = portion(of: effects, to: id) {
            #expect(effects == [.answerPart(id, .entries(portion)), .resume(id)])
            harness.expect(.part(id), .part(id))
            portions.append(portion.map(\.address))
            // Another client is served between two portions.
            #expect(harness.show(shown[0])?.state == .loading)
            effects = harness.handle(.resumed(id))
        }
        harness.expect(.entries(id, [.loading]))
        let last = try #require(lastPortion(of: effects, to: id))
        #expect(portions.map(\.count) == [Limits.entriesPerTurn, Limits.entriesPerTurn])
        #expect(portions.joined() + last.map(\.address) == shown)
        #expect(harness.handle(.resumed(id)) == [])
    }

    private func portion(of effects: [Effect], to request: Request.ID) -> [EntryView]? {
        for case .answerPart(request, .entries(let views)) in effects { return views }
        return nil
    }

    private func lastPortion(of effects: [Effect], to request: Request.ID) -> [EntryView]? {
        guard case .entries(let views)? = effects.answer(to: request) else { return nil }
        return views
    }

    @Test func `an entry is shown in its state when its portion is sent`() throws {
        let shown = addresses(Limits.entriesPerTurn + 1)
        let harness = harness(watching: shown)
        let (id, _) = harness.ask(.show(shown, wait: .zero))
        harness.expect(.part(id), .part(id))
        let last = try #require(shown.last)
        let (removal, _) = harness.ask(.remove([last]), peer: 2)
        harness.expect(
            .commit(.removing([last])), .answer(removal, .removed(1)), .status(watched: shown.count - 1, .idle))
        let portion = try #require(lastPortion(of: harness.handle(.resumed(id)), to: id))
        harness.expect(.entries(id, [.loading]))
        #expect(portion.map(\.entry.watch) == [nil])
    }

    @Test func `a client that disconnects between two portions gets no more`() {
        let shown = addresses(Limits.entriesPerTurn + 1)
        let harness = harness(watching: shown)
        let (id, _) = harness.ask(.show(shown, wait: .zero), peer: 7)
        harness.expect(.part(id), .part(id))
        harness.handle(.clientLeft(PeerID(number: 7)))
        #expect(harness.handle(.resumed(id)) == [])
        #expect(harness.keeper.footprint.listings == 0)
    }
}
