/// The wall clock: whether it can be right, and whether what the daemon noted by it is not yet to come.
struct ClockCheck: Check {
    static let name = "clock"

    let now: Int64
    /// What the daemon did, and when it did so by the same clock.
    var deeds: [(what: String, at: Int64)] = []

    /// 2025-01-01 00:00:00 UTC: before there was this program.
    private static let earliest: Int64 = 1_735_689_600_000
    /// Two processes that read the clock while it is being set may be off by so much.
    private static let toleranceMilliseconds: Int64 = 2_000

    func findings() -> [Finding] {
        let set = "timedatectl status; \(Patient.asRoot("timedatectl set-ntp true"))"
        guard now >= Self.earliest else {
            return [
                bad(
                    "this host's clock says \(Times.clock(now, from: 0)): records would be dated so",
                    remedy: set)
            ]
        }
        let ahead = deeds.filter { $0.at > now + Self.toleranceMilliseconds }.max { $0.at < $1.at }
        guard let ahead else { return [ok("\(Times.clock(now, from: 0))")] }
        let by = Times.span(milliseconds: ahead.at - now)
        return [
            warning(
                "the clock was set back: \(ahead.what), by its own account, \(by) from now; records keep their ages, "
                    + "but what was noted has a wrong date",
                remedy: set)
        ]
    }
}
