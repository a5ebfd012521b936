package import Fleet
package import PostgreSQL

/// Reading the tables in portions, all from one snapshot: `openSnapshot`, then `page` until all tables are read, then
/// `closeSnapshot`, on one connection.
///
/// These are the only operations that leave a transaction open. It locks no rows, and delays only the removal of old
/// row versions and migrations of the schema. The server ends the session if it waits longer than a minute for the next
/// portion.
extension FleetOperation where Reply == SnapshotHead {
    /// Begins a snapshot and reads everything but the tables of the current state.
    ///
    /// - Parameters:
    ///   - ids: the proposals whose outcomes are read.
    ///   - recent: the maximum number of the last rows of the journal whose ids are read.
    package static func openSnapshot(
        outcomesOf ids: [UniqueID], recent: Int, in fleet: FleetKey
    ) throws(FleetStoreError) -> Self {
        var script = FleetScript(text: "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
        script.append("SET LOCAL idle_in_transaction_session_timeout = '1min'")
        let arguments: [SQLArgument] = [.integer(fleet.number), .integer(Int64(recent)), .ids(ids)]
        try script.select("* FROM iprecord.fleet WHERE id = $1", arguments)
        script.append("SELECT * FROM iprecord.server()")
        try script.select(
            """
            * FROM (SELECT seq, id FROM iprecord.journal WHERE fleet = $1 ORDER BY seq DESC LIMIT $2) AS j
            ORDER BY seq
            """, arguments)
        try script.select(
            """
            id, reply FROM iprecord.outcome
            WHERE fleet = $1 AND id = ANY ($3) AND reply IS NOT NULL ORDER BY seq, position
            """, arguments)
        try script.select("* FROM iprecord.incarnation_start WHERE fleet = $1 ORDER BY seq", arguments)
        return Self(script, isWriting: false) { (results) throws(FleetStoreError) in
            var starts: [IncarnationStart] = []
            for row in try results.rows(4) { starts.append(try row.incarnationStart()) }
            var recent: [JournalCursor] = []
            for row in try results.rows(2) { recent.append(try row.cursor()) }
            var outcomes: [ProposalOutcome] = []
            for row in try results.rows(3) { outcomes.append(try row.outcome()) }
            return SnapshotHead(
                server: try results.row(1).server(), fleet: try results.row(0).fleet(), recent: recent,
                starts: starts, outcomes: outcomes)
        }
    }
}

extension FleetOperation where Reply == [[SQLValue]] {
    /// Reads rows of a table in the order of their keys, without the column `fleet`. Has the columns of
    /// ``StateTable/columnNames``; values of the types uuid and text[] are text.
    ///
    /// - Parameters:
    ///   - last: the last row of the page before it; nil for the first page.
    ///   - limit: the maximum number of rows; fewer mean that there are no more.
    package static func page(
        of table: StateTable, after last: [SQLValue]?, limit: Int, in fleet: FleetKey
    ) throws(FleetStoreError) -> Self {
        let key = table.key.joined(separator: ", ")
        var condition = "fleet = \(fleet.number)"
        if let last {
            var values: [String] = []
            do throws(PostgreSQLError) {
                for value in last.prefix(table.key.count) { values.append(try value.literal()) }
            } catch {
                throw FleetStoreError(error)
            }
            condition += " AND (\(key)) > (\(values.joined(separator: ", ")))"
        }
        let columns = table.columnNames.joined(separator: ", ")
        let script = FleetScript(
            text: "SELECT \(columns) FROM \(table.name) WHERE \(condition) ORDER BY \(key) LIMIT \(limit)")
        return Self(script, isWriting: false) { (results) throws(FleetStoreError) in try results.rows(0).map(\.values) }
    }
}

extension FleetOperation where Reply == Void {
    /// Ends a snapshot, also after an error.
    package static func closeSnapshot() -> Self {
        Self(FleetScript(text: "ROLLBACK"), isWriting: false) { (_) throws(FleetStoreError) in }
    }
}
