import RecordKeeping

/// The machine that the daemon runs on: its clocks, and how they go wrong.
struct SimulatedMachine {
    private(set) var bootID = "boot 1"
    private(set) var boots = 1
    private var bootedAt = Moment(nanoseconds: -20_000_000_000)
    /// How far the wall clock is ahead of the truth.
    private var wallError = Duration.zero
    /// Until when the machine sleeps; nothing in it happens meanwhile.
    private(set) var asleepUntil = Moment.start

    /// How fast its clocks run; 1 is right.
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

    /// When the boot clock shows this.
    func moment(of boot: BootTime) -> Moment {
        bootedAt + .nanoseconds(boot.nanoseconds / pace)
    }

    /// Whether it runs, and is not being started.
    func isUp(at moment: Moment) -> Bool { moment >= bootedAt }

    mutating func reboot(at moment: Moment) {
        boots += 1
        bootID = "boot \(boots)"
        bootedAt = moment
    }

    mutating func stepWallClock(by step: Duration) {
        wallError += step
    }

    mutating func suspend(until moment: Moment) {
        asleepUntil = max(asleepUntil, moment)
    }
}
