import Dispatch
import GRDB
package import RecordKeeping
import Synchronization

extension Store {
    /// Writes a commit in one transaction, after all earlier commits.
    ///
    /// - Parameters:
    ///   - bootID: the id of the current boot, which is stored with each instant.
    ///   - done: called once on the store's queue, when the commit is on disk or is certain to have no effect.
    package func commit(
        _ commit: Commit, bootID: String, done: @escaping @Sendable (Result<Void, StoreError>) -> Void
    ) {
        writer.async { [self] in
            done(
                result {
                    try repairingHistory(onProgress: callBackAfterProgress) { try write(commit, bootID: bootID) }
                })
        }
    }

    /// The query for the addresses with expired changes, which are those up to a given seq.
    static let expiredAddresses =
        "SELECT DISTINCT address FROM notice WHERE seq <= ? AND address IS NOT NULL AND fields IS NOT NULL"
    /// The statement that deletes an address's changes up to a seq.
    static let forgetChanges = "DELETE FROM change WHERE address = ? AND seq <= ?"

    private func write(_ commit: Commit, bootID: String) throws {
        let count = changes.load(ordering: .relaxed)
        let changed = try sharedTables.withLock { tables in
            do {
                let changed = try pool.write { database in
                    if tables.hasFailed { try Self.writePage(in: database) }
                    try Self.sweep("place", &tables.places, in: database)
                    try Self.sweep("network", &tables.networks, in: database)
                    var transaction = try Transaction(database, bootID: bootID)
                    for write in commit.writes { try transaction.apply(write, &tables) }
                    try transaction.finish(changesBefore: count)
                    return transaction.changes
                }
                tables.committed()
                return changed
            } catch {
                tables.rolledBack()
                throw error
            }
        }
        changes.store(max(0, count + changed), ordering: .relaxed)
    }

    /// Writes a page even if its content stays the same. After a failure, the core saves its state again to find out
    /// whether the database is writable. If the state had not changed, SQLite would write nothing, and the commit would
    /// succeed on a full disk.
    private static func writePage(in database: Database) throws {
        let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        try database.execute(sql: "PRAGMA user_version = \(version)")
    }

    /// Deletes the rows of shared values to which no record refers, if there may be many of them. If the transaction
    /// fails, these rows stay, and the next sweep deletes them.
    private static func sweep<Value: Internable>(
        _ table: String, _ rows: inout SharedRows<Value>, in database: Database
    ) throws {
        guard rows.needsSweep else { return }
        rows.swept(
            try Int64.fetchSet(
                database,
                sql: """
                    DELETE FROM \(table)
                    WHERE id NOT IN (SELECT \(table) FROM record WHERE \(table) IS NOT NULL) RETURNING id
                    """))
    }
}

extension Store {
    /// Calls `done` on any queue when the commits requested so far have ended, or earlier if the rebuild of a damaged
    /// history table has made progress.
    ///
    /// If the disk hangs, `done` is not called.
    package func afterProgress(_ done: @escaping @Sendable () -> Void) {
        progressCallbacks.withLock { $0.append(done) }
        writer.async { [self] in callBackAfterProgress() }
    }

    private func callBackAfterProgress() {
        let callbacks = progressCallbacks.withLock { callbacks in
            defer { callbacks = [] }
            return callbacks
        }
        for callback in callbacks { callback() }
    }
}
