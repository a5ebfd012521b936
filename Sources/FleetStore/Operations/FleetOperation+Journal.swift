package import Fleet
import PostgreSQL
package import RecordKeeping

/// The journal and proposals.
extension FleetOperation where Reply == Void {
    /// Inserts a row of the journal under the fence, stores the outcomes of proposals, deletes these proposals, and
    /// applies the changes of the commit to the tables of the current state.
    ///
    /// Fails with `operationKnown`, `numberTaken`, `predecessorDiffers` or `outcomesKnown` without an effect.
    package static func append(
        _ row: JournalRow, _ writes: [Commit.Write] = [], behind fence: Fence, in fleet: FleetKey
    ) throws(FleetStoreError) -> Self {
        var script = FleetScript(.readCommitted)
        script.limitLockWait(to: lockWait)
        try script.call(
            "append",
            fence.arguments(fleet) + [
                .integer(row.seq), .id(row.id), .id(row.previous), .integer(row.clock.nanoseconds),
                .integer(Int64(row.encoding)), .bytes(row.body), .ids(row.outcomes.map(\.id)),
                .byteArrays(row.outcomes.map(\.reply)),
            ])
        for statement in try StateChanges(writes, of: row, in: fleet).statements { script.append(statement) }
        return Self(script) { (_) throws(FleetStoreError) in }
    }

    /// Sends a notification to all sessions that listen on the fleet's channel. In a transaction of its own, because
    /// the server handles transactions with notifications one at a time.
    package static func notify(in fleet: FleetKey) -> Self {
        var script = FleetScript(.readCommitted)
        script.append("NOTIFY \(fleet.channel)")
        return Self(script, isWriting: false) { (_) throws(FleetStoreError) in }
    }

    /// Listens on the fleet's channel until the session ends. The only operation that depends on a session, so it does
    /// not work behind a pooler in transaction mode.
    package static func listen(in fleet: FleetKey) -> Self {
        var script = FleetScript(.readCommitted)
        script.append("LISTEN \(fleet.channel)")
        return Self(script, isWriting: false) { (_) throws(FleetStoreError) in }
    }
}

extension FleetKey {
    /// The channel of notifications. It contains only letters, digits and an underscore.
    package var channel: String { "iprecord_\(number)" }
}

extension FleetOperation where Reply == Bool {
    /// Inserts the proposals whose ids are unknown and have no outcome, if the incarnation and the server are still
    /// those of the row. The reply is whether the condition held.
    package static func propose(
        _ proposals: [Proposal], incarnation: Incarnation, in fleet: FleetKey
    ) throws(FleetStoreError) -> Self {
        var script = FleetScript(.readCommitted)
        script.limitLockWait(to: lockWait)
        try script.call(
            "propose",
            [
                .integer(fleet.number), .integer(incarnation.number), .id(incarnation.id), .ids(proposals.map(\.id)),
                .texts(proposals.map(\.node.text)), .integers(proposals.map { Int64($0.user) }),
                .byteArrays(proposals.map(\.body)),
            ])
        return Self(script) { (results) throws(FleetStoreError) in try results.bool(0) }
    }
}

extension FleetOperation where Reply == [UniqueID] {
    /// For each id without an outcome, stores the outcome "withdrawn" and deletes the proposal. The reply has the ids
    /// that are withdrawn now; the others have an outcome in the journal.
    package static func withdraw(_ ids: [UniqueID], in fleet: FleetKey) throws(FleetStoreError) -> Self {
        var script = FleetScript(.readCommitted)
        script.limitLockWait(to: lockWait)
        try script.call("withdraw", [.integer(fleet.number), .ids(ids)])
        return Self(script) { (results) throws(FleetStoreError) in
            var withdrawn: [UniqueID] = []
            for row in try results.rows(0) { withdrawn.append(try row.id("withdraw")) }
            return withdrawn
        }
    }
}

extension FleetOperation where Reply == Int {
    /// Deletes old rows under the fence. The reply is the number of deleted rows: 0 once there is nothing to delete.
    package static func sweep(
        _ sweep: Sweep, behind fence: Fence, in fleet: FleetKey
    ) throws(FleetStoreError) -> Self {
        var script = FleetScript(.readCommitted)
        script.limitLockWait(to: lockWait)
        try script.call(
            "sweep",
            fence.arguments(fleet) + [
                .integer(sweep.journal.seq), .id(sweep.journal.id), .integer(sweep.outcomes), .integer(sweep.history),
                .integer(Int64(sweep.limit)),
            ])
        return Self(script) { (results) throws(FleetStoreError) in Int(try results.row(0).integer("sweep")) }
    }
}

extension FleetOperation where Reply == PollReply {
    /// Reads the fleet's row, the id of the cursor's row, and the rows after it, all from one snapshot.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of rows.
    ///   - byteLimit: the number of bytes after which no further row is read, so that large rows do not fill memory.
    package static func poll(
        after cursor: JournalCursor, limit: Int, byteLimit: Int = 16 << 20, withProposals: Bool, in fleet: FleetKey
    ) throws(FleetStoreError) -> Self {
        var script = FleetScript(.snapshot)
        let arguments: [SQLArgument] = [
            .integer(fleet.number), .integer(cursor.seq), .integer(Int64(limit)), .integer(Int64(byteLimit)),
        ]
        try script.select("*, iprecord.now_ms() AS read_at FROM iprecord.fleet WHERE id = $1", arguments)
        script.append("SELECT * FROM iprecord.server()")
        try script.select(
            """
            (SELECT id FROM iprecord.journal WHERE fleet = $1 AND seq = $2) AS cursor_id,
              (SELECT min(seq) FROM iprecord.journal WHERE fleet = $1) AS first_seq
            """, arguments)
        try script.select(
            "seq, id, incarnation FROM iprecord.journal WHERE fleet = $1 ORDER BY seq DESC LIMIT 1", arguments)
        try script.select(
            """
            * FROM (
              SELECT *, sum(length(body)) OVER (ORDER BY seq) - length(body) AS bytes_before
              FROM (
                SELECT * FROM iprecord.journal WHERE fleet = $1 AND seq > $2 ORDER BY seq LIMIT $3
              ) AS page
            ) AS counted WHERE bytes_before < $4 ORDER BY seq
            """, arguments)
        try script.select(
            """
            seq, id, reply FROM iprecord.outcome
            WHERE fleet = $1 AND reply IS NOT NULL AND seq IN (
              SELECT seq FROM iprecord.journal WHERE fleet = $1 AND seq > $2 ORDER BY seq LIMIT $3)
            ORDER BY seq, position
            """, arguments)
        if withProposals {
            try script.select(
                """
                * FROM iprecord.proposal AS p
                WHERE p.fleet = $1
                  AND NOT EXISTS (SELECT FROM iprecord.outcome AS o WHERE o.fleet = $1 AND o.id = p.id)
                ORDER BY p.number LIMIT $3
                """, arguments)
        }
        return Self(script, isWriting: false) { (results) throws(FleetStoreError) in
            try PollReply(results, cursor: cursor, withProposals: withProposals)
        }
    }
}

extension PollReply {
    fileprivate init(
        _ results: FleetResults, cursor: JournalCursor, withProposals: Bool
    ) throws(FleetStoreError) {
        let fleet = try results.row(0)
        let position = try results.row(2)
        let last = try results.rows(3).first
        var outcomes: [Int64: [ProposalOutcome]] = [:]
        for row in try results.rows(5) { outcomes[try row.integer("seq"), default: []].append(try row.outcome()) }
        var rows: [JournalRow] = []
        for row in try results.rows(4) { rows.append(try row.journalRow(outcomes)) }
        var proposals: [Proposal] = []
        if withProposals {
            for row in try results.rows(6) { proposals.append(try row.proposal()) }
        }
        let first = try position.optionalInteger("first_seq") ?? 1
        // The start precedes the first row, unless that one was swept.
        let isStart = cursor == .start && first == 1
        self.init(
            server: try results.row(1).server(), fleet: try fleet.fleet(),
            cursorID: isStart ? cursor.id : try position.optionalID("cursor_id"), rows: rows, first: first,
            last: try last?.cursor() ?? .start, lastIncarnation: try last?.integer("incarnation") ?? 0,
            proposals: proposals, readAt: WallTime(milliseconds: try fleet.integer("read_at")))
    }
}
