import Control

/// Checks that every watched address has a current record, or will have one soon.
struct RecordsCheck: Check {
    static let name = "records"

    let status: Control.Status.Reply

    func findings() -> [Finding] {
        let isWrong = status.entries.failed > 0 || overdueCount > 0
        return isWrong ? warning(counts, remedy: remedy) : ok(counts)
    }

    private var remedy: String {
        guard !isBlocked else {
            return "They will be fetched automatically once the network or provider problem above is solved"
        }
        let state = status.entries.failed > 0 ? "failed" : "stale"
        return "To see which and why: ipctl list --state \(state). To try again now: ipctl refresh"
    }

    /// The number of entries without a current record that are neither due nor in flight.
    ///
    /// A due entry is stale until its reply arrives, and a new entry is loading; both are normal.
    private var overdueCount: Int {
        let entries = status.entries
        guard !isBlocked else { return entries.stale.clampedAdding(entries.loading) }
        // Every entry that is loading is due or in flight; any other entry that is due or in flight may be stale.
        let pending = status.refresh.due.clampedAdding(status.refresh.inFlight)
        return max(0, entries.stale.clampedSubtracting(max(0, pending.clampedSubtracting(entries.loading))))
    }

    /// Whether no record can be fetched at all.
    private var isBlocked: Bool {
        status.network.state != "online" || !["ok", "idle"].contains(status.provider.state)
    }

    // MARK: Text

    private var counts: String {
        let entries = status.entries
        let loading = isBlocked ? "no record yet" : "first call is due or in flight"
        let stale = overdueCount > 0 ? "records are out of date" : "being refreshed now"
        let states: [(Int, String)] = [
            (entries.fresh, "fresh"), (entries.empty, "empty (the provider has no record)"),
            (entries.loading, "loading (\(loading))"),
            (entries.stale, "stale (\(stale))"),
            (entries.failed, "failed (no record)"),
        ]
        let parts = states.filter { $0.0 > 0 }.map { "\(Times.grouped($0.0)) \($0.1)" }
        var head = "\(Times.count(entries.watched, "address")) watched"
        if entries.cached > 0 { head += ", \(Times.grouped(entries.cached)) more looked up" }
        return parts.isEmpty ? head : "\(head): \(parts.joined(separator: ", "))"
    }
}
