import Control

/// A gauge with a label, a bar and a text.
struct TopGauge {
    let label: String
    /// The filled share of the bar from 0 to 1; nil for a gauge without a bar.
    let share: Double?
    let style: TextStyle?
    let text: String

    /// Returns the gauges of a status: each quota, the load, and the next refresh as text.
    static func all(of status: Control.Status.Reply, at now: Int64) -> [TopGauge] {
        let load = status.refresh.load.map { load in
            TopGauge(
                label: "Load", share: min(1, max(0, load)), style: load > 1 ? .bad : load > 0.8 ? .caution : .good,
                text: "\(Int((max(0, min(load, 99)) * 100).rounded())) %")
        }
        return status.provider.quotas.map { quota($0, at: now) } + [load].compactMap { $0 } + [refresh(status, at: now)]
    }

    static func count(in status: Control.Status.Reply) -> Int {
        status.provider.quotas.count + (status.refresh.load == nil ? 0 : 1) + 1
    }

    private static func quota(_ quota: Interface.Quota, at now: Int64) -> TopGauge {
        let label = "Quota \(quota.name)"
        guard let limit = quota.limit else {
            return TopGauge(label: label, share: nil, style: nil, text: "no limit reported")
        }
        let remaining = max(0, min(quota.remaining ?? limit, limit))
        let share = limit > 0 ? Double(remaining) / Double(limit) : 0
        var text = "\(remaining)/\(limit)"
        if let resetsAt = quota.resetsAt { text += "  \(Countdown.text(until: max(resetsAt, now), from: now))" }
        return TopGauge(
            label: label, share: share, style: remaining == 0 ? .bad : share < 0.34 ? .caution : .good, text: text)
    }

    private static func refresh(_ status: Control.Status.Reply, at now: Int64) -> TopGauge {
        let refresh = status.refresh
        let due = "\(Times.grouped(refresh.due)) due"
        // The most important part comes first, because the text may be truncated.
        var parts: [String] =
            switch NextRefresh(status, at: now) {
            case .nothing: refresh.inFlight > 0 ? [] : ["nothing to refresh"]
            case .deadline(let time): [Times.ahead(time, from: now)]
            case .route: ["\(due) once online"]
            case .quota(let resetsAt): [due, "quota \(resetsAt.map { Times.ahead($0, from: now) } ?? "used up")"]
            case .due(let time): [due] + (time.map { ["more \(Times.ahead($0, from: now))"] } ?? [])
            }
        if refresh.inFlight > 0 { parts.append("\(Times.grouped(refresh.inFlight)) in flight") }
        return TopGauge(label: "Refresh", share: nil, style: nil, text: parts.joined(separator: ", "))
    }

    /// Returns the filled and the empty part of a bar.
    ///
    /// The resolution is half a cell. A share above 0 never looks empty, and a share below 1 never looks full.
    static func bar(_ share: Double, columns: Int) -> (full: String, rest: String) {
        let halves = 2 * max(0, columns)
        var filled = Int((max(0, min(1, share)) * Double(halves)).rounded())
        if share > 0, filled == 0 { filled = min(1, halves) }
        if share < 1, filled == halves { filled = max(0, halves - 1) }
        let full = String(repeating: "━", count: filled / 2) + (filled % 2 == 1 ? "╸" : "")
        return (full, String(repeating: "─", count: max(0, columns - (filled + 1) / 2)))
    }
}
