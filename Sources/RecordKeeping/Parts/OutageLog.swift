/// The outage that there is, and those that have ended and are not on disk yet: one at a time, for a lost way hides what is
/// wrong with the provider.
struct OutageLog: Hashable, Sendable {
    private(set) var current: Outage?
    /// Ended, and not known to be on disk.
    private(set) var ended: [Outage] = []
    /// The message with which the current one began.
    private var beginning = ""
    private var lastNumber: Int64 = 0
    private var lastSince: WallTime?

    mutating func begin(_ cause: Outage.Cause, _ message: String, deferred: Int, at now: WallTime) {
        end(at: now)
        lastNumber += 1
        // A page begins before the `since` of the last outage of the one before, so no two have the same.
        let since = now == lastSince ? now + .milliseconds(1) : now
        lastSince = since
        current = Outage(number: lastNumber, since: since, cause: cause, message: message, deferred: deferred)
        beginning = message
    }

    mutating func end(at now: WallTime) {
        guard var outage = current else { return }
        current = nil
        // A clock that was set back makes no outage end before it began.
        outage.until = max(now, outage.since)
        ended.append(outage)
        // Where the disk takes nothing for long, the oldest are not kept.
        if ended.count > Limits.waitingNotices { ended.removeFirst() }
    }

    /// The outage that there is has this cause still, and now for another reason: how it began is told along with it.
    mutating func restate(_ cause: Outage.Cause, _ message: String) {
        guard current?.cause == cause else { return }
        current?.message = "\(beginning); then \(message)"
    }

    /// A refresh was due and could not be made.
    mutating func `defer`() {
        current?.deferred += 1
    }

    /// So many refreshes that were due in the present one could not be made, some of which may have been counted.
    mutating func hasDeferred(atLeast count: Int) {
        if let deferred = current?.deferred, deferred < count { current?.deferred = count }
    }

    /// The number of the last ended outage: numbers ascend, and one outage ends before the next begins.
    var lastEnded: Int64 { current.map { $0.number - 1 } ?? lastNumber }

    /// What the disk has to have.
    var unsaved: [Outage] { ended + (current.map { [$0] } ?? []) }

    /// These are on disk as they ended.
    mutating func saved(_ numbers: Set<Int64>) {
        ended.removeAll { numbers.contains($0.number) }
    }

    /// What the disk held, as it is now.
    func updated(_ outages: [Outage]) -> [Outage] {
        outages.map { outage in unsaved.first { $0.number == outage.number } ?? outage }
    }

    mutating func restore(_ open: Outage?, lastNumber: Int64) {
        current = open
        beginning = open?.message ?? ""
        self.lastNumber = max(lastNumber, open?.number ?? 0)
    }
}
