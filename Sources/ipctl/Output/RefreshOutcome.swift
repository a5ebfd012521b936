import Control

/// The outcome of a refresh request: the scheduled refreshes, their time, and the records that are already current.
struct RefreshOutcome {
    let counts: Control.Refresh.Reply
    /// The daemon's status after the request.
    let status: Control.Status.Reply
    let now: Int64
    /// The time of the next attempt of any of these addresses; nil if unknown, or if it is being made.
    var nextAttempt: Int64?

    /// The reason why scheduled refreshes cannot be made now.
    private enum Obstacle: Hashable {
        case offline, failingStore, provider
        case quota(resetsAt: Int64?)
    }

    /// Whether refreshes are scheduled but cannot be made now.
    var isDelayed: Bool { counts.scheduled > 0 && obstacle != nil }

    /// Whether the provider is failing, so that the time of the next attempt depends on the provider's health.
    var isDelayedByProvider: Bool { counts.scheduled > 0 && obstacle == .provider }

    /// The obstacle; nil if at least one endpoint of the provider can be called.
    private var obstacle: Obstacle? {
        if status.network.state != "online" { return .offline }
        if status.store.state == "failing" { return .failingStore }
        switch ProviderObstacle(of: status.provider, at: now) {
        case .failing?: return .provider
        // If nothing is due, these refreshes used the last calls of the window.
        case .quota(let resetsAt)?: return status.refresh.due > 0 ? .quota(resetsAt: resetsAt) : nil
        case nil: return nil
        }
    }

    var sentence: String {
        let fresh = counts.fresh
        guard counts.scheduled > 0 else {
            switch fresh {
            case 0: return "nothing to refresh"
            case 1: return "nothing to refresh: the record is current"
            default: return "nothing to refresh: all \(Times.grouped(fresh)) records are current"
            }
        }
        switch fresh {
        case 0: return action
        case 1: return "\(action); 1 other record is current"
        default: return "\(action); \(Times.grouped(fresh)) other records are current"
        }
    }

    private var action: String {
        let one = counts.scheduled == 1
        let subject = Times.count(counts.scheduled, "address")
        let (verb, waits) = one ? ("is being refreshed", "waits") : ("are being refreshed", "wait")
        let (network, provider) = (status.network, status.provider)
        switch obstacle {
        case .offline:
            let reason = network.reason ?? "no route to the provider"
            let since = "since \(Times.clock(network.since, from: now))"
            return "\(subject) will be refreshed when the network is back: offline \(since), \(reason)"
        case .failingStore:
            let reason = status.store.message.map { ": \($0)" } ?? ""
            return "\(subject) \(waits) until the database can be written\(reason)"
        case .quota(let resetsAt):
            let next = resetsAt.map { ", which begins \(Times.ahead($0, from: now))" } ?? ""
            return "\(subject) \(waits) for the provider's next quota window\(next)\(otherFailures)"
        case .provider:
            let why = "the provider is \(provider.state)\(provider.message.map { ": \($0)" } ?? "")"
            let rest = one ? "" : ", the others follow if that succeeds"
            let next = nextAttempt.flatMap { $0 > now ? $0 : nil }
            let attempt = next.map { "will be refreshed \(Times.ahead($0, from: now))" } ?? "is being refreshed"
            return "\(one ? "" : "1 of ")\(subject) \(attempt)\(rest); \(why)"
        case nil: return "\(subject) \(verb)"
        }
    }

    /// The failures of the endpoints that do not wait for their quota.
    private var otherFailures: String {
        status.provider.failingEndpoints.map { endpoint in
            "; \(endpoint.name) calls fail\(endpoint.message.map { ": \($0)" } ?? "")"
        }.joined()
    }
}
