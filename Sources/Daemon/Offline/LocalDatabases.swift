import Confinement
import Control
import Dispatch
import Foundation
import GeoDatabase
import Glibc
import Logging
import NIOConcurrencyHelpers
import RecordKeeping

/// The local databases of `[offline] databases`: loads the files, watches them for new versions, and looks up records.
///
/// Files are read on a queue of their own, because a large file takes seconds. Lookups can be made on any thread.
final class LocalDatabases: Sendable {
    private let database = GeoDatabase()
    private let queue = DispatchQueue(label: "iprecord.databases")
    private let watcher: QueueConfined<FileWatcher>
    private let log: Logger
    private let notes = NIOLockedValueBox(Notes())

    /// What is known about the versions in use beside their contents.
    private struct Notes {
        /// The time at which the daemon loaded the version in use, by path.
        var loadedAt: [String: WallTime] = [:]
        /// The versions in use for which damaged data have been logged.
        var damaged: Set<GeoDatabaseFile> = []
        /// Receives the files in use after each reload.
        var observer: (@Sendable (GeoSnapshot) -> Void)?
    }

    init(log: Logger) {
        self.log = log
        watcher = QueueConfined(FileWatcher(queue: queue), givenTo: queue)
    }

    /// Replaces the list of files, then loads new and changed files, asynchronously. Files that stay in the list keep
    /// the versions that are in use.
    ///
    /// - Parameters:
    ///   - paths: absolute paths in the order of their priority, at most `GeoDatabase.maxFiles`.
    ///   - done: called on the queue of the databases, when all files have been read.
    func use(_ paths: [String], done: @escaping @Sendable () -> Void = {}) {
        queue.async { [self] in
            do throws(GeoDatabaseError) {
                for file in try database.configure(paths: paths) { log.info("no longer using \(Self.name(of: file))") }
            } catch {
                // The configuration has the same limit.
                log.error("\(error)")
            }
            reload()
            done()
        }
    }

    /// Waits until the files of the last `use` have been read.
    func waitUntilLoaded() {
        queue.sync {}
    }

    /// Passes the files in use to an observer, now and after each reload.
    ///
    /// - Parameter observer: called on the queue of the databases.
    func observe(_ observer: @escaping @Sendable (GeoSnapshot) -> Void) {
        queue.async { [self] in
            notes.withLockedValue { $0.observer = observer }
            observer(database.snapshot)
        }
    }

    /// The files in use.
    var snapshot: GeoSnapshot { database.snapshot }

    /// The reasons why files cannot be used, as the end of a message.
    var failures: String { database.failures.map { "\($0)" }.joined(separator: "; ") }

    /// Stops watching the files. Databases that are in use stay in use.
    func end() {
        queue.async { [self] in watcher.value.end() }
    }

    // MARK: Loading

    /// Loads new and changed files, and watches for later changes. Runs on the queue of the databases.
    private func reload() {
        let paths = database.states.map(\.path)
        // Watched first, so that no change is missed. A change to a symbolic link changes what must be watched, and is
        // itself reported.
        watcher.value.watch(paths) { [weak self] in
            self?.reload()
        } onFailure: { [log] error in
            log.warning("\(Self.warning(about: error))")
        }
        for change in database.reload() { note(change) }
        notes.withLockedValue { $0.observer }?(database.snapshot)
    }

    /// Returns the message for files that are not watched completely.
    static func warning(about error: SystemError) -> String {
        let remedy = "after replacing a local database, run: systemctl reload iprecordd"
        return error.errno == EACCES
            ? "\(error); make the directory readable by the daemon, or \(remedy)" : "\(error); \(remedy)"
    }

    private func note(_ change: GeoDatabaseChange) {
        switch change {
        case .opened(let file), .replaced(_, with: let file):
            notes.withLockedValue { $0.loadedAt[file.path] = SystemClock.now.wall }
            log.info("loaded \(Self.name(of: file))")
        case .restored(let file):
            log.info("\(file.path) is again the version in use: \(Self.name(of: file))")
        case .failed(let error, let kept):
            let consequence = kept.map { "still using \(Self.name(of: $0))" } ?? "the file is not used"
            log.warning("\(error); \(consequence)")
        }
    }

    private static func name(of file: GeoDatabaseFile) -> String {
        "\(file.path) (\(file.databaseType), built \(text(file.builtAt)))"
    }

    private static func text(_ time: WallTime) -> String {
        Date(timeIntervalSince1970: Double(time.milliseconds) / 1_000).formatted(.iso8601)
    }

    // MARK: Reading

    /// Returns the record of an address; nil if no database has one.
    func record(of address: IPAddress) -> Interface.OfflineRecord? {
        let lookup = database.lookup(address)
        for error in lookup.errors { logOnce(error) }
        guard let record = lookup.record, let builtAt = lookup.builtAt else { return nil }
        return Interface.OfflineRecord(record: record, database: lookup.database, builtAt: builtAt)
    }

    /// Logs damaged data once for each version of a file.
    func logOnce(_ error: GeoDatabaseError) {
        guard case .damaged(let path, _) = error, let file = database.files.first(where: { $0.path == path }) else {
            return
        }
        let isNew = notes.withLockedValue { notes in
            notes.damaged = notes.damaged.filter { $0.path != path || $0 == file }
            return notes.damaged.insert(file).inserted
        }
        if isNew { log.warning("\(error); other addresses may be affected") }
    }

    /// The state of each configured file, in the order of the configuration.
    var states: [Interface.Database] {
        let loadedAt = notes.withLockedValue { $0.loadedAt }
        return database.states.map { state in
            Interface.Database(
                path: state.path, databaseType: state.file?.databaseType, builtAt: state.file?.builtAt,
                loadedAt: state.file.flatMap { loadedAt[$0.path] }, failure: state.failure.map { "\($0)" })
        }
    }
}
