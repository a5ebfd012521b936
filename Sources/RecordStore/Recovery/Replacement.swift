import GRDB
import Glibc
import RecordKeeping

/// A new database that is filled while no daemon runs, and then takes the place of the current one. The files of the
/// current one are kept under another name.
///
/// The log of the current database has to be moved away before the new database is in place; otherwise, SQLite would
/// apply it to the new one. If the process is killed in between, the new database is complete, on disk and named
/// `….ready`. As long as this file exists, no store can be opened, and `finish` puts the file in place.
struct Replacement {
    let path: String
    /// The beginning of the path under which the current database is kept; the time in seconds follows.
    let keptPrefix: String

    /// The path of the new database until it is complete.
    var fresh: String { path + ".recovered" }
    /// The path of the new database until it is in place.
    private var ready: String { Self.ready(path) }

    /// Returns the path whose file shows that a replacement was interrupted.
    static func ready(_ path: String) -> String { path + ".ready" }

    /// Whether a replacement was interrupted, and only has to be finished.
    var wasInterrupted: Bool { access(ready, F_OK) == 0 }

    init(of path: String, keptAs suffix: String) {
        self.path = path
        keptPrefix = "\(path).\(suffix)-"
    }

    /// Runs `work` while no daemon can open the database.
    func locked<Outcome>(_ work: () throws -> Outcome) throws -> Outcome {
        let lock = try InstanceLock(beside: path)
        defer { lock.release() }
        try setOwner(of: path + ".lock")
        removeLeftovers()
        defer { removeLeftovers() }
        return try work()
    }

    /// Calls `fill` to make the new database, and exchanges it with the current one.
    ///
    /// - Parameters:
    ///   - now: the time in the name under which the current database is kept. If that name is in use, a later time is
    ///     used.
    ///   - fill: makes the new database at `fresh`, and closes it. If it throws, nothing is exchanged.
    /// - Returns: the outcome of `fill`, and the path under which the current database is kept; nil if there is none.
    func run<Outcome>(at now: WallTime, _ fill: () throws -> Outcome) throws -> (outcome: Outcome, kept: String?) {
        try createFresh()
        let outcome: Outcome
        do {
            outcome = try fill()
            try setOwner(of: fresh)
            try moveLog()
        } catch let error as DatabaseError {
            throw StoreError(error, path: fresh)
        }
        try check("rename \(fresh) to \(ready)") { rename(fresh, ready) }
        try syncDirectory()
        let hasOld = access(path, F_OK) == 0
        let kept = freeName(at: now)
        try keep(as: kept)
        try install()
        return (outcome, hasOld ? kept : nil)
    }

    /// Finishes an interrupted replacement.
    func finish(at now: WallTime) throws {
        let isMoved = access(path, F_OK) != 0
        let kept = try isMoved ? Self.newestKept(of: path) : freeName(at: now)
        if let kept { try move(to: kept) }
        try install()
    }

    /// Returns the first unused name for the kept files, with a time of `now` or later.
    private func freeName(at now: WallTime) -> String {
        var seconds = now.milliseconds / 1_000
        while Self.suffixes.contains(where: { access("\(keptPrefix)\(seconds)\($0)", F_OK) == 0 }) { seconds += 1 }
        return "\(keptPrefix)\(seconds)"
    }

    private func removeLeftovers() {
        for suffix in ["", "-wal", "-shm", "-journal", ".lock"] { unlink(fresh + suffix) }
    }

    /// Creates the file with mode 0600, because SQLite would derive the mode from the umask.
    private func createFresh() throws(Recovery.Problem) {
        let descriptor = open(fresh, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        try check("create \(fresh)") { descriptor < 0 ? -1 : close(descriptor) }
    }

    /// Moves the log into the new database. Unlike `Store.close()`, this fails if the disk is full.
    private func moveLog() throws {
        let queue = try DatabaseQueue(path: fresh)
        let mode = Result {
            try queue.writeWithoutTransaction { try String.fetchOne($0, sql: "PRAGMA journal_mode = DELETE") }
        }
        try queue.close()
        guard try mode.get() == "delete" else {
            throw Recovery.Problem.files(
                purpose: "complete \(fresh)", reason: "its log is still in use", isUnchanged: true)
        }
        let descriptor = open(fresh, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        try check("sync \(fresh)") { fsync(descriptor) }
    }

    /// Gives a file the owner of the current database, or of the directory if there is none, so that the daemon can
    /// open it even if root ran the command.
    private func setOwner(of file: String) throws(Recovery.Problem) {
        var status = stat()
        try check("read the owner of \(path)") {
            stat(path, &status) == 0 ? 0 : stat(ParentDirectory.path(of: path), &status)
        }
        try check("change the owner of \(file)") { lchown(file, status.st_uid, status.st_gid) }
    }

    /// Moves the current files to `kept`. If one of them cannot be moved, the others are moved back.
    private func keep(as kept: String) throws(Recovery.Problem) {
        do throws(Recovery.Problem) {
            try move(to: kept)
        } catch .files(let purpose, let reason, _) {
            for suffix in Self.suffixes where access(kept + suffix, F_OK) == 0 {
                try check("rename \(kept)\(suffix) to \(path)\(suffix)") { rename(kept + suffix, path + suffix) }
            }
            unlink(ready)
            throw .files(purpose: purpose, reason: reason, isUnchanged: true)
        }
    }

    private static let suffixes = ["", "-wal", "-journal"]

    /// Moves the current files that are still there: the database first, and then its log.
    private func move(to kept: String) throws(Recovery.Problem) {
        for suffix in Self.suffixes where access(path + suffix, F_OK) == 0 {
            try check("rename \(path)\(suffix) to \(kept)\(suffix)") {
                // A file with this name is not replaced.
                guard access(kept + suffix, F_OK) != 0 else {
                    errno = EEXIST
                    return -1
                }
                return rename(path + suffix, kept + suffix)
            }
        }
    }

    /// Moves the new database to its place.
    private func install() throws(Recovery.Problem) {
        unlink(path + "-shm")
        try syncDirectory()
        try check("rename \(ready) to \(path)") { rename(ready, path) }
        try syncDirectory()
    }

    /// Returns the path of the newest kept database; nil if there is none.
    private static func newestKept(of path: String) throws(StoreError) -> String? {
        let time = { (name: String) in name.split(separator: "-").last.flatMap { Int64($0) } }
        return try SiblingFiles.of(path).filter { name in
            [".damaged-", ".replaced-"].contains { name.hasPrefix(path + $0) } && time(name) != nil
        }.max { time($0) ?? 0 < time($1) ?? 0 }
    }

    private func syncDirectory() throws(Recovery.Problem) {
        try check("sync the directory of \(path)") { ParentDirectory.sync(of: path) }
    }

    private func check(_ purpose: String, _ call: () -> Int32) throws(Recovery.Problem) {
        try Recovery.Problem.check(purpose, isUnchanged: !wasInterrupted, call)
    }
}
