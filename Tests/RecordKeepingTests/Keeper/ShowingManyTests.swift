import Testing

@testable import RecordKeeping

/// Replies with more entries than fit in a turn.
@Suite struct ShowingManyTests {
    @Test func `a reply with many entries is sent in portions, one per turn`() throws {
        let harness = KeeperHarness(ignoring: .all)
        let shown = addresses(2 * Limits.entriesPerTurn + 1)
        harness.add(shown)
        var (id, effects) = harness.ask(.show(shown, wait: .zero))
        var portions: [[IPAddress]] = []
        while let portion = portion(of: effects, to: id) {
            #expect(effects == [.answerPart(id, .entries(portion)), .resume(id)])
            portions.append(portion.map(\.address))
            // Another client is served between two portions.
            #expect(harness.show(IPAddress(v4: 0x0901_0101))?.state == .loading)
            effects = harness.handle(.resumed(id))
        }
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
        let harness = KeeperHarness(ignoring: .all)
        let shown = addresses(Limits.entriesPerTurn + 1)
        harness.add(shown)
        let (id, _) = harness.ask(.show(shown, wait: .zero))
        harness.ask(.remove([try #require(shown.last)]), peer: 2)
        let last = try #require(lastPortion(of: harness.handle(.resumed(id)), to: id))
        #expect(last.map(\.entry.watch) == [nil])
    }

    @Test func `a client that disconnects between two portions gets no more`() {
        let harness = KeeperHarness(ignoring: .all)
        let shown = addresses(Limits.entriesPerTurn + 1)
        harness.add(shown)
        let (id, _) = harness.ask(.show(shown, wait: .zero), peer: 7)
        harness.handle(.clientLeft(PeerID(number: 7)))
        #expect(harness.handle(.resumed(id)) == [])
        #expect(harness.keeper.footprint.listings == 0)
    }
}
