import RecordKeeping

extension Simulation {
    /// One process of the daemon, from startup to exit.
    struct ProcessRun {
        let number: Int
        let since: Moment
        var keeper: Keeper
        /// The version of the local databases that the process uses; nil if it uses none.
        var data: DataVersion?
        /// The number of the current timer; earlier timers have been replaced.
        var timer = 0
        /// The earliest time at which the current timer fires; nil if it has fired.
        var deadline: BootTime?
        /// Commits that have neither succeeded nor failed yet, each with the time at which the core made it.
        var commits: [Commit.ID: Moment] = [:]
        /// The requests without a final reply.
        var requests: [Request.ID: Request] = [:]
        var lookups = CountedLookups()
        /// Calls in flight.
        var calls: Set<Call.ID> = []
        /// The recent single calls, from the first to the last, each with the time at which it was sent.
        var singleCalls: [(isRefresh: Bool, sentAt: Moment)] = []
        /// The quotas in the replies that are on their way to the daemon.
        var reports: [Call.ID: AnnouncedQuota.Report] = [:]
        /// Requests that are delayed in the network. Each request arrives soon after its call has been abandoned.
        var stuck: [Call.ID: SimulatedEvent] = [:]
        var connections: [Int: SimulatedConnection] = [:]
        var isStopping = false
        /// Whether the last commit whose result has reached the daemon failed.
        var isDiskFailing = false
        /// Whether a resolution of the provider's name is in progress.
        var isResolving = false
        /// The watched names that are being resolved.
        var resolvedNames: Set<HostName> = []
        /// The last reply about each watched name, unless a commit has failed since then.
        var nameReplies: [HostName: SimulatedResolver.Reply] = [:]
        /// The beginning of the last resolution.
        var resolvedAt: BootTime?
        /// Whether the daemon has declared that there is no route.
        var isOffline = false
    }
}
