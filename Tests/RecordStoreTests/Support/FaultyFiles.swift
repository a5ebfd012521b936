import GRDBSQLite
import Glibc
import NIOConcurrencyHelpers

/// Injects faults of a bad or full disk into database files and logs, and records which connections write them. It is
/// a VFS over SQLite's default one (sqlite.org/vfs.html), which all connections of the process use from its
/// installation on.
enum FaultyFiles {
    struct Fault {
        /// Each read of these bytes fails with SQLITE_IOERR_READ.
        var unreadable: Range<Int>?
        /// Each write beyond this size fails with SQLITE_FULL.
        var maxBytes = Int.max
    }

    /// The accesses of one open file of an observed database: each connection opens the database once, and its log at
    /// most once.
    struct Use: Hashable {
        let isLog: Bool
        let isReadOnly: Bool
        var isOpen = true
        var writes = 0
        /// The number of times that the connection took the lock for writing to the log (`WAL_WRITE_LOCK`) or for
        /// moving it into the database (`WAL_CKPT_LOCK`) while another connection was open (sqlite.org/walformat.html,
        /// section 2.3).
        var sharedLocks = 0
    }

    private struct OpenFile {
        let path: String
        /// The index in `uses`, if the database is observed.
        let use: Int?
        /// The address of the original sqlite3_io_methods.
        let methods: UInt
    }

    private struct State {
        /// By path.
        var faults: [String: Fault] = [:]
        /// By the path of each observed database.
        var uses: [String: [Use]] = [:]
        /// By the address of the sqlite3_file.
        var files: [UInt: OpenFile] = [:]
    }

    private static let state = NIOLockedValueBox(State())
    // Written once, by the initialization of `isInstalled`, before any use.
    nonisolated(unsafe) private static var original: UnsafeMutablePointer<sqlite3_vfs>?

    /// Installs the VFS. Connections that are opened before have no faults, including those that a store keeps.
    static func install() {
        precondition(isInstalled)
    }

    /// Sets the fault of a file, for connections that are opened from now on.
    ///
    /// - Parameter fault: nil to remove the fault, also for open connections.
    static func set(_ fault: Fault?, of path: String) {
        precondition(isInstalled)
        state.withLockedValue { $0.faults[path] = fault }
    }

    /// Records the accesses of all connections to a database that are opened from now on.
    static func observe(_ path: String) {
        precondition(isInstalled)
        state.withLockedValue { $0.uses[path] = [] }
    }

    /// The files of an observed database that have been opened, in order.
    static func uses(of path: String) -> [Use] {
        state.withLockedValue { $0.uses[path] ?? [] }
    }

    private static let isInstalled: Bool = {
        guard let system = sqlite3_vfs_find(nil) else { return false }
        original = system
        let vfs = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
        vfs.initialize(to: system.pointee)
        vfs.pointee.pNext = nil
        vfs.pointee.zName = UnsafePointer(strdup("faulty-files"))
        vfs.pointee.xOpen = { _, name, file, flags, outFlags in
            FaultyFiles.open(name, file, flags, outFlags)
        }
        return sqlite3_vfs_register(vfs, 1) == SQLITE_OK
    }()

    private static func open(
        _ name: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
        _ outFlags: UnsafeMutablePointer<Int32>?
    ) -> Int32 {
        guard let result = original?.pointee.xOpen(original, name, file, flags, outFlags) else { return SQLITE_ERROR }
        guard result == SQLITE_OK, flags & (SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL) != 0, let name, let file,
            let methods = file.pointee.pMethods
        else { return result }
        let (key, path, isLog) = (UInt(bitPattern: file), String(cString: name), flags & SQLITE_OPEN_WAL != 0)
        let isReadOnly = (outFlags?.pointee ?? flags) & SQLITE_OPEN_READONLY != 0
        let isWatched = state.withLockedValue { state in
            // SQLite reuses the memory of closed files.
            state.files[key] = nil
            let database = isLog ? String(path.dropLast("-wal".count)) : path
            guard state.faults[path] != nil || state.uses[database] != nil else { return false }
            state.uses[database]?.append(Use(isLog: isLog, isReadOnly: isReadOnly))
            state.files[key] = OpenFile(
                path: path, use: state.uses[database].map { $0.count - 1 }, methods: UInt(bitPattern: methods))
            return true
        }
        guard isWatched else { return result }
        // Never freed: a connection of a test may outlive it.
        let copy = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        copy.initialize(to: methods.pointee)
        copy.pointee.xRead = { file, buffer, count, offset in FaultyFiles.read(file, buffer, count, offset) }
        copy.pointee.xWrite = { file, buffer, count, offset in FaultyFiles.write(file, buffer, count, offset) }
        copy.pointee.xShmLock = { file, offset, count, flags in FaultyFiles.lock(file, offset, count, flags) }
        copy.pointee.xClose = { file in FaultyFiles.close(file) }
        file.pointee.pMethods = UnsafePointer(copy)
        return result
    }

    private static func read(
        _ file: UnsafeMutablePointer<sqlite3_file>?, _ buffer: UnsafeMutableRawPointer?, _ count: Int32, _ offset: Int64
    ) -> Int32 {
        let (methods, fault) = opened(file)
        let bytes = Int(offset)..<Int(offset) + Int(count)
        guard fault?.unreadable?.overlaps(bytes) != true else { return SQLITE_IOERR | 1 << 8 }
        return methods?.pointee.xRead(file, buffer, count, offset) ?? SQLITE_ERROR
    }

    private static func write(
        _ file: UnsafeMutablePointer<sqlite3_file>?, _ buffer: UnsafeRawPointer?, _ count: Int32, _ offset: Int64
    ) -> Int32 {
        let (methods, fault) = opened(file)
        updateUse(of: file) { use, _ in use.writes += 1 }
        guard Int(offset) + Int(count) <= fault?.maxBytes ?? .max else { return SQLITE_FULL }
        return methods?.pointee.xWrite(file, buffer, count, offset) ?? SQLITE_ERROR
    }

    private static func lock(
        _ file: UnsafeMutablePointer<sqlite3_file>?, _ offset: Int32, _ count: Int32, _ flags: Int32
    ) -> Int32 {
        let result = opened(file).methods?.pointee.xShmLock(file, offset, count, flags) ?? SQLITE_ERROR
        // WAL_WRITE_LOCK is 0, and WAL_CKPT_LOCK is 1 (sqlite3.c, wal.c).
        if result == SQLITE_OK, flags == SQLITE_SHM_LOCK | SQLITE_SHM_EXCLUSIVE, offset <= 1 {
            updateUse(of: file) { use, isShared in use.sharedLocks += isShared ? 1 : 0 }
        }
        return result
    }

    private static func close(_ file: UnsafeMutablePointer<sqlite3_file>?) -> Int32 {
        let methods = opened(file).methods
        updateUse(of: file) { use, _ in use.isOpen = false }
        return methods?.pointee.xClose(file) ?? SQLITE_ERROR
    }

    /// - Parameter update: called with the file's accesses, if its database is observed, and whether another connection
    ///   has the database open.
    private static func updateUse(
        of file: UnsafeMutablePointer<sqlite3_file>?, _ update: (inout Use, _ isShared: Bool) -> Void
    ) {
        state.withLockedValue { state in
            guard let opened = state.files[UInt(bitPattern: file)], let index = opened.use else { return }
            let database = opened.path.hasSuffix("-wal") ? String(opened.path.dropLast("-wal".count)) : opened.path
            guard var uses = state.uses[database], index < uses.count else { return }
            update(&uses[index], uses.count { $0.isOpen && !$0.isLog } > 1)
            state.uses[database] = uses
        }
    }

    /// The original methods of an open file, and its fault.
    private static func opened(
        _ file: UnsafeMutablePointer<sqlite3_file>?
    ) -> (methods: UnsafePointer<sqlite3_io_methods>?, fault: Fault?) {
        let (methods, fault) = state.withLockedValue { state in
            let opened = state.files[UInt(bitPattern: file)]
            return (opened?.methods ?? 0, opened.flatMap { state.faults[$0.path] })
        }
        return (UnsafePointer(bitPattern: methods), fault)
    }
}
