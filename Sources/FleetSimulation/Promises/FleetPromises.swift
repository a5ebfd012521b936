import Fleet
import RecordKeeping
import Simulation

/// The state of the checks.
struct FleetPromises {
    struct Requested {
        let change: ModelChange
        let timeLimit: Duration
        let at: Moment
        var conclusion: RequestConclusion?
        /// The row that contained the change when it was acknowledged; nil if it was not.
        var acknowledged: UniqueID?
        /// The rows that contain the change.
        var rows: [UniqueID] = []
    }

    private(set) var requests: [Requested] = []
    /// All rows that were ever committed.
    private(set) var rows: [UniqueID: JournalRow] = [:]
    /// The rows that the database has lost.
    private(set) var lost: Set<UniqueID> = []
    /// The rows that the database lacked at some time. A backup can contain some of them.
    private var everLost: Set<UniqueID> = []
    /// The numbers that each node has applied and that are lost, and not yet named by an alert.
    var unnamed: [Int: Set<Int64>] = [:]
    /// All incarnations that were ever begun.
    var incarnations: Set<Incarnation> = []
    /// The incarnations that may begin without another failover: in a restored database, the number may be one that a
    /// node has seen in another history. Each node raises it at most once.
    var outdatedIncarnations = 0
    /// The departures of stray calls.
    var strays: [Moment] = []
    var hiddenPauseUntil = Moment(nanoseconds: -1_000_000_000_000)
    /// The moment at which the leader crashed, if nothing else was wrong.
    var crashOfLeader: Moment?
    /// The time since which no node has led.
    var leaderlessSince: Moment?
    /// The last row at recent checks.
    var ends: [(at: Moment, cursor: JournalCursor)] = []

    mutating func request(isAddition: Bool, address: Int, timeLimit: Duration, at moment: Moment) -> Int {
        let token = requests.count
        let change = ModelChange(kind: isAddition ? .add : .remove, address: address, token: token)
        requests.append(Requested(change: change, timeLimit: timeLimit, at: moment))
        return token
    }

    func change(_ token: Int) -> ModelChange { requests[token].change }

    mutating func committed(_ row: JournalRow, changes: [ModelChange]) {
        rows[row.id] = row
        for change in changes { requests[change.token].rows.append(row.id) }
    }

    mutating func concluded(_ token: Int, _ conclusion: RequestConclusion) {
        requests[token].conclusion = conclusion
        if case .done = conclusion { requests[token].acknowledged = requests[token].rows.last }
    }

    /// - Parameter kept: the rows that the database has. A backup can contain rows that were lost before.
    mutating func lose(_ ids: Set<UniqueID>, keeping kept: Set<UniqueID>) {
        lost.formUnion(ids)
        everLost.formUnion(ids)
        lost.subtract(kept)
    }

    /// Returns the number of the first of a node's rows, up to the last one of a range, that was never lost; nil if
    /// there is none.
    ///
    /// - Parameter last: the last row of the node.
    func firstKept(in range: ClosedRange<Int64>, of last: JournalCursor) -> Int64? {
        var kept: Int64?
        var id = last.id
        while let row = rows[id], row.seq >= range.lowerBound {
            if !everLost.contains(id) { kept = row.seq }
            id = row.previous
        }
        return kept
    }

    mutating func leaderCrashed(at moment: Moment, lastFault: Moment) {
        crashOfLeader = moment - lastFault > .seconds(60) ? moment : nil
    }
}
