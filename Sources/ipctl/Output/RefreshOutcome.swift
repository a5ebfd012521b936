import Control

/// What comes of asking for a refresh: what is tried, when, and what needs it not.
struct RefreshOutcome {
    private let counts: Control.Refresh.Reply
    /// How the daemon was just after it.
    private let status: Control.Status.Reply
    private let now: Int64

    init(_ counts: Control.Refresh.Reply, _ status: Control.Status.Reply, now: Int64) {
        self.counts = counts
        self.status = status
        self.now = now
    }

    /// There is something to try, and none of it can be: the network is lost.
    var isWithoutWay: Bool { counts.scheduled > 0 && status.network.state != "online" }

    var sentence: String {
        switch counts.fresh {
        case 0: tried
        case 1: "\(tried); 1 needs none: what is known of it is current"
        default: "\(tried); \(Times.grouped(counts.fresh)) need none: what is known of them is current"
        }
    }

    private var tried: String {
        guard counts.scheduled > 0 else { return "nothing to try again" }
        let one = counts.scheduled == 1
        let subject = one ? "1 address" : "\(Times.grouped(counts.scheduled)) addresses"
        let (isTried, waits) = one ? ("is tried", "waits") : ("are tried", "wait")
        let (network, provider) = (status.network, status.provider)
        if isWithoutWay {
            let reason = network.reason ?? "no way to the provider"
            let since = "since \(Times.clock(network.since, from: now))"
            return "\(subject) will be tried once the way is back: offline \(since), \(reason)"
        }
        if provider.state == "throttled" || isUsedUp {
            let next = nextWindow.map { ", which begins \(Times.ahead($0, from: now))" } ?? ""
            return "\(subject) \(waits) for the provider's next quota window\(next)"
        }
        guard ["ok", "idle"].contains(provider.state) else {
            let why = "the provider is \(provider.state)\(provider.message.map { ": \($0)" } ?? "")"
            let how = one ? "\(subject) \(isTried) now" : "1 of \(subject) is tried now, the others once that succeeds"
            return "\(how); \(why)"
        }
        return "\(subject) \(isTried) again now"
    }

    private var isUsedUp: Bool {
        let quotas = status.provider.quotas
        return !quotas.isEmpty && quotas.allSatisfy { $0.remaining == 0 && ($0.resetsAt ?? now) > now }
    }

    /// The first of those that are to come.
    private var nextWindow: Int64? { status.provider.quotas.compactMap(\.resetsAt).filter { $0 > now }.min() }
}
