import RecordKeeping

/// A fault, or a request of a client.
package enum FleetAct: Hashable, Sendable {
    /// The node that a fault concerns.
    package enum Target: Hashable, Sendable {
        case node(Int)
        /// The node that leads at that moment.
        case leader
    }

    /// The direction in which messages are lost.
    package enum Direction: CaseIterable, Hashable, Sendable { case there, back, both }

    case crash(Target, down: Duration)
    /// The node does nothing for a while. If the pause is hidden, its boot clock stands still.
    case freeze(Target, Duration, isHidden: Bool)
    case cutDatabase(Target, Direction, Duration)
    case cutProvider(Target, Direction, Duration)
    case loseRoute(Target, Duration)
    /// The queries of the node, and their replies, take seconds.
    case slowQueries(Target, Duration)
    /// The connections for heartbeats and commits stall: queries or replies on them arrive at the end. The third one,
    /// for polls, works.
    case stallConnections(Target, Direction, Duration)
    /// Heartbeats that are sent until the end arrive at the end.
    case stallBeats(Target, Duration)
    /// Polls that are sent until the end arrive at the end.
    case stallPolls(Target, Duration)
    /// Writing queries that are sent within the first time arrive later by the second one.
    case delayWrites(Target, Duration, by: Duration)
    /// Rows that are to be stored locally until the end are stored at the end.
    case slowDisk(Target, Duration)
    case databaseDown(Duration)
    case promote(down: Duration)
    case standbyLags(Duration)
    /// The leader and the primary fail at the same time.
    case siteFails(down: Duration)
    case backUp
    case restore(down: Duration, asOtherSystem: Bool)
    /// The next commit stays open for this time, because the server waits for the client.
    case stallCommit(Duration)
    /// A copy of the node's state starts, on the same machine or on another.
    case cloneState(Target, isSameMachine: Bool, Duration)
    case providerFails(Duration)
    case stepDatabaseClock(Duration)
    /// A client asks a node for a change of the watch list.
    case change(node: Int, isAddition: Bool, address: Int, timeLimit: Duration)

    /// A name for the coverage.
    var name: String {
        switch self {
        case .crash(.leader, _): "crash of the leader"
        case .crash: "crash"
        case .freeze(_, _, isHidden: true): "hidden freeze"
        case .freeze: "freeze"
        case .cutDatabase(_, .both, _): "cut off from the database"
        case .cutDatabase(_, .there, _): "requests to the database lost"
        case .cutDatabase(_, .back, _): "replies of the database lost"
        case .cutProvider(_, .both, _): "cut off from the provider"
        case .cutProvider(_, .there, _): "requests to the provider lost"
        case .cutProvider(_, .back, _): "replies of the provider lost"
        case .loseRoute: "route lost"
        case .slowQueries: "slow queries"
        case .stallConnections(_, .back, _): "replies to writes stall"
        case .stallConnections: "writes stall"
        case .stallBeats: "heartbeats stall"
        case .stallPolls: "polls stall"
        case .delayWrites: "writes delayed"
        case .slowDisk: "slow disk"
        case .databaseDown: "database down"
        case .promote: "promotion"
        case .standbyLags: "standby lags"
        case .siteFails: "the leader fails with the database"
        case .backUp: "backup"
        case .restore: "restore"
        case .stallCommit: "commit stalls"
        case .cloneState(_, isSameMachine: true, _): "state copied on the same machine"
        case .cloneState: "state copied to another machine"
        case .providerFails: "provider fails"
        case .stepDatabaseClock: "clock of the database steps"
        case .change: "change requested"
        }
    }
}
