import Control

/// How much there is of something, as a bar with words beside it.
struct TopGauge {
    let label: String
    /// From 0 to 1; nil where there is no measure.
    let share: Double?
    let style: Style?
    let words: String

    /// What the head shows of a daemon: each quota, the load, and the next refresh in words.
    static func all(of status: Control.Status.Reply, at now: Int64) -> [TopGauge] {
        let load = status.refresh.load.map { load in
            TopGauge(
                label: "Load", share: min(1, max(0, load)), style: load > 1 ? .bad : load > 0.8 ? .caution : .good,
                words: "\(Int((min(load, 99) * 100).rounded())) %")
        }
        return status.provider.quotas.map { quota($0, at: now) } + [load].compactMap { $0 } + [refresh(status, at: now)]
    }

    static func count(in status: Control.Status.Reply) -> Int {
        status.provider.quotas.count + (status.refresh.load == nil ? 0 : 1) + 1
    }

    private static func quota(_ quota: Interface.Quota, at now: Int64) -> TopGauge {
        let label = "Quota \(quota.name)"
        guard let limit = quota.limit else {
            return TopGauge(label: label, share: nil, style: nil, words: "no limit told")
        }
        let remaining = max(0, min(quota.remaining ?? limit, limit))
        let share = limit > 0 ? Double(remaining) / Double(limit) : 0
        var words = "\(remaining)/\(limit)"
        if let resetsAt = quota.resetsAt { words += "  \(Countdown.text(until: max(resetsAt, now), from: now))" }
        return TopGauge(
            label: label, share: share, style: remaining == 0 ? .bad : share < 0.34 ? .caution : .good, words: words)
    }

    private static func refresh(_ status: Control.Status.Reply, at now: Int64) -> TopGauge {
        let refresh = status.refresh
        let due = "\(Times.grouped(refresh.due)) due"
        // Where there is little room, what stands behind is cut.
        var parts: [String] =
            switch NextRefresh(status, at: now) {
            case .nothing: refresh.inFlight > 0 ? [] : ["nothing to refresh"]
            case .deadline(let time): [Times.ahead(time, from: now)]
            case .way: ["\(due) once online"]
            case .quota(let resetsAt): [due, "quota \(resetsAt.map { Times.ahead($0, from: now) } ?? "used up")"]
            case .due(let time): [due] + (time.map { ["more \(Times.ahead($0, from: now))"] } ?? [])
            }
        if refresh.inFlight > 0 { parts.append("\(Times.grouped(refresh.inFlight)) asked") }
        return TopGauge(label: "Refresh", share: nil, style: nil, words: parts.joined(separator: ", "))
    }

    /// A bar of so many columns, as what is there and what is not.
    ///
    /// It is drawn in halves of a cell. Something is never shown as nothing, and less than all never as all.
    static func bar(_ share: Double, columns: Int) -> (full: String, rest: String) {
        let halves = 2 * max(0, columns)
        var filled = Int((max(0, min(1, share)) * Double(halves)).rounded())
        if share > 0, filled == 0 { filled = min(1, halves) }
        if share < 1, filled == halves { filled = max(0, halves - 1) }
        let full = String(repeating: "━", count: filled / 2) + (filled % 2 == 1 ? "╸" : "")
        return (full, String(repeating: "─", count: max(0, columns - (filled + 1) / 2)))
    }
}
