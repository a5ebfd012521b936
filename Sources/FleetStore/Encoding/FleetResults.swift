import PostgreSQL

/// The results of the statements of an operation that return rows.
struct FleetResults {
    private let results: [SQLReply.StatementResult]

    init(_ reply: SQLReply) {
        results = reply.results.filter { !$0.columns.isEmpty }
    }

    /// Returns the rows of a statement; negative indexes count from the end.
    func rows(_ position: Int) throws(FleetStoreError) -> [FleetResultRow] {
        let index = position < 0 ? results.count + position : position
        guard results.indices.contains(index) else {
            throw .unexpectedReply(reason: "expected at least \(index + 1) results, got \(results.count)")
        }
        return results[index].rows.map { FleetResultRow(columns: results[index].columns, values: $0) }
    }

    /// Returns the only row of a statement.
    func row(_ index: Int) throws(FleetStoreError) -> FleetResultRow {
        let rows = try rows(index)
        guard let row = rows.first, rows.count == 1 else {
            throw .unexpectedReply(reason: "expected one row, got \(rows.count)")
        }
        return row
    }

    /// Returns the only value of a statement.
    func bool(_ index: Int) throws(FleetStoreError) -> Bool { try row(index).bool(at: 0) }
}
