import PostgreSQL

/// Codes of the server, from "PostgreSQL Error Codes".
extension SQLState {
    /// A function such as pg_current_wal_lsn() cannot run on a standby.
    static let recoveryInProgress = SQLState("55000")
    static let undefinedTable = SQLState("42P01")
    static let undefinedSchema = SQLState("3F000")
}
