import Fleet
import RecordKeeping
import Simulation

/// The simulated PostgreSQL: its contents, its standby and its open transactions.
///
/// A transaction is executed at one moment, except commits of the leader, which hold a lock on the fleet's row until
/// their COMMIT is complete.
struct FleetDatabase {
    /// A commit of the leader between the fence and the end of its COMMIT.
    struct OpenAppend {
        let number: Int
        let row: JournalRow
        /// Whether the server waits for the client, and not for the standby.
        let waitsForClient: Bool
        /// Whether the server waits for the standby. The row is then on its own disk, and so visible after a crash.
        var isFlushed = false
    }

    var state: DatabaseState
    private(set) var server = ServerID(system: 1, timeline: 1)
    let isSynchronous: Bool
    private(set) var isUp = true
    /// A number that changes when all connections break.
    private(set) var connections = 0
    /// The contents of the standby; nil if it has everything.
    private(set) var standby: DatabaseState?
    private var backup: DatabaseState?
    var open: [OpenAppend] = []
    /// Whether the history has changed since the incarnation was raised.
    var hasOtherHistory = false
    private(set) var wasRestored = false
    /// The wall clock's error.
    var wallError = Duration.zero

    init(incarnation: Incarnation, model: ModelState, isSynchronous: Bool) {
        state = DatabaseState(server: server, incarnation: incarnation, model: model)
        self.isSynchronous = isSynchronous
    }

    /// Whether COMMIT waits for the standby.
    var waitsForStandby: Bool { isSynchronous && standby != nil }

    func wallTime(at moment: Moment) -> WallTime {
        WallTime(milliseconds: 1_800_000_000_000 + moment.nanoseconds / 1_000_000 + wallError.wholeMilliseconds)
    }

    mutating func standbyFallsBehind() {
        standby = standby ?? state
    }

    mutating func standbyCatchesUp() {
        standby = nil
    }

    /// Returns the rows that a recovery makes visible.
    mutating func crash() -> [JournalRow] {
        defer { open = [] }
        isUp = false
        connections += 1
        return open.filter(\.isFlushed).map(\.row)
    }

    mutating func start() {
        isUp = true
    }

    mutating func makeBackup() {
        backup = state
    }

    /// Replaces the primary with the standby. Returns the ids of the rows that are lost.
    mutating func promote() -> [UniqueID] {
        replace(by: standby ?? state, server: ServerID(system: server.system, timeline: server.timeline + 1))
    }

    /// Replaces the database with the backup. Returns the ids of the rows that are lost; nil if there is no backup.
    mutating func restore(asOtherSystem isOther: Bool) -> [UniqueID]? {
        guard let backup else { return nil }
        wasRestored = true
        return replace(
            by: backup,
            server: isOther
                ? ServerID(system: server.system + 1, timeline: 1)
                : ServerID(system: server.system, timeline: server.timeline + 1))
    }

    private mutating func replace(by new: DatabaseState, server: ServerID) -> [UniqueID] {
        let common = zip(state.ids, new.ids).prefix { $0 == $1 }.count
        let lost = Array(state.ids[common...])
        (state, self.server, standby, open) = (new, server, nil, [])
        (isUp, hasOtherHistory) = (true, true)
        connections += 1
        return lost
    }
}
