import GRDBSQLite
import Glibc
import Synchronization

/// Injects faults of a bad or full disk into database files and logs. It is a VFS over SQLite's default one
/// (sqlite.org/vfs.html), which all connections of the process use from its installation on.
enum FaultyFiles {
    struct Fault {
        /// Each read of these bytes fails with SQLITE_IOERR_READ.
        var unreadable: Range<Int>?
        /// Each write beyond this size fails with SQLITE_FULL.
        var maxBytes = Int.max
    }

    private struct OpenFile {
        let path: String
        /// The address of the original sqlite3_io_methods.
        let methods: UInt
    }

    private struct State {
        /// By path.
        var faults: [String: Fault] = [:]
        /// By the address of the sqlite3_file.
        var files: [UInt: OpenFile] = [:]
    }

    private static let state = Mutex(State())
    // Written once, by the initialization of `isInstalled`, before any use.
    nonisolated(unsafe) private static var original: UnsafeMutablePointer<sqlite3_vfs>?

    /// Sets the fault of a file, for connections that are opened from now on.
    ///
    /// - Parameter fault: nil to remove the fault, also for open connections.
    static func set(_ fault: Fault?, of path: String) {
        precondition(isInstalled)
        state.withLock { $0.faults[path] = fault }
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
        let (key, opened) = (
            UInt(bitPattern: file), OpenFile(path: String(cString: name), methods: UInt(bitPattern: methods))
        )
        let isWatched = state.withLock { state in
            // SQLite reuses the memory of closed files.
            state.files[key] = state.faults[opened.path] == nil ? nil : opened
            return state.files[key] != nil
        }
        guard isWatched else { return result }
        // Never freed: a connection of a test may outlive it.
        let copy = UnsafeMutablePointer<sqlite3_io_methods>.allocate(capacity: 1)
        copy.initialize(to: methods.pointee)
        copy.pointee.xRead = { file, buffer, count, offset in FaultyFiles.read(file, buffer, count, offset) }
        copy.pointee.xWrite = { file, buffer, count, offset in FaultyFiles.write(file, buffer, count, offset) }
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
        guard Int(offset) + Int(count) <= fault?.maxBytes ?? .max else { return SQLITE_FULL }
        return methods?.pointee.xWrite(file, buffer, count, offset) ?? SQLITE_ERROR
    }

    /// The original methods of an open file, and its fault.
    private static func opened(
        _ file: UnsafeMutablePointer<sqlite3_file>?
    ) -> (methods: UnsafePointer<sqlite3_io_methods>?, fault: Fault?) {
        let (methods, fault) = state.withLock { state in
            let opened = state.files[UInt(bitPattern: file)]
            return (opened?.methods ?? 0, opened.flatMap { state.faults[$0.path] })
        }
        return (UnsafePointer(bitPattern: methods), fault)
    }
}
