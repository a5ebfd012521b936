/// The durations and bounds of the fleet protocol, each with the reason for its value.
///
/// Clock rates may differ by less than 12:8. A lease therefore ends before the silence that permits a takeover: 6 s on
/// the slowest clock take as long as 9 s on the fastest.
package enum FleetLimits {
    /// Time between heartbeats of a node and of the leader: three per lease.
    package static let beatInterval = Duration.seconds(2)
    /// Time for which the leader leads, counted from before it sent its last successful heartbeat.
    package static let lease = Duration.seconds(6)
    /// Time for which a heartbeat must stay unchanged before a takeover, counted from the reply that first showed it.
    package static let silence = Duration.seconds(9)
    /// The same for a node without a route to the provider, so that a node with a route takes over first.
    package static let silenceWithoutRoute = Duration.seconds(15)
    /// Maximum time between two successful reads of a silence. If it was longer, the database may have been unreachable
    /// for the leader as well.
    package static let maxReadGap = Duration.seconds(3)
    /// Time between reads of the journal.
    package static let pollInterval = Duration.seconds(1)
    /// Time for which the leader may send calls, counted from before it sent its last successful request.
    package static let callPermission = Duration.seconds(2)
    /// Time after which the leader stops its heartbeats if a commit is unanswered.
    package static let unansweredCommit = Duration.seconds(6)
    /// Time limit of all queries but snapshots. A longer one would not help: a lease is over after 6 s.
    package static let query = Duration.seconds(5)
    /// Time for which a query waits for a lock: less than its time limit, so that the server gives up before the node.
    package static let lockWait = Duration.seconds(4)
    /// Time for which a takeover or a change of the incarnation waits for open transactions of the leader. After that,
    /// those that wait for their client are terminated.
    package static let takeoverWait = Duration.seconds(2)
    /// Time limit of a snapshot: a million rows over a slow network.
    package static let snapshot = Duration.seconds(600)
    /// Time between attempts of a query that failed.
    package static let retry = Duration.milliseconds(500)
    /// Time that a new leader has to apply the journal. After that, it stops its heartbeats, and another takes over.
    package static let assuming = Duration.seconds(20)
    /// Time of failing calls after which a leader hands over.
    package static let failingCalls = Duration.seconds(60)
    /// Minimum time between notifications of one node. More would slow the commits of the whole server.
    package static let notifyGap = Duration.milliseconds(100)
    /// Time for which a client's request waits for its outcome after its time limit, before the outcome counts as
    /// unknown.
    package static let outcomeWait = Duration.seconds(10)
    /// The factor between the durations of the slowest and of the fastest clock.
    package static let clockRatio = 1.5
    /// The same for records and quota windows, whose clocks are assumed to be correct within 0.1 %.
    package static let clockDrift = 0.001
    /// Rows of one poll: a few megabytes at most.
    package static let maxRowsPerPoll = 500
    /// Bytes of the requests that one query proposes, unless a single one is larger: the text of a query doubles them.
    package static let maxProposedBytes = 8 << 20
    /// Requests of one node that wait for their outcome.
    package static let maxRequestsPerNode = 1_000
    /// Requests of one user of a node that wait for their outcome.
    package static let maxRequestsPerUser = 100
    /// Time for which journal rows are kept: a node that was offline longer reads a snapshot.
    package static let journalRetention = Duration.seconds(3_600)
    /// Rows of each table that one sweep deletes.
    package static let rowsPerSweep = 10_000
    /// Time between sweeps.
    package static let sweepInterval = Duration.seconds(60)
    /// Time for which the outcomes of proposals are kept. A proposal that arrives later than that is run again.
    package static let outcomeRetention = Duration.seconds(86_400)
    /// Row ids that a node remembers to name the numbers of lost commits.
    package static let rememberedRows = 1_000
    /// Terms whose clocks a node remembers. Records of earlier terms have expired.
    package static let maxRememberedTerms = 64
}
