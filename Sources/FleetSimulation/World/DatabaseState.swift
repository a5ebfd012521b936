import Fleet

/// The contents of the simulated database.
struct DatabaseState {
    var fleet: FleetRow
    /// The rows of the nodes, by id.
    var nodes: [NodeRow] = []
    var journal: [JournalRow] = []
    /// The ids of all rows, swept ones included, for the checks.
    var ids: [UniqueID] = []
    /// The first row of each incarnation, swept ones included.
    var starts: [IncarnationStart] = []
    /// The last row before the oldest one in `journal`.
    var swept = JournalCursor.start
    var proposals: [Proposal] = []
    var outcomes: [UniqueID: StoredOutcome] = [:]
    /// The commits that were not made and never will be: the numbers of their rows, by id.
    var operations: [UniqueID: Int64] = [:]
    var model: ModelState

    /// The outcome of a proposal.
    struct StoredOutcome {
        /// The number of the row with its changes, or of the next row after its withdrawal.
        let seq: Int64
        /// Nil if the proposal was withdrawn.
        let reply: [UInt8]?
    }

    init(server: ServerID, incarnation: Incarnation, model: ModelState) {
        (fleet, self.model) = (FleetRow(server: server), model)
        fleet.incarnation = incarnation
    }

    var last: JournalCursor { journal.last?.cursor ?? swept }

    /// Returns the row with a number; nil if it was swept or does not exist.
    func row(_ seq: Int64) -> JournalRow? {
        guard let first = journal.first?.seq, seq >= first, seq - first < journal.count else { return nil }
        return journal[Int(seq - first)]
    }

    /// Returns the id of the row with a number, as a cursor names it.
    func id(of seq: Int64) -> UniqueID? {
        if seq == 0, swept == .start { return JournalCursor.start.id }
        return row(seq)?.id
    }

    func nodeIndex(_ id: NodeID) -> Int? { nodes.firstIndex { $0.id == id } }
}
