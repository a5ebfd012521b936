/// The server's reply to a request all of whose statements succeeded.
package struct SQLReply: Hashable, Sendable {
    /// The result of one statement.
    package struct StatementResult: Hashable, Sendable {
        /// The names of the columns; empty for a statement that returns no rows.
        package var columns: [String]
        package var rows: [[SQLValue]]

        package init(columns: [String] = [], rows: [[SQLValue]] = []) {
            (self.columns, self.rows) = (columns, rows)
        }
    }

    /// In the order of the statements.
    package var results: [StatementResult]
    /// The warnings of the server that have arrived since the request was sent, at most ``maxWarnings``.
    package var warnings: [ServerMessage]

    /// Limits the memory for warnings. One statement usually causes at most one.
    package static let maxWarnings = 64

    package init(results: [StatementResult] = [], warnings: [ServerMessage] = []) {
        (self.results, self.warnings) = (results, warnings)
    }

    /// The rows of the last statement.
    package var rows: [[SQLValue]] { results.last?.rows ?? [] }
}
