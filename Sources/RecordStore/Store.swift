import Dispatch
import GRDB
import Glibc
package import RecordKeeping
import Synchronization

/// The database: one SQLite file, with one writing queue, synchronous commits, and concurrent readers.
///
///     let store = try Store(path: "/var/lib/iprecord/records.db")
///     let (restored, count, unreadable) = try store.restore(at: now, bootID: bootID) { entries, all in … }
///     store.commit(commit, bootID: bootID) { result in … }
/// Only the pool's writer writes to the database and checkpoints, and no other connection may: SQLite 3.7.0 to 3.51.2
/// can lose commits if two connections do so at the same moment (sqlite.org/wal.html#walresetbug).
///
/// The database is in WAL mode with `synchronous=FULL`, so a commit is on disk when its transaction ends
/// (sqlite.org/wal.html). SQLite checkpoints every thousand pages of the log. The log therefore stays below
/// some 4 MB, or the size of the largest commit: it reached 86 MB while ten million addresses were added.
package final class Store: Sendable {
    package let path: String
    let pool: DatabasePool
    private let lock: InstanceLock
    /// The queue on which all commits run, in order.
    let writer = DispatchQueue(label: "iprecord.store.writer")
    /// A closed connection that is kept, so that its dispatch queue is never released. Dispatch releases a queue on its
    /// concurrent queues, and after their first use a Dispatch thread wakes up every second
    /// (swift-corelibs-libdispatch, src/event/workqueue.c).
    private let probe: DatabaseQueue
    /// The queue for long queries, so that they delay neither commits nor their callers.
    let reader = DispatchQueue(label: "iprecord.store.reader")

    /// The queue for backups, so that they do not delay queries.
    let backupQueue = DispatchQueue(label: "iprecord.store.backups", qos: .utility)

    /// Pending callbacks of `afterProgress`.
    let progressCallbacks = Mutex<[@Sendable () -> Void]>([])
    /// The number of rows in the table `change`, kept in memory.
    let changes = Atomic<Int64>(0)
    /// The rows of the values that records share. After the startup, only commits use them.
    let sharedTables = Mutex(SharedTables())
    /// The connection that reads and writes backups; nil before its first use.
    let attachConnection = Mutex<DatabaseQueue?>(nil)
    /// Whether the store is being closed; if so, a running backup is cancelled.
    let isClosing = Atomic<Bool>(false)
    /// Reports an incident of the store as one human-readable line.
    let report: @Sendable (String) -> Void

    /// Opens the database; creates it if it does not exist. Its directory must exist.
    ///
    /// - Parameters:
    ///   - backup: the number of backups to keep, and the wall time; nil to migrate without a backup.
    ///   - onProgress: called repeatedly, on any thread, while an older database is migrated, or damaged
    ///     history is rebuilt.
    ///   - report: called on any queue when damaged history has been rebuilt, with a line for the journal.
    /// - Throws: the reason, with the path.
    package init(
        path: String, backup: (keeping: Int, at: WallTime)? = nil,
        onProgress: @escaping @Sendable () -> Void = {},
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(StoreError) {
        self.path = path
        self.report = report
        lock = try InstanceLock(beside: path)
        // This check requires the lock, because a running recovery or restore holds it, and may finish in the meantime.
        guard access(Replacement.ready(path), F_OK) != 0 else { throw .interrupted(path: path) }
        try Self.requireDatabase(ofLogAt: path + "-wal", path)
        try Self.prepareFile(path)
        do {
            var configuration = Configuration()
            configuration.label = "iprecord.store"
            configuration.busyMode = .timeout(5)
            configuration.maximumReaderCount = 4
            probe = try Self.checkOwner(of: path)
            pool = try DatabasePool(path: path, configuration: configuration)
            // This must follow the creation of the pool: GRDB sets NORMAL when it prepares a connection, and with that
            // setting a power failure would lose the last commits.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            let migrator = Schema.migrator
            try pool.read { try Schema.requireKnown($0, path: path) }
            try StatementProgress(onProgress).observe(pool) {
                if let backup {
                    try backUpBeforeMigration(keeping: backup.keeping, at: backup.at, onProgress: onProgress)
                }
                try prepareMigration(onProgress: onProgress)
                try migrator.migrate(pool)
                try indexEventsOfNames(onProgress: onProgress)
            }
            let tables = try pool.read { try SharedTables($0) }
            sharedTables.withLock { $0 = tables }
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Waits for pending commits, checkpoints, closes the database, and releases the lock.
    package func close() throws(StoreError) {
        defer { lock.release() }
        isClosing.store(true, ordering: .relaxed)
        try result {
            try writer.sync {
                let moved = Result { try pool.writeWithoutTransaction(Self.moveLog) }
                try pool.close()
                try moved.get()
            }
        }.get()
    }

    /// Returns the result of `work`, with any error as a ``StoreError``.
    func result<Success>(of work: () throws -> Success) -> Result<Success, StoreError> {
        Result(catching: work).mapError { StoreError($0, path: path) }
    }

    /// Moves the log into the database, as far as other connections and the disk allow.
    private static func moveLog(_ database: Database) throws {
        try database.execute(sql: "PRAGMA busy_timeout = 100")
        do {
            try database.checkpoint(.truncate)
        } catch let error as DatabaseError where [.SQLITE_BUSY, .SQLITE_FULL].contains(error.resultCode) {
            // Another process is reading the database, or the disk is full. Nothing is lost: the next open applies the
            // log.
        }
    }

    /// Throws if a log has no database, because SQLite would delete the log, which may contain the last commits.
    private static func requireDatabase(ofLogAt log: String, _ path: String) throws(StoreError) {
        guard DiskSpace.size(of: path) == 0, let size = DiskSpace.size(of: log), size > 0 else { return }
        throw .damaged(path: path, message: "the file is empty, but its write-ahead log is not")
    }

    /// Creates an empty file with mode 0600, because SQLite would derive the mode from the umask. SQLite gives its log
    /// the same mode.
    private static func prepareFile(_ path: String) throws(StoreError) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw .inaccessible(path: path, reason: String(cString: strerror(errno)))
        }
        defer { Glibc.close(descriptor) }
        guard fchmod(descriptor, 0o600) == 0 else {
            throw .inaccessible(path: path, reason: String(cString: strerror(errno)))
        }
    }

    /// Checks the application id before anything is written, so that a database of another program stays unchanged.
    ///
    /// - Returns: the connection of the check, closed.
    private static func checkOwner(of path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }  // Closing a read-only connection loses nothing.
        let (owner, tables) = try queue.read { database in
            (
                try Int32.fetchOne(database, sql: "PRAGMA application_id") ?? 0,
                try Int.fetchOne(database, sql: "SELECT count(*) FROM sqlite_master") ?? 0
            )
        }
        guard owner == Schema.applicationID || owner == 0 && tables == 0 else { throw StoreError.foreign(path: path) }
        return queue
    }
}
