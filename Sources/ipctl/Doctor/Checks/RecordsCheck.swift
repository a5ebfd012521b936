import Control
import RecordKeeping

/// Checks that every watched address has a current record, or will have one soon.
struct RecordsCheck: Check {
    static let name = "records"

    let status: Control.Status.Reply
    let now: Int64

    /// The reason why due records are not fetched now, in the order in which the daemon applies the reasons.
    private enum Delay {
        case offline, failingStore, refusal, failingProvider, quota
    }

    func findings() -> [Finding] {
        let isWrong = status.entries.failed > 0 || overdueCount > 0
        return isWrong ? warning(counts, remedy: remedy) : ok(counts)
    }

    private var endpoints: EndpointStates { EndpointStates(provider: status.provider) }

    private var delay: Delay? {
        if status.network.state != "online" { return .offline }
        if status.store.state == "failing" { return .failingStore }
        if endpoints.areAllFailing {
            return status.provider.state == ProviderState.throttled.rawValue ? .refusal : .failingProvider
        }
        guard status.refresh.due > 0, case .quota? = ProviderObstacle(of: status.provider, at: now) else { return nil }
        return .quota
    }

    private var remedy: String {
        guard !isBlocked else {
            return "They will be fetched automatically once the \(problem) problem above is solved"
        }
        let state = status.entries.failed > 0 ? "failed" : "stale"
        return "To see which and why: ipctl list --state \(state). To try again now: ipctl refresh"
    }

    private var problem: String {
        switch delay {
        case .offline: "network"
        case .failingStore: "store"
        case .refusal, .failingProvider, .quota, nil: "provider"
        }
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

    /// Whether no record can be fetched at all. A quota that is used up delays records only until the next window.
    private var isBlocked: Bool { delay != nil && delay != .quota }

    // MARK: Text

    private var counts: String {
        let entries = status.entries
        let loading = delay == nil ? "first call is due or in flight" : "no record yet"
        let stale = delay == nil && overdueCount == 0 ? "being refreshed now" : "records are out of date"
        let states: [(Int, String)] = [
            (entries.fresh, "fresh"), (entries.empty, "empty (the provider has no record)"),
            (entries.loading, "loading (\(loading))"),
            (entries.stale, "stale (\(stale))"),
            (entries.failed, "failed (no record)"),
        ]
        let parts = states.filter { $0.0 > 0 }.map { "\(Times.grouped($0.0)) \($0.1)" }
        var head = "\(Times.count(entries.watched, "address")) watched"
        if entries.cached > 0 { head += ", \(Times.grouped(entries.cached)) more looked up" }
        let isAnyMissing = [entries.loading, entries.stale, entries.failed].contains { $0 > 0 }
        return (parts.isEmpty ? head : "\(head): \(parts.joined(separator: ", "))") + (isAnyMissing ? reason : "")
    }

    /// The reason why records are missing, as the end of a message; empty if they are being fetched.
    private var reason: String {
        switch delay {
        case nil: ""
        case .offline: "; the network is offline: \(status.network.reason ?? "no route to the provider")"
        case .failingStore: "; the database cannot be written: \(status.store.message ?? "no reason given")"
        case .refusal: "; the provider refuses calls until the next quota window\(endpoints.nextWindow(from: now))"
        case .quota: "; due calls wait for the next quota window\(endpoints.nextWindow(from: now))"
        case .failingProvider: "; \(providerFailure): \(status.provider.message ?? "no reason given")\(nextRefresh)"
        }
    }

    private var providerFailure: String {
        status.provider.state == ProviderState.unauthorized.rawValue
            ? "the provider denies access" : "the provider is \(status.provider.state)"
    }

    /// The time of the next refresh, as the end of a message; empty if refreshes are due already, because the status
    /// does not include the time of their next attempt.
    private var nextRefresh: String {
        guard status.refresh.due <= 0, let next = status.refresh.nextAt, next > now else { return "" }
        return "; the next refresh is due at \(Times.clock(next, from: now)) (\(Times.ahead(next, from: now)))"
    }
}
