/// The current outage, and the ended outages that are not on disk yet. There is at most one current outage, because a
/// lost route hides failures of the provider.
struct OutageLog: Hashable, Sendable {
    private(set) var current: Outage?
    /// Ended outages that are not known to be on disk.
    private(set) var ended: [Outage] = []
    /// The first message of the current outage.
    private var beginning = ""
    private var lastNumber: Int64 = 0
    private var lastSince: WallTime?

    /// Begins an outage, after ending the current one.
    ///
    /// - Parameter deferred: the number of refreshes that are due already.
    mutating func begin(_ cause: Outage.Cause, _ message: String, deferred: Int, at now: WallTime) {
        end(at: now)
        lastNumber += 1
        // A page of outages continues before the last `since` of the previous page, so successive values must differ.
        let since = now == lastSince ? now + .milliseconds(1) : now
        lastSince = since
        current = Outage(number: lastNumber, since: since, cause: cause, message: message, deferred: deferred)
        beginning = message
    }

    mutating func end(at now: WallTime) {
        guard var outage = current else { return }
        current = nil
        // The wall clock may have been set back, but an outage does not end before it began.
        outage.until = max(now, outage.since)
        ended.append(outage)
        // If the disk keeps failing, the oldest outages are dropped.
        if ended.count > Limits.waitingEvents { ended.removeFirst() }
    }

    /// Records a new reason for the current outage, if the outage has this cause. The outage's message then contains
    /// the first and the latest reason.
    mutating func restate(_ cause: Outage.Cause, _ message: String) {
        guard current?.cause == cause else { return }
        current?.message = "\(beginning); then \(message)"
    }

    /// Counts a refresh that was due during the current outage and could not be made.
    mutating func `defer`() {
        current?.deferred += 1
    }

    /// Raises the number of deferred refreshes of the current outage to at least `count`; some of these refreshes may
    /// have been counted already.
    mutating func hasDeferred(atLeast count: Int) {
        if let deferred = current?.deferred, deferred < count { current?.deferred = count }
    }

    /// The number of the last outage that has ended. Numbers ascend, and each outage ends before the next begins.
    var lastEnded: Int64 { current.map { $0.number - 1 } ?? lastNumber }

    /// The outages to write with the next commit.
    var unsaved: [Outage] { ended + (current.map { [$0] } ?? []) }

    /// Records that these outages are on disk as ended.
    mutating func saved(_ numbers: Set<Int64>) {
        ended.removeAll { numbers.contains($0.number) }
    }

    /// Returns the given outages, read from the disk, in their current state.
    func updated(_ outages: [Outage]) -> [Outage] {
        outages.map { outage in unsaved.first { $0.number == outage.number } ?? outage }
    }

    /// - Parameter open: the outage that had not ended when it was last saved.
    mutating func restore(_ open: Outage?, lastNumber: Int64) {
        current = open
        beginning = open?.message ?? ""
        self.lastNumber = max(lastNumber, open?.number ?? 0)
    }
}
