import Testing

@testable import RecordKeeping

/// The retention of history, by a clock that counts elapsed time, whatever the wall clock says.
@Suite struct RetentionTests {
    private static let kept = Duration.seconds(10_000)
    private static let one = addresses(1)[0]
    private static let two = IPAddress(v4: 0x0808_0808)

    private static var settings: Settings {
        var settings = Settings.unlimitedProvider
        settings.keepHistory = kept
        return settings
    }

    /// Compares the writes of the only commit among these effects of the last event, except the writes of the history,
    /// from which each test selects.
    private static func expectWrites(_ writes: [WriteOutline], of effects: [Effect], in harness: KeeperHarness) {
        #expect(effects.commits.count == (writes.isEmpty ? 0 : 1))
        let all = WriteOutline.outlines(of: effects.commits.flatMap(\.writes))
        #expect(all.filter { $0 != .history } == writes)
        harness.consume { if case .commit = $0 { true } else { false } }
    }

    /// - Parameter others: the writes besides those that add the address.
    @discardableResult
    private static func add(
        _ address: IPAddress, to harness: KeeperHarness, _ others: [WriteOutline] = []
    ) -> [Commit] {
        let (id, effects) = harness.ask(.add([address], tags: [], note: nil))
        expectWrites(.adding([address]) + others, of: effects, in: harness)
        harness.expect(.answer(id, .added(1, already: 0)))
        return effects.commits
    }

    /// Continues refreshes for a time, so that there are commits.
    @discardableResult
    private static func live(_ harness: KeeperHarness, _ duration: Duration) -> [Commit] {
        var commits: [Commit] = []
        let end = harness.now.boot + duration
        while harness.now.boot < end {
            let passed = harness.pass(.seconds(100))
            // The first call to an endpoint is reserved.
            expectWrites(passed.commits.isEmpty ? [] : [.health], of: passed, in: harness)
            let resolutions = Array(repeating: EffectOutline.resolve, count: passed.count { $0 == .resolve })
            harness.expect(passed.calls.map { .call($0.addresses, $0.endpoint) } + resolutions)
            commits += passed.commits
            for call in passed.calls {
                let refreshes = call.addresses.flatMap { Self.refresh(of: $0, in: harness.keeper.slots) }
                let replied = harness.reply(to: call)
                expectWrites(refreshes + [.health], of: replied, in: harness)
                harness.expect()
                commits += replied.commits
            }
        }
        return commits
    }

    /// The writes for a reply about one address: the first record is stored with its cohort, and later replies, with
    /// the same record, only give that cohort a new time.
    private static func refresh(of address: IPAddress, in slots: Slots) -> [WriteOutline] {
        let cohort = slots.index(of: address).map { slots.peek($0).cohort } ?? 0
        return cohort == 0
            ? .records(of: [address], cohort: Int64(Array(slots.cohorts.inUse).count) + 1)
            : [.cohort(slots.cohorts[cohort].id.number)]
    }

    private static func forgotten(_ commits: [Commit]) -> [HistoryMark] {
        commits.flatMap(\.writes).compactMap { if case .forgetHistory(let mark) = $0 { mark } else { nil } }
    }

    private static func lastClock(_ harness: KeeperHarness) -> SavedHistoryClock? {
        harness.log.commits.flatMap(\.writes).compactMap {
            if case .historyClock(let clock) = $0 { clock } else { nil }
        }.last
    }

    @Test func `history is deleted when it reaches the maximum age, and not earlier`() {
        let harness = KeeperHarness(ignoring: .upkeep, settings: Self.settings)
        Self.add(Self.one, to: harness)
        let early = Self.live(harness, .seconds(9_900))
        #expect(Self.forgotten(early).isEmpty)
        let seq = harness.keeper.commitQueue.lastSeq
        Self.add(Self.two, to: harness)
        let marks = Self.forgotten(Self.live(harness, .seconds(1_000)))
        #expect(!marks.isEmpty && marks.allSatisfy { $0.seq <= seq }, "only one of the two events is old enough")
        #expect(marks.last?.seq == seq)
    }

    @Test(arguments: [91, 36_500, -91, -20_000]) func `a temporarily wrong clock deletes nothing`(days: Int) {
        let harness = KeeperHarness(ignoring: .upkeep)
        Self.add(Self.one, to: harness)
        Self.live(harness, .seconds(3_600))
        harness.stepWallClock(by: .seconds(days * 86_400))
        harness.handle(.clockStepped)
        let commits = Self.live(harness, .seconds(3_600))
        #expect(!commits.isEmpty && Self.forgotten(commits).isEmpty)
        harness.stepWallClock(by: .seconds(-days * 86_400))
        #expect(Self.forgotten(Self.live(harness, .seconds(3_600))).isEmpty)
    }

    @Test func `events written in 1970 survive the setting of the clock`() {
        let boot = Instant(boot: BootTime(nanoseconds: 20_000_000_000), wall: WallTime(milliseconds: 20_000))
        let harness = KeeperHarness(ignoring: .upkeep, settings: Self.settings, at: boot)
        Self.add(Self.one, to: harness)
        Self.live(harness, .seconds(600))
        harness.stepWallClock(by: .seconds(56 * 365 * 86_400))
        #expect(Self.forgotten(Self.live(harness, .seconds(9_000))).isEmpty)
        #expect(!Self.forgotten(Self.live(harness, .seconds(1_000))).isEmpty)
    }

    @Test func `time counts during a restart, but not while the machine is off`() throws {
        let harness = KeeperHarness(ignoring: .upkeep, settings: Self.settings)
        Self.add(Self.one, to: harness)
        Self.live(harness, .seconds(3_000))
        var clock = try #require(Self.lastClock(harness))
        let later = harness.now.advanced(by: .seconds(5_000))
        for isOfEarlierBoot in [false, true] {
            clock.isOfEarlierBoot = isOfEarlierBoot
            let next = KeeperHarness(
                ignoring: .upkeep, settings: Self.settings, restored: Restored(lastSeq: 9, historyClock: clock),
                at: later)
            Self.add(Self.one, to: next)
            let passed = try #require(Self.lastClock(next)).elapsed - clock.elapsed
            #expect(passed == (isOfEarlierBoot ? .zero : later.boot - clock.at.boot))
        }
    }

    @Test func `marks are few, and count only when they are on disk`() {
        var retention = HistoryRetention()
        var now = KeeperHarness.start
        retention.restore(nil, [], at: now.boot)
        var (marks, upkeeps) = (0, 0)
        for step in 0..<5_000 {
            now = now.advanced(by: .seconds(7))
            let upkeep = retention.beginUpkeep(keeping: Self.kept, seq: Int64(step), outage: 0, at: now)
            guard let upkeep else { continue }
            #expect(
                retention.beginUpkeep(keeping: Self.kept, seq: Int64(step), outage: 0, at: now) == nil,
                "an upkeep that fails is not repeated immediately")
            upkeeps += 1
            if upkeeps % 5 > 0 { retention.committed(upkeep) }
            marks = max(marks, retention.marks.count)
            let oldest = retention.marks.first.map { upkeep.clock.elapsed - $0.elapsed } ?? .zero
            #expect(oldest < Self.kept + Self.kept / 20, "marks are deleted soon after the maximum age")
        }
        #expect(marks > 50 && marks <= 102)
    }

    @Test func `a mark that is later than the clock is ignored`() {
        var retention = HistoryRetention()
        let clock = SavedHistoryClock(elapsed: .seconds(500), at: KeeperHarness.start)
        let marks = [100, 600, 50].map { HistoryMark(elapsed: .seconds($0), seq: 1, outage: 1) }
        retention.restore(clock, marks, at: KeeperHarness.start.boot)
        #expect(retention.marks.map(\.elapsed) == [.seconds(50), .seconds(100)])
        #expect(retention.elapsed(at: KeeperHarness.start.boot) == .seconds(500))
    }

    @Test func `the current outage is not deleted`() throws {
        let harness = KeeperHarness(ignoring: .upkeep, settings: Self.settings)
        Self.add(Self.one, to: harness)
        Self.live(harness, .seconds(300))
        harness.handle(.routesChanged)
        harness.pass(.seconds(1))
        harness.expect(.checkRoute)
        let lost = harness.loseRoute()
        Self.expectWrites([.event(.networkLost), .health, .outage], of: lost, in: harness)
        harness.expect(.log(.networkLost))
        // Nothing can be refreshed, so clients cause the commits.
        var commits: [Commit] = []
        for address in addresses(30, from: 0x0900_0000) {
            commits += Self.add(address, to: harness, commits.isEmpty ? [.alertsLogged(through: 2)] : [])
            harness.pass(.seconds(500))
            harness.consume { $0 == .resolve }
        }
        #expect(!Self.forgotten(commits).isEmpty && Self.forgotten(commits).allSatisfy { $0.outage == 0 })
    }
}
