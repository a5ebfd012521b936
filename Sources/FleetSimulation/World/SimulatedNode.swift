import Fleet
import RecordKeeping
import Simulation

/// A simulated machine with a node: its clock, its disk, its process and its connections.
struct SimulatedNode {
    /// The contents of the state directory.
    struct Disk {
        var cursor = JournalCursor.start
        var recent: [JournalCursor] = []
        var starts: [IncarnationStart] = []
        var cursorIncarnation = Incarnation.none
        var incarnation = Incarnation.none
        var state: ModelState
        /// The times of the records on the machine's clock.
        var times: [OwnTimeBounds?]
    }

    /// A run of the daemon.
    struct Process {
        let number: Int
        let startedAt: Moment
        var member: Member
        var core: ModelCore
        /// The number of the last timer, and of the core's.
        var timer = 0
        var coreTimer = 0
        var coreTimerAt: BootTime?
        /// The queries that have not been sent and must not be.
        var cancelled: Set<FleetQuery.ID> = []
        /// The last term that the process led.
        var term: Int64 = 0
        /// The incarnation of that term, and whether the process no longer leads it.
        var termIncarnation = Incarnation.none
        var isTermOver = false
        var isStopped = false
        /// The last row that was passed to the local store.
        var passed: JournalCursor
        /// The lost rows that an alert has named while the snapshot that replaces them is being stored.
        var named: ClosedRange<Int64>?
        /// Whether `.callsStopped` is awaited.
        var awaitsStop = false
    }

    let id: NodeID
    let machine: String
    /// Whether the node is a copy that exists only for a while.
    let isClone: Bool
    var clock: NodeClock
    var disk: Disk
    var process: Process?
    /// The node does nothing until this moment.
    var frozenUntil = Moment.start
    var lastHiddenPause = Moment(nanoseconds: -1_000_000_000_000)
    /// Messages are lost until these moments.
    var toDatabase = Moment.start
    var fromDatabase = Moment.start
    var toProvider = Moment.start
    var fromProvider = Moment.start
    var noRouteUntil = Moment.start
    var slowUntil = Moment.start
    /// Queries on the connections for writes, and their replies, arrive at these moments.
    var writesStallUntil = Moment.start
    var repliesStallUntil = Moment.start
    var pollsStallUntil = Moment.start
    var beatsStallUntil = Moment.start
    /// Writing queries that are sent before a moment arrive later.
    var delayedWrites = (until: Moment.start, by: Duration.zero)
    /// Rows are stored at this moment.
    var diskStallsUntil = Moment.start
    /// A snapshot is read until this moment.
    var snapshotUntil = Moment.start

    init(id: NodeID, machine: String, isClone: Bool, clock: NodeClock, disk: Disk) {
        (self.id, self.machine, self.isClone, self.clock, self.disk) = (id, machine, isClone, clock, disk)
    }

    func isFrozen(at moment: Moment) -> Bool { moment < frozenUntil }

    /// The time since which the node has had no fault; nil if it has one.
    func healthySince(at moment: Moment) -> Moment? {
        guard let process, !process.isStopped else { return nil }
        // A query that was lost or is slow occupies its lane until its time limit.
        let lanesFree = [
            toDatabase, fromDatabase, slowUntil, writesStallUntil, repliesStallUntil, pollsStallUntil,
            beatsStallUntil, delayedWrites.until, diskStallsUntil,
        ].map { $0 + FleetLimits.query * 2 }
        let since = ([process.startedAt, frozenUntil, noRouteUntil, snapshotUntil] + lanesFree).max() ?? moment
        return since <= moment ? since : nil
    }
}
