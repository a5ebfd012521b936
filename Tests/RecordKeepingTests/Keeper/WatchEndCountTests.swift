import Testing

@testable import RecordKeeping

/// The counts of watch ends in the reply to an addition.
@Suite struct WatchEndCountTests {
    private let one = IPAddress(v4: 0x0101_0101)
    private let two = IPAddress(v4: 0x0808_0808)

    /// The wall time this long after the start of a harness.
    private func time(after duration: Duration) -> WallTime { KeeperHarness.start.wall + duration }

    @Test(
        arguments: [
            (60, 120, WatchEndCounts()), (120, 60, WatchEndCounts(kept: 1)), (60, nil, WatchEndCounts(removed: 1)),
            (nil, 60, WatchEndCounts(kept: 1)), (60, 60, WatchEndCounts()), (nil, nil, WatchEndCounts()),
        ] as [(Int?, Int?, WatchEndCounts)])
    func `the reply to an addition counts the ends that differ from its own`(
        first: Int?, second: Int?, ends: WatchEndCounts
    ) {
        let harness = KeeperHarness(ignoring: .all)
        harness.ask(.add([one], tags: [], note: nil, until: first.map { time(after: .seconds($0)) }))
        harness.discardEffects()
        let until = second.map { time(after: .seconds($0)) }
        let (id, effects) = harness.ask(.add([one, two, one], tags: ["dns"], note: nil, until: until))
        #expect(effects.answer(to: id) == .added(1, already: 1, ends: ends))
    }

    @Test(arguments: [(60, WatchEndCounts(kept: 1)), (nil, WatchEndCounts())] as [(Int?, WatchEndCounts)])
    func `an address that a file lists does not end by itself`(seconds: Int?, ends: WatchEndCounts) {
        let harness = KeeperHarness(ignoring: .all)
        harness.handle(.listsRead(ListReading([ListedAddress(address: one)])))
        let (id, effects) = harness.ask(
            .add([one], tags: [], note: nil, until: seconds.map { time(after: .seconds($0)) }))
        #expect(effects.answer(to: id) == .added(0, already: 1, ends: ends))
    }
}
