import Testing

@testable import RecordKeeping

/// Watches that end by themselves, at a time on the wall clock.
@Suite struct WatchEndTests {
    private let one = IPAddress(v4: 0x0101_0101)
    private let two = IPAddress(v4: 0x0808_0808)

    /// The wall time this long after the start of a harness.
    private func time(after duration: Duration) -> WallTime { KeeperHarness.start.wall + duration }

    private func add(_ addresses: [IPAddress], to harness: KeeperHarness, until end: WallTime?) {
        harness.ask(.add(addresses, tags: [], note: nil, until: end))
        harness.discardEffects()
    }

    private func watch(_ address: IPAddress, in harness: KeeperHarness) -> Watch? {
        harness.show(address)?.entry.watch
    }

    /// The events about watches that the harness has written, each as its kind, address and message.
    private func written(by harness: KeeperHarness) -> [String] {
        harness.log.commits.flatMap(\.writes).compactMap {
            guard case .event(let event) = $0, let address = event.address else { return nil }
            guard event.kind == .added || event.kind == .removed else { return nil }
            return "\(event.kind) \(address)\(event.message.map { ": \($0)" } ?? "")"
        }
    }

    @Test func `a watch ends at its time, and not before`() {
        let harness = KeeperHarness(ignoring: .all)
        add([one], to: harness, until: time(after: .seconds(60)))
        #expect(watch(one, in: harness)?.end?.until == time(after: .seconds(60)))
        harness.pass(.milliseconds(59_999))
        #expect(watch(one, in: harness) != nil)
        harness.pass(.milliseconds(1))
        #expect(watch(one, in: harness) == nil)
        #expect(written(by: harness) == ["added 1.1.1.1", "removed 1.1.1.1: its watch has ended"])
    }

    @Test(arguments: [Duration.zero, .seconds(-1)])
    func `a watch whose time has passed is refused`(time: Duration) {
        let harness = KeeperHarness(ignoring: .all)
        let (id, effects) = harness.ask(.add([one, two], tags: [], note: nil, until: self.time(after: time)))
        #expect(effects.answer(to: id) == .refused(.endInPast))
        #expect(watch(one, in: harness) == nil && written(by: harness) == [])
    }

    @Test(
        arguments: [
            (first: 60, second: 120, result: 120 as Int?), (120, 60, 120), (60, nil, nil), (nil, 60, nil), (60, 60, 60),
        ] as [(first: Int?, second: Int?, result: Int?)])
    func `adding an address again never makes its watch shorter`(first: Int?, second: Int?, result: Int?) {
        let harness = KeeperHarness(ignoring: .all)
        for end in [first, second] { add([one], to: harness, until: end.map { time(after: .seconds($0)) }) }
        #expect(watch(one, in: harness)?.end?.until == result.map { time(after: .seconds($0)) })
        harness.pass(.seconds(119))
        #expect((watch(one, in: harness) != nil) == (result != 60))
        harness.pass(.seconds(1))
        #expect((watch(one, in: harness) != nil) == (result == nil))
    }

    @Test func `an address that is also in a file stays on the list`() {
        let harness = KeeperHarness(ignoring: .all)
        harness.handle(.listsRead(ListReading([ListedAddress(address: one, tags: ["dns"])])))
        add([one], to: harness, until: time(after: .seconds(60)))
        #expect(watch(one, in: harness)?.byClient == true)
        harness.pass(.seconds(60))
        #expect(watch(one, in: harness) == Watch(byClient: false, byFile: true, tags: ["dns"]))
        #expect(written(by: harness) == ["added 1.1.1.1"])
    }

    @Test func `a line of a file changes no end`() {
        let harness = KeeperHarness(ignoring: .all)
        add([one], to: harness, until: time(after: .seconds(60)))
        harness.handle(.listsRead(ListReading([ListedAddress(address: one, tags: ["dns"])])))
        #expect(watch(one, in: harness)?.end?.until == time(after: .seconds(60)))
    }

    @Test func `labels do not change the end`() {
        let harness = KeeperHarness(ignoring: .all)
        add([one, two], to: harness, until: time(after: .seconds(60)))
        harness.ask(.label([one], LabelChange(isPinned: true, note: "n")))
        #expect(watch(one, in: harness)?.end?.until == time(after: .seconds(60)))
        harness.pass(.seconds(60))
        #expect(watch(one, in: harness) == nil)
    }

    @Test func `a removed address that is added again is watched for good`() {
        let harness = KeeperHarness(ignoring: .all)
        add([one], to: harness, until: time(after: .seconds(60)))
        harness.ask(.remove([one]))
        add([one], to: harness, until: nil)
        harness.pass(.seconds(61))
        #expect(watch(one, in: harness)?.end?.until == nil)
        #expect(watch(one, in: harness)?.byClient == true)
    }

    @Test func `a watch does not end because the clock is set forward`() {
        let harness = KeeperHarness(ignoring: .all)
        add([one], to: harness, until: time(after: .seconds(3_600)))
        harness.stepWallClock(by: .seconds(86_400))
        harness.handle(.clockStepped)
        harness.pass(.milliseconds(3_599_999))
        #expect(watch(one, in: harness) != nil)
        harness.pass(.milliseconds(1))
        #expect(watch(one, in: harness) == nil)
    }

    @Test func `a watch lasts longer when the clock is set back`() {
        let harness = KeeperHarness(ignoring: .all)
        add([one], to: harness, until: time(after: .seconds(60)))
        harness.stepWallClock(by: .seconds(-60))
        harness.handle(.clockStepped)
        harness.pass(.seconds(119))
        #expect(watch(one, in: harness) != nil)
        harness.pass(.seconds(1))
        #expect(watch(one, in: harness) == nil)
    }

    @Test func `a watch does not become shorter because the clock is set while the request waits`() {
        let harness = KeeperHarness(ignoring: .all)
        harness.disk = .waits
        harness.ask(.add([two], tags: [], note: nil))
        harness.ask(.add([one], tags: [], note: nil, until: time(after: .seconds(60))))
        harness.stepWallClock(by: .seconds(86_400))
        harness.handle(.clockStepped)
        harness.disk = .writesAtOnce
        harness.write()
        harness.pass(.milliseconds(59_999))
        #expect(watch(one, in: harness) != nil)
        harness.pass(.milliseconds(1))
        #expect(watch(one, in: harness) == nil)
    }

    @Test func `an end in the far future does not overflow`() {
        let clock = SavedHistoryClock(
            elapsed: .seconds(100 * 365 * 86_400), at: KeeperHarness.start, isOfEarlierBoot: true)
        let harness = KeeperHarness(ignoring: .all, restored: Restored(historyClock: clock))
        let end = WallTime(milliseconds: Limits.endOfTimes.milliseconds - 1)
        add([one], to: harness, until: end)
        harness.pass(.seconds(400 * 86_400))
        #expect(watch(one, in: harness)?.end?.until == end)
    }

    /// A watch of a saved entry, whose end is this far in the future of either clock.
    private func saved(wall: Duration, elapsed: Duration) -> Entry {
        let end = WatchEnd(until: time(after: wall), elapsed: savedClock.elapsed + elapsed)
        return Entry(watch: Watch(byClient: true, end: end))
    }

    /// A retention clock of an earlier boot, so that the time since it was saved does not count.
    private let savedClock = SavedHistoryClock(
        elapsed: .seconds(10_000), at: KeeperHarness.start, isOfEarlierBoot: true)

    @Test func `a watch that has ended on both clocks ends at startup`() {
        let ended = saved(wall: .seconds(-1), elapsed: .zero)
        let lasting = saved(wall: .seconds(60), elapsed: .seconds(60))
        let harness = KeeperHarness(
            ignoring: .all, entries: storedEntries([(one, ended), (two, lasting)]),
            restored: Restored(historyClock: savedClock))
        #expect(watch(one, in: harness) == nil)
        #expect(watch(two, in: harness)?.end == lasting.watch?.end)
    }

    @Test func `the time for which the machine was off does not count`() {
        let harness = KeeperHarness(
            ignoring: .all, entries: storedEntries([(one, saved(wall: .seconds(-86_400), elapsed: .seconds(60)))]),
            restored: Restored(historyClock: savedClock))
        harness.pass(.milliseconds(59_999))
        #expect(watch(one, in: harness) != nil)
        harness.pass(.milliseconds(1))
        #expect(watch(one, in: harness) == nil)
    }

    @Test func `a watch does not end while its removal waits and the clock is set back`() {
        let harness = KeeperHarness(ignoring: .all)
        add([one], to: harness, until: time(after: .seconds(60)))
        harness.disk = .waits
        harness.ask(.add([two], tags: [], note: nil))
        harness.pass(.seconds(60))
        harness.stepWallClock(by: .seconds(-30))
        harness.handle(.clockStepped)
        harness.disk = .writesAtOnce
        harness.write()
        #expect(watch(one, in: harness) != nil)
        harness.pass(.milliseconds(29_999))
        #expect(watch(one, in: harness) != nil)
        harness.pass(.milliseconds(1))
        #expect(watch(one, in: harness) == nil)
    }

    @Test func `no timer is set for a watch that ends during a shutdown`() {
        let harness = KeeperHarness(ignoring: .all)
        add([one], to: harness, until: time(after: .seconds(60)))
        harness.disk = .waits
        harness.ask(.add([two], tags: [], note: nil))
        harness.handle(.terminating)
        harness.stall(.seconds(61))
        harness.handle(.clockStepped)
        #expect(!harness.keeper.schedule.contains(TimerID.watchEnd.id))
    }

    @Test func `a client's change waits for one portion of the watches that end together`() {
        let harness = KeeperHarness(ignoring: .all, changesPerTurn: 10)
        add(addresses(100), to: harness, until: time(after: .seconds(60)))
        harness.disk = .waits
        harness.pass(.seconds(60))
        let (id, _) = harness.ask(.add([two], tags: ["new"], note: nil))
        // The removals that were being written, those that were queued before the request, and the change itself.
        var commits = 0
        while !harness.log.contains(.answer(id, .added(1, already: 0))), commits < 100 {
            harness.write()
            harness.finishTurns()
            commits += 1
        }
        #expect(commits == 3)
        while harness.keeper.tally.watched > 1, commits < 100 {
            harness.write()
            harness.finishTurns()
            harness.pass(.zero)
            commits += 1
        }
        #expect(harness.keeper.tally.watched == 1)
    }

    @Test func `an end that was postponed while its removal waited is ignored`() {
        let harness = KeeperHarness(ignoring: .all)
        add([one], to: harness, until: time(after: .seconds(60)))
        harness.disk = .waits
        // A commit is in progress when the time is up, so the removal has to wait.
        harness.ask(.add([two], tags: [], note: nil))
        harness.pass(.seconds(60))
        harness.ask(.add([one], tags: [], note: nil))
        harness.write()
        harness.disk = .writesAtOnce
        harness.write()
        // The removal came first, and the address is on the list again.
        #expect(watch(one, in: harness)?.end?.until == nil)
        #expect(watch(one, in: harness)?.byClient == true)
    }

    @Test func `an end is retried after a failed commit`() {
        let harness = KeeperHarness(ignoring: .all)
        add([one], to: harness, until: time(after: .seconds(60)))
        harness.disk = .waits
        harness.pass(.seconds(60))
        harness.failToWrite()
        #expect(watch(one, in: harness) != nil)
        harness.disk = .writesAtOnce
        harness.pass(.seconds(61))
        #expect(watch(one, in: harness) == nil)
    }

    @Test func `the timer is set for the earliest end`() {
        let harness = KeeperHarness(ignoring: Set(EffectKind.allCases).subtracting([.timer]))
        // No call is ever made for a special-purpose address, so the watch alone sets the timer.
        let local = IPAddress(v4: 0x7F00_0001)
        add([local], to: harness, until: time(after: .seconds(600)))
        #expect(harness.armed == harness.now.boot + .seconds(600))
        harness.ask(.add([IPAddress(v4: 0x7F00_0002)], tags: [], note: nil, until: time(after: .seconds(60))))
        harness.expect(.timer(in: .seconds(60)))
        harness.ask(.remove([IPAddress(v4: 0x7F00_0002)]))
        harness.expect(.timer(in: .seconds(600)))
        harness.ask(.add([local], tags: [], note: nil))
        harness.expect(.stopTimer)
    }

    @Test func `many watches that end together are removed in several turns`() {
        let harness = KeeperHarness(ignoring: .all, changesPerTurn: 10)
        let all = addresses(100)
        add(all, to: harness, until: time(after: .seconds(60)))
        harness.pass(.seconds(60))
        harness.finishTurns()
        #expect(harness.keeper.tally.watched == 0)
        #expect(written(by: harness).count == 200)
    }
}
