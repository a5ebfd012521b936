import Testing

@testable import RecordKeeping

/// Changes of watched names that do not fit into one turn.
@Suite struct NameTurnTests {
    private let one = IPAddress(v4: 0x0909_0909)

    @Test func `names that are added again count against the turn`() {
        let harness = KeeperHarness(ignoring: .all, changesPerTurn: 50)
        let names = (0..<30).map { HostName.example("a\($0)") }
        harness.ask(.addNames(names, tags: [], note: nil))
        harness.disk = .waits
        harness.beginsTurns = false
        harness.add([one])
        let ids = (0..<4).map { _ in harness.ask(.addNames(names, tags: [], note: nil)).0 }
        let turns = [harness.write()] + harness.finishTurns()
        let answered = turns.map { effects in
            ids.count { effects.answer(to: $0) == .namesAdded(0, already: 30) }
        }
        #expect(answered.reduce(0, +) == 4 && answered.allSatisfy { $0 <= 2 }, "\(answered)")
    }

    @Test func `the addresses that a name keeps count against the turn`() {
        let harness = KeeperHarness(ignoring: .all, changesPerTurn: 50)
        let names = (0..<4).map { HostName.example("a\($0)") }
        for name in names { harness.watch(name, addresses(30)) }
        harness.pass(.seconds(300))
        harness.disk = .waits
        harness.beginsTurns = false
        harness.add([one])
        for name in names { harness.resolve(name, addresses(31)) }
        var written: [Int] = []
        while harness.commit != nil {
            harness.write()
            harness.finishTurns()
            written.append(harness.commit?.writes.count { if case .putName = $0 { true } else { false } } ?? 0)
        }
        #expect(written.reduce(0, +) == 4 && written.allSatisfy { $0 <= 2 }, "\(written)")
        for name in names { #expect(harness.view(of: name)?.watch.addresses.count == 31) }
    }

    @Test func `answers about names that share their addresses are applied together`() {
        let harness = KeeperHarness(ignoring: .all)
        let names = (0..<25).map { HostName.example("a\($0)") }
        harness.ask(.addNames(names, tags: [], note: nil))
        for name in names { harness.resolve(name, Array(addresses(40).prefix(30))) }
        #expect(harness.watched.count == 30)
        harness.disk = .waits
        harness.add([one])
        for name in names { harness.resolve(name, Array(addresses(40).suffix(30))) }
        harness.disk = .writesAtOnce
        harness.write()
        #expect(harness.watched == Array(addresses(40).suffix(30)) + [one])
        #expect(harness.namedEvents.count { $0.hasPrefix("removed ") } == 10)
    }
}
