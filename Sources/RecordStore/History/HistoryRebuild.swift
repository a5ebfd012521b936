import GRDB
import Glibc

/// Replaces a damaged history table with a new table that contains all readable rows.
///
///     let count = try HistoryRebuild(of: .notice, in: pool, onProgress: report).run()
///
/// The time is proportional to the size of the table. The rows are copied in pieces, and progress is reported after
/// each piece. The whole rebuild is one transaction: if the rebuild fails or the process is killed, the damaged table
/// stays in place, and the log still has room for other commits.
///
/// The pages of the old table and its indexes are not freed, because a damaged page may point at pages of other tables.
/// They stay in the file, unused, until `iprecordd --recover` writes a new file.
struct HistoryRebuild {
    /// The rows of one piece, and the reason why reading stopped, which is nil if there may be more rows.
    private typealias Piece = (rows: [[DatabaseValue]], end: End?)

    private enum End { case ofTable, atDamage }

    private let table: HistoryTable
    private let pool: DatabasePool
    private let onProgress: () -> Void
    /// The name of the new table until it is complete.
    private let copy: String

    /// The number of rows that are copied between two reports of progress; copying them takes some milliseconds.
    private static let rowsPerPiece = 4_000

    /// - Parameter onProgress: called on any thread after each piece.
    init(of table: HistoryTable, in pool: DatabasePool, onProgress: @escaping () -> Void) {
        self.table = table
        self.pool = pool
        self.onProgress = onProgress
        copy = "\(table.rawValue)_rebuilt"
    }

    /// - Returns: the number of rows in the new table.
    func run() throws -> Int {
        let count = try pool.write { database in
            try database.execute(sql: table.definition(name: copy))
            let places = try database.columns(in: copy).map { _ in "?" }.joined(separator: ", ")
            var count = try insertRows(of: table, "INSERT OR IGNORE INTO \(copy) VALUES (\(places))", in: database)
            if table == .notice { count += try restoreEvents(in: database) }
            try requireRoom(in: database)
            try replaceTable(count, in: database)
            return count
        }
        onProgress()
        // Move the log into the database now; otherwise the next commit would have to do so. If this fails, SQLite
        // tries again at each commit.
        _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.passive) }
        return count
    }

    // MARK: Copying

    /// Runs a statement with the values of each row that can be read from either end of a table, up to a damaged page.
    ///
    /// - Returns: the number of rows that the statement inserted; the table rejects damaged rows.
    private func insertRows(of source: HistoryTable, _ statement: String, in database: Database) throws -> Int {
        var count = 0
        for order in ["ASC", "DESC"] {
            // Use a connection other than the writer's: once a transaction has encountered a damaged page, SQLite
            // refuses all further writes in that transaction.
            let end = try pool.unsafeRead { reader in
                let rows = try Row.fetchCursor(reader, sql: source.query(order: order))
                while true {
                    let piece = try Self.nextPiece(of: rows)
                    count += try Self.insert(piece.rows, statement, in: database)
                    onProgress()
                    if let end = piece.end { return end }
                }
            }
            if end == .ofTable { break }
        }
        return count
    }

    private static func nextPiece(of rows: RowCursor) throws -> Piece {
        var piece: Piece = ([], nil)
        do {
            while piece.rows.count < rowsPerPiece {
                guard let row = try rows.next() else { return (piece.rows, .ofTable) }
                piece.rows.append(Array(row.databaseValues))
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
            piece.end = .atDamage
        }
        return piece
    }

    private static func insert(_ rows: [[DatabaseValue]], _ sql: String, in database: Database) throws -> Int {
        let statement = try database.makeStatement(sql: sql)
        var count = 0
        for row in rows {
            do {
                try statement.execute(arguments: StatementArguments(row))
                count += database.changesCount
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CONSTRAINT {
                continue
            }
        }
        return count
    }

    /// Restores lost events from the changes of the same time, which contain the same data. Otherwise these changes
    /// would never expire, because changes are deleted along with their events.
    private func restoreEvents(in database: Database) throws -> Int {
        let statement = """
            INSERT OR IGNORE INTO \(copy) SELECT ?2, ?3, 'changed', ?1, ?4, NULL, NULL, NULL
              WHERE ?2 BETWEEN 1 AND (SELECT value FROM meta WHERE name = 'last_seq')
            """
        return try insertRows(of: .change, statement, in: database)
    }

    // MARK: Replacing

    private func replaceTable(_ count: Int, in database: Database) throws {
        try Schema.detach(table.rawValue, in: database)
        try database.execute(sql: "ALTER TABLE \(copy) RENAME TO \(table.rawValue)")
        // Creating the index is fast, because there are few outages, and few events of host names.
        if let index = table.index { try database.execute(sql: index) }
        if table == .change { try Meta.changes.set(Int64(count), in: database) }
    }

    /// Throws SQLITE_FULL if the file system has no room for the pages that the copy adds to the file. These pages are
    /// already in the log. If they were committed and could not be moved into the file, the log could never be reused,
    /// and no later commit would have room.
    private func requireRoom(in database: Database) throws {
        let pages = try Int.fetchOne(database, sql: "PRAGMA page_count") ?? 0
        let pageBytes = try Int.fetchOne(database, sql: "PRAGMA page_size") ?? 0
        // If the sizes are unknown, the commit itself shows whether there is room.
        guard let size = DiskSpace.size(of: pool.path), let available = DiskSpace.availableBytes(at: pool.path) else {
            return
        }
        if pages * pageBytes - size + DiskSpace.reserveBytes > available {
            throw DatabaseError(resultCode: .SQLITE_FULL, message: "not enough disk space for the rebuilt table")
        }
    }
}
