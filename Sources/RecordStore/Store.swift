import Dispatch
import GRDB
import Glibc
import RecordKeeping
import Synchronization

/// The database: one SQLite file, written by one queue with a synchronous commit, read by others meanwhile.
///
///     let store = try Store(path: "/var/lib/iprecord/records.db")
///     let (restored, count, unreadable) = try store.restore(at: now, bootID: bootID) { entries, all in … }
///     store.commit(commit, at: now) { result in … }
///
/// In WAL mode with `synchronous=FULL`: a commit is on disk when its transaction ends (sqlite.org/wal.html). SQLite moves the
/// log into the database each thousand pages, so that it stays below some 4 MB, or what the largest commit takes: 86 MB were
/// seen while ten million addresses were added.
package final class Store: Sendable {
    package let path: String
    let pool: DatabasePool
    private let lock: InstanceLock
    /// Commits happen here, in order.
    let writer = DispatchQueue(label: "iprecord.store.writer")
    /// Kept, although it is closed: where a queue of GRDB is released, Dispatch frees what belongs to it on its concurrent
    /// queues, and from their first use on it wakes up once a second (swift-corelibs-libdispatch, src/event/workqueue.c).
    private let probe: DatabaseQueue
    /// Long readings happen here, so that they hold up neither the commits nor whoever asked.
    let reader = DispatchQueue(label: "iprecord.store.reader")

    /// Callbacks of `afterProgress` that were not called yet.
    let progressCallbacks = Mutex<[@Sendable () -> Void]>([])
    /// Rows of the history, counted as they come and go.
    let changes = Atomic<Int64>(0)
    /// Reports an incident of the store as a line of text for people.
    let report: @Sendable (String) -> Void

    /// Opens the database, and makes it where there is none. Its folder has to be there.
    ///
    /// - Parameters:
    ///   - onProgress: called repeatedly, on any thread, while an older database is migrated.
    ///   - report: called on any queue when damaged history was rebuilt, with a line for the journal.
    /// - Throws: what stands in the way, with the path.
    package init(
        path: String, onProgress: @escaping @Sendable () -> Void = {},
        report: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(StoreError) {
        self.path = path
        self.report = report
        try Self.prepareFile(path)
        lock = try InstanceLock(beside: path)
        do {
            var configuration = Configuration()
            configuration.label = "iprecord.store"
            configuration.busyMode = .timeout(5)
            configuration.maximumReaderCount = 4
            probe = try Self.checkOwner(of: path)
            pool = try DatabasePool(path: path, configuration: configuration)
            // Not when the connection is prepared: GRDB sets NORMAL after that, and a power cut takes the last commits along.
            try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA synchronous = FULL") }
            let migrator = Schema.migrator
            guard try pool.read({ try !migrator.hasBeenSuperseded($0) }) else { throw StoreError.newer(path: path) }
            try StatementProgress(onProgress).observe(pool) {
                try prepareMigration(onProgress: onProgress)
                try migrator.migrate(pool)
            }
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Ends after the commits under way; the log is moved into the database, and another instance may have it.
    package func close() throws(StoreError) {
        defer { lock.release() }
        do {
            try writer.sync {
                let moved = Result { try pool.writeWithoutTransaction(Self.moveLog) }
                try pool.close()
                try moved.get()
            }
        } catch {
            throw StoreError(error, path: path)
        }
    }

    /// Moves the log into the database, as far as others and the disk let it.
    private static func moveLog(_ database: Database) throws {
        try database.execute(sql: "PRAGMA busy_timeout = 100")
        do {
            try database.checkpoint(.truncate)
        } catch let error as DatabaseError where [.SQLITE_BUSY, .SQLITE_FULL].contains(error.resultCode) {
            // Somebody is reading, or the disk is full. Nothing is lost: the log stays beside it for who opens it next.
        }
    }

    /// An empty file with the right mode, before SQLite makes one by the umask; what it puts beside gets the same mode.
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

    /// Looks before anything is written: a database that is not ours stays as it is.
    ///
    /// - Returns: the connection that looked, closed.
    private static func checkOwner(of path: String) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }  // It was only looked at: nothing can be lost.
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
