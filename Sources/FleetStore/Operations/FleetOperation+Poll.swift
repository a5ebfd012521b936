package import Fleet
import RecordKeeping

/// Following the journal.
extension FleetOperation where Reply == PollReply {
    /// Reads the fleet's row, the id of the cursor's row, and the rows after it, all from one snapshot.
    ///
    /// - Parameters:
    ///   - limit: the maximum number of rows, and of proposals.
    ///   - byteLimit: the number of bytes after which no further row, and no further proposal, is read, so that large
    ///     ones do not fill memory. The outcomes of a row count as well.
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
        try script.select("* FROM \(page) ORDER BY seq", arguments)
        try script.select(
            """
            seq, id, reply FROM iprecord.outcome
            WHERE fleet = $1 AND reply IS NOT NULL AND seq IN (SELECT seq FROM \(page)) ORDER BY seq, position
            """, arguments)
        if withProposals {
            try script.select(
                """
                * FROM (
                  SELECT *, sum(length(body)) OVER (ORDER BY number) - length(body) AS bytes_before
                  FROM (
                    SELECT * FROM iprecord.proposal AS p
                    WHERE p.fleet = $1
                      AND NOT EXISTS (SELECT FROM iprecord.outcome AS o WHERE o.fleet = $1 AND o.id = p.id)
                    ORDER BY p.number LIMIT $3
                  ) AS first
                ) AS counted WHERE bytes_before < $4 ORDER BY number
                """, arguments)
        }
        return Self(script, isWriting: false) { (results) throws(FleetStoreError) in
            try PollReply(results, cursor: cursor, withProposals: withProposals)
        }
    }

    /// The rows after `$2` within the limits `$3` of rows and `$4` of bytes, but always one if there is one.
    private static var page: String {
        """
        (
          SELECT * FROM (
            SELECT *, sum(bytes) OVER (ORDER BY seq) - bytes AS bytes_before
            FROM (
              SELECT *, length(body) + coalesce((
                  SELECT sum(length(reply)) FROM iprecord.outcome AS o WHERE o.fleet = $1 AND o.seq = j.seq
                ), 0) AS bytes
              FROM iprecord.journal AS j WHERE fleet = $1 AND seq > $2 ORDER BY seq LIMIT $3
            ) AS first
          ) AS counted WHERE bytes_before < $4
        ) AS page
        """
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
        for row in try results.rows(5) { outcomes[try row.counter("seq"), default: []].append(try row.outcome()) }
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
            last: try last?.cursor() ?? .start, lastIncarnation: try last?.counter("incarnation") ?? 0,
            proposals: proposals, readAt: WallTime(milliseconds: try fleet.integer("read_at")))
    }
}
