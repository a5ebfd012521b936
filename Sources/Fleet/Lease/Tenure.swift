import RecordKeeping

/// A term that this run of the node holds, from the takeover to the loss of the lease.
///
/// A term is held at most once: a node that has lost its lease begins with another term, so that a late transaction of
/// the earlier tenure cannot pass the fence.
struct Tenure: Sendable {
    enum Phase: Hashable, Sendable {
        /// The node applies the journal to its end, and waits for its first successful heartbeat.
        case assuming
        case leading
        /// The node hands over to this one, once no call is in flight and all outcomes are committed.
        case stoppingCalls(successor: NodeRun, hasFailed: Bool)
        /// `hasFailed` is whether the node gives up the term because its calls failed.
        case handingOver(successor: NodeRun, hasFailed: Bool)
    }

    let fence: Fence
    /// When the node learned that it holds the term. A request that was sent later sees everything of earlier terms.
    let since: BootTime
    var phase = Phase.assuming
    /// Whether the predecessor has committed the outcomes of all of its calls.
    let isHandedOver: Bool
    /// When the last successful heartbeat was sent; nil if none was successful.
    private(set) var beatSentAt: BootTime?
    /// When the last successful heartbeat or commit was sent.
    private(set) var confirmedAt: BootTime?
    /// The number of the last successful heartbeat.
    private(set) var knownBeat: Int64 = 0
    var leadership: Leadership?
    /// Whether a call has succeeded in this term.
    var hasSucceeded = false
    /// The time of the first failure since the last successful call and the last loss of the route; nil if there was
    /// none.
    var failingSince: BootTime?

    init(fence: Fence, isHandedOver: Bool, at now: BootTime) {
        (self.fence, self.isHandedOver, since) = (fence, isHandedOver, now)
    }

    mutating func beatSucceeded(number: Int64, sentAt: BootTime) {
        (beatSentAt, knownBeat) = (sentAt, number)
        confirm(sentAt: sentAt)
    }

    /// Records that a fenced transaction has succeeded.
    mutating func confirm(sentAt: BootTime) {
        confirmedAt = max(confirmedAt ?? sentAt, sentAt)
    }

    /// The time at which the lease ends.
    var leaseEnd: BootTime? { beatSentAt.map { $0 + FleetLimits.lease } }

    /// The time until which calls may be sent; nil if none may be sent.
    var callsUntil: BootTime? {
        guard phase == .leading, let confirmedAt, let leaseEnd else { return nil }
        return min(confirmedAt + FleetLimits.callPermission, leaseEnd)
    }
}
