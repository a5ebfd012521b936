import Control

/// Whether the provider's quota is enough for the watch list.
struct QuotaCheck: Check {
    static let name = "quota"

    let refresh: Interface.Schedule
    let watched: Int
    let patient: Patient
    /// The provider answers, and so has had the occasion to tell of a limit.
    var hasAnswered = true

    func findings() -> [Finding] {
        guard let load = refresh.load else {
            return [
                hasAnswered ? ok("the provider tells of no limit") : skipped("not known before the provider answers")
            ]
        }
        guard load > 1 else { return [ok("the list needs \(Times.percent(load)) of it")] }
        // An age beyond what the clocks hold is none that anybody waits for.
        let needed = Int64(min(Double(refresh.interval) * load, Self.longestMilliseconds).rounded(.up))
        let tooMany = max(1, watched - Int(Double(watched) / load))
        let file = patient.configurationFile ?? "the daemon's configuration"
        return [
            bad(
                "the list needs \(Times.percent(load)) of it: records get "
                    + "\(Times.span(milliseconds: needed)) old in place of \(Times.span(milliseconds: refresh.interval))",
                remedy:
                    "In \(file): [refresh] interval = \"\(Self.setting(needed))\". Or take \(Times.grouped(tooMany)) "
                    + "addresses off (ipctl remove), or get a key for https://pro.ip-api.com, which has no limit. Then: "
                    + patient.restart)
        ]
    }

    private static let longestMilliseconds = 100.0 * 366 * 86_400_000

    /// A duration as the configuration has it, rounded up.
    private static func setting(_ milliseconds: Int64) -> String {
        milliseconds < 60_000 ? "\((milliseconds + 999) / 1_000)s" : "\((milliseconds + 59_999) / 60_000)m"
    }
}
