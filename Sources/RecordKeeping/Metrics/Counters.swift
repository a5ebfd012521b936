/// What the keeper has counted since the daemon started.
package struct Counters: Hashable, Sendable {
    /// The outcome of a call.
    package enum Outcome: Hashable, Sendable {
        case ok
        case failed(Failure.Kind)
    }

    /// A call's endpoint and outcome.
    package struct CallKind: Hashable, Sendable {
        package var endpoint: Call.Endpoint
        package var outcome: Outcome

        package init(_ endpoint: Call.Endpoint, _ outcome: Outcome) {
            self.endpoint = endpoint
            self.outcome = outcome
        }
    }

    /// The outages of one cause.
    package struct Outages: Hashable, Sendable {
        package fileprivate(set) var count: UInt64 = 0
        /// The time that ended outages have taken since the daemon started.
        package fileprivate(set) var duration = Duration.zero

        package init() {}
    }

    private struct CurrentOutage: Hashable {
        let number: Int64
        let cause: Outage.Cause
        /// The time at which the outage began or, if it is older, the daemon started.
        let since: BootTime
    }

    package init() {}

    /// Calls that have ended.
    package private(set) var calls: [CallKind: UInt64] = [:]
    /// Records that were replaced or repeated by a reply.
    package private(set) var refreshed: UInt64 = 0
    /// Records that a reply has changed.
    package private(set) var changed: UInt64 = 0
    /// The time between the expiry of a watched record and the first call for its replacement.
    package private(set) var lateness = Histogram(bounds: [
        0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600, 1_800, 3_600,
    ])
    /// The time between the request for a commit and its end, whether or not it succeeded.
    package private(set) var commits = Histogram(bounds: [
        0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ])

    private var outages: [Outage.Cause: Outages] = [:]
    private var current: CurrentOutage?
    private var commitBegan: BootTime?

    mutating func ended(_ call: Call, _ outcome: Outcome) {
        calls[CallKind(call.endpoint, outcome), default: 0] += 1
    }

    mutating func published(_ kind: PublishedEvent.Kind) {
        switch kind {
        case .refreshed: refreshed += 1
        case .changed: changed += 1
        default: break
        }
    }

    /// - Parameter expiry: the time at which the record being replaced expired.
    mutating func called(at now: BootTime, expiry: BootTime) {
        lateness.observe(from: expiry, to: now)
    }

    mutating func commitBegan(at now: BootTime) {
        commitBegan = now
    }

    /// - Parameter now: the time at which the commit was written or has failed.
    mutating func commitEnded(at now: BootTime) {
        guard let began = commitBegan else { return }
        commitBegan = nil
        commits.observe(from: began, to: now)
    }

    // MARK: Outages

    /// Records an outage that began before the daemon started. Only its duration since then is counted.
    mutating func restored(_ outage: Outage?, at now: BootTime) {
        current = outage.map { CurrentOutage(number: $0.number, cause: $0.cause, since: now) }
    }

    /// Records the current outage, or that there is none.
    mutating func observe(_ outage: Outage?, at now: BootTime) {
        guard outage?.number != current?.number else { return }
        if let ended = current { outages[ended.cause, default: Outages()].duration += now - ended.since }
        current = outage.map { CurrentOutage(number: $0.number, cause: $0.cause, since: now) }
        if let cause = outage?.cause { outages[cause, default: Outages()].count += 1 }
    }

    /// Returns the outages of a cause, including the current one.
    package func outages(_ cause: Outage.Cause, at now: BootTime) -> Outages {
        var result = outages[cause] ?? Outages()
        if let current, current.cause == cause { result.duration += now - current.since }
        return result
    }
}
