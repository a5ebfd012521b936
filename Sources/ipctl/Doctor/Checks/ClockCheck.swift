/// Checks that the wall clock is plausible, and that the daemon's recorded times are not in the future.
struct ClockCheck: Check {
    static let name = "clock"

    let now: Int64
    /// The daemon's recorded times, each with a description.
    var recordedTimes: [(event: String, at: Int64)] = []

    /// The earliest plausible time, 2025-01-01 00:00:00 UTC, before the first release.
    private static let earliest: Int64 = 1_735_689_600_000
    /// The tolerance for two processes that read the clock while it is being adjusted.
    private static let toleranceMilliseconds: Int64 = 2_000

    func findings() -> [Finding] {
        let set = "timedatectl status; \(DoctorTarget.asRoot("timedatectl set-ntp true"))"
        guard now >= Self.earliest else {
            return bad("this host's clock is wrong: it says \(Times.clock(now, from: 0))", remedy: set)
        }
        let ahead = recordedTimes.filter { $0.at > now + Self.toleranceMilliseconds }.max { $0.at < $1.at }
        guard let ahead else { return ok("\(Times.clock(now, from: 0))") }
        let by = Times.span(milliseconds: ahead.at.clampedSubtracting(now))
        return warning(
            "the clock was set back: the daemon recorded that \(ahead.event) \(by) in the future; record ages are "
                + "right, but recorded times are wrong",
            remedy: set)
    }
}
