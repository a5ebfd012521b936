import Control

/// Whether every watched address has a current record, or is about to have one.
struct RecordsCheck: Check {
    static let name = "records"

    let status: Control.Status.Reply

    func findings() -> [Finding] {
        let entries = status.entries
        let isWrong = entries.failed > 0 || waitingInVain > 0
        guard isWrong else { return [ok(counts)] }
        return [warning(counts, remedy: remedy)]
    }

    private var remedy: String {
        guard !isHeldUp else {
            return "They come by themselves once what is said above of the network or the provider is over"
        }
        let state = status.entries.failed > 0 ? "failed" : "stale"
        return "ipctl list --state \(state) tells which and why; ipctl refresh tries again now"
    }

    /// What has no current record, and none on its way.
    ///
    /// What has just fallen due is stale until its reply is there, and what was just added loads: that is how it should be.
    private var waitingInVain: Int {
        let entries = status.entries
        guard !isHeldUp else { return entries.stale + entries.loading }
        // What loads is on its way; what else is on its way may be stale.
        let onTheWay = status.refresh.due + status.refresh.inFlight
        return max(0, entries.stale - max(0, onTheWay - entries.loading))
    }

    /// Nothing can come for anybody.
    private var isHeldUp: Bool {
        status.network.state != "online" || !["ok", "idle"].contains(status.provider.state)
    }

    // MARK: Words

    private var counts: String {
        let entries = status.entries
        let loading = isHeldUp ? "nothing is known yet" : "their first call is due or under way"
        let stale = waitingInVain > 0 ? "what is known of them is old" : "being replaced now"
        let states: [(Int, String)] = [
            (entries.fresh, "fresh"), (entries.empty, "empty (the provider has no record of such)"),
            (entries.loading, "loading (\(loading))"),
            (entries.stale, "stale (\(stale))"),
            (entries.failed, "failed (nothing is known of them)"),
        ]
        let told = states.filter { $0.0 > 0 }.map { "\(Times.grouped($0.0)) \($0.1)" }
        var head = entries.watched == 1 ? "1 address watched" : "\(Times.grouped(entries.watched)) addresses watched"
        if entries.cached > 0 { head += ", \(Times.grouped(entries.cached)) more looked up" }
        return told.isEmpty ? head : "\(head): \(told.joined(separator: ", "))"
    }
}
