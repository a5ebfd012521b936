import Control

/// Checks that the provider's quota is sufficient for the watch list.
struct QuotaCheck: Check {
    static let name = "quota"

    let refresh: Interface.Schedule
    let watched: Int
    let target: DoctorTarget
    /// Whether the provider has replied, and so could have reported a limit.
    var hasAnswered = true
    /// The quotas of the provider's endpoints.
    var quotas: [Interface.Quota] = []
    /// Whether the provider is local, so that it has no quota.
    var isLocal = false

    func findings() -> [Finding] {
        guard !isLocal else { return ok("local databases have no quota") }
        guard let load = refresh.load else { return findingsWithoutLoad() }
        guard load > 1 else { return ok("the watch list needs \(Times.percent(load)) of it") }
        // The age is clamped to a range that can be formatted.
        let needed = Int64(max(0, min(Double(refresh.interval) * load, Self.maxMilliseconds)).rounded(.up))
        let tooMany = max(
            1, watched.clampedSubtracting(Int(exactly: (Double(watched) / load).rounded(.down)) ?? watched))
        let file = target.configurationFile ?? "the daemon's configuration"
        return bad(
            "the watch list needs \(Times.percent(load)) of it: "
                + "records will be up to \(Times.span(milliseconds: needed)) old "
                + "instead of \(Times.span(milliseconds: refresh.interval))",
            remedy:
                "In \(file): [refresh] interval = \"\(Self.setting(needed))\". Or remove \(Times.grouped(tooMany)) "
                + "addresses (ipctl remove), or get a key for https://pro.ip-api.com, which has no limit. Then: "
                + target.restart)
    }

    private func findingsWithoutLoad() -> [Finding] {
        guard hasAnswered else { return skipped("unknown until the provider answers") }
        let unlimited = quotas.filter { $0.limit == nil }.map(\.name)
        guard !unlimited.isEmpty, unlimited.count < quotas.count else { return ok("the provider reports no limit") }
        return ok("the provider has reported no limit for \(unlimited.joined(separator: ", ")) calls yet")
    }

    private static let maxMilliseconds = 100.0 * 366 * 86_400_000

    /// Returns a duration in the configuration's format, rounded up.
    private static func setting(_ milliseconds: Int64) -> String {
        milliseconds < 60_000 ? "\((milliseconds + 999) / 1_000)s" : "\((milliseconds + 59_999) / 60_000)m"
    }
}
