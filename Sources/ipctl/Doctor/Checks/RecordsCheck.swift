import Control

/// Whether every watched address has a current record, or is about to have one.
struct RecordsCheck: Check {
    static let name = "records"

    let status: Control.Status.Reply

    func findings() -> [Finding] {
        let entries = status.entries
        // What has just fallen due is stale until its reply is there: that is how it should be.
        let stale = max(0, entries.stale - status.refresh.due - status.refresh.inFlight)
        var parts: [String] = []
        if entries.failed > 0 { parts.append("\(Times.grouped(entries.failed)) failed: nothing is known of them") }
        if stale > 0 { parts.append("\(Times.grouped(stale)) stale: what is known of them is old") }
        guard !parts.isEmpty else {
            let watched = entries.watched == 1 ? "1 address" : "\(Times.grouped(entries.watched)) addresses"
            return [ok("\(watched) watched, none without its record")]
        }
        let remedy =
            isHeldUp
            ? "They come by themselves once what is said above of the network or the provider is over"
            : "ipctl list --state \(entries.failed > 0 ? "failed" : "stale") tells which and why; ipctl refresh tries again now"
        return [warning(parts.joined(separator: "; "), remedy: remedy)]
    }

    /// Nothing can come for anybody.
    private var isHeldUp: Bool {
        status.network.state != "online" || !["ok", "idle"].contains(status.provider.state)
    }
}
