import RecordKeeping

/// The machine that the daemon runs on: its clocks with their errors, its reboots and its suspension.
struct SimulatedMachine {
    /// The number of boots, and the number of times the wall clock was set.
    struct Clocks: Hashable {
        var boots = 1
        var steps = 0
    }

    private(set) var bootID = "boot 1"
    private(set) var clocks = Clocks()
    private var bootedAt = Moment(nanoseconds: -20_000_000_000)
    /// The time for which the machine had run at the last boot, on its own clocks.
    private var runBefore = Duration.zero
    /// The difference between the wall clock and true time.
    private var wallError = Duration.zero
    /// The machine is suspended until this moment; until then nothing happens in it.
    private(set) var asleepUntil = Moment.start

    /// The time at which the wall clock was last set.
    private(set) var lastStep = Moment.start
    /// The latest time that the wall clock showed before it was last set.
    private var latestWallBefore = WallTime(milliseconds: 0)

    /// The speed of the machine's clocks relative to true time; 1 is correct.
    private let pace: Int64

    init(pace: Int64) {
        self.pace = pace
    }

    private static let epoch: Int64 = 1_800_000_000_000

    func instant(at moment: Moment) -> Instant {
        let wall = Self.epoch + moment.nanoseconds * pace / 1_000_000 + wallError.wholeMilliseconds
        return Instant(
            boot: BootTime(nanoseconds: (moment - bootedAt).wholeNanoseconds * pace), wall: WallTime(milliseconds: wall)
        )
    }

    /// The moment at which the boot clock has this value.
    func moment(of boot: BootTime) -> Moment {
        bootedAt + .nanoseconds(boot.nanoseconds / pace)
    }

    /// Whether the machine has booted.
    func isUp(at moment: Moment) -> Bool { moment >= bootedAt }

    mutating func reboot(at moment: Moment, endedAt end: Moment) {
        runBefore = runningTime(at: end)
        clocks.boots += 1
        bootID = "boot \(clocks.boots)"
        bootedAt = moment
    }

    /// The time for which the machine has run, on its own clocks, including the time for which it was suspended.
    func runningTime(at moment: Moment) -> Duration {
        runBefore + max(.zero, instant(at: moment).boot - BootTime(nanoseconds: 0))
    }

    /// The latest time that the wall clock has ever shown.
    func latestWall(at moment: Moment) -> WallTime { max(latestWallBefore, instant(at: moment).wall) }

    mutating func stepWallClock(by step: Duration, at moment: Moment) {
        guard step != .zero else { return }
        (latestWallBefore, lastStep) = (latestWall(at: moment), moment)
        clocks.steps += 1
        wallError += step
    }

    mutating func suspend(until moment: Moment) {
        asleepUntil = max(asleepUntil, moment)
    }
}
