import GRDB
import Glibc
import RecordKeeping

extension Backup {
    /// The numbers of rows in a backup.
    package struct Contents: Hashable, Sendable {
        /// The number of watched addresses.
        package var addresses = 0
        package var events = 0
        /// The number of records: 0 in a backup that the daemon made.
        package var records = 0
    }

    /// Reads the whole backup.
    ///
    /// - Throws: `unusableBackup` if it is damaged, cannot be read, is not a database of this program, or has the
    ///   schema of a newer version.
    package func contents() throws(Recovery.Problem) -> Contents {
        func unusable(_ reason: String) -> Recovery.Problem { .unusableBackup(path: path, reason: reason) }
        do {
            return try read { database in
                guard try Int32.fetchOne(database, sql: "PRAGMA application_id") == Schema.applicationID else {
                    throw unusable("it is not an iprecordd database")
                }
                try Schema.requireKnown(database, path: path)
                // A check of the whole file would also report the pages that `HistoryRebuild` leaves behind.
                for table in try String.fetchAll(database, sql: "SELECT name FROM sqlite_master WHERE type = 'table'") {
                    let damage = try String.fetchOne(database, sql: "PRAGMA quick_check(\"\(table)\")")
                    guard damage == "ok" else { throw unusable("it is damaged: \(damage ?? table)") }
                }
                return Contents(
                    addresses: try Int.fetchOne(database, sql: "SELECT count(*) FROM entry") ?? 0,
                    events: try Int.fetchOne(database, sql: "SELECT count(*) FROM notice") ?? 0,
                    records: try Int.fetchOne(database, sql: "SELECT count(*) FROM record") ?? 0)
            }
        } catch let problem as Recovery.Problem {
            throw problem
        } catch StoreError.newer(_, let schema, _) {
            throw unusable("it has schema \(schema) of a newer version of iprecordd")
        } catch let error as DatabaseError {
            throw unusable(error.message ?? "\(error.resultCode)")
        } catch {
            throw unusable("\(error)")
        }
    }

    /// Runs a query of the backup.
    func read<Value>(_ query: (Database) throws -> Value) throws -> Value {
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        let result = Result { try queue.read(query) }
        try queue.close()
        return try result.get()
    }

    /// Copies the backup, and its log if it has one, to a new database file.
    func copy(to path: String) throws(Recovery.Problem) {
        for suffix in ["", "-wal"] where suffix.isEmpty || access(self.path + suffix, F_OK) == 0 {
            let purpose = "copy \(self.path)\(suffix)"
            let source = open(self.path + suffix, O_RDONLY | O_CLOEXEC)
            try Recovery.Problem.check(purpose) { source < 0 ? -1 : 0 }
            defer { close(source) }
            let target = open(path + suffix, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
            try Recovery.Problem.check(purpose) { target < 0 ? -1 : 0 }
            defer { close(target) }
            var count = 1
            while count > 0 {
                // At most this many bytes are copied at once (sendfile(2)).
                count = sendfile(target, source, nil, 0x7FFF_F000)
                try Recovery.Problem.check(purpose) { count < 0 ? -1 : 0 }
            }
        }
    }

    /// A digest of the watch list, the labels of the host names and the history: if it differs from that of the newest
    /// backup, a new backup is necessary.
    ///
    /// Every event has a new seq. The watch list and the labels are compared as well, because not every change to them
    /// has an event.
    struct Fingerprint: Equatable {
        private let lastSeq: Int64?
        private let list: Int
        private let names: Int

        private static let listColumns = [
            "address", "by_client", "by_file", "pinned", "tags", "note", "watched_until", "watched_until_elapsed",
        ]

        init(_ database: Database) throws {
            lastSeq = try Meta.lastSeq.value(in: database)
            list = try Self.digest(of: Self.listColumns, "entry WHERE watched", in: database)
            names = try Self.digest(of: ["name", "tags", "note"], "host_name", in: database)
        }

        /// Returns a digest of rows, regardless of their order.
        ///
        /// - Parameter source: a table and, optionally, a condition.
        private static func digest(of columns: [String], _ source: String, in database: Database) throws -> Int {
            // An old database is backed up before its migration adds the last columns and tables.
            let table = String(source.prefix { $0 != " " })
            guard try database.tableExists(table) else { return 0 }
            let present = Set(try database.columns(in: table).map(\.name))
            let selected = columns.filter(present.contains).joined(separator: ", ")
            let rows = try Row.fetchCursor(database, sql: "SELECT \(selected) FROM \(source)")
            var digest = 0
            while let row = try rows.next() {
                // Hash values differ between processes, but both fingerprints are computed in this process.
                var hasher = Hasher()
                for value in row.databaseValues { hasher.combine(value) }
                digest &+= hasher.finalize()
            }
            return digest
        }
    }
}
