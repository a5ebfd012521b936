import Dispatch
import Glibc

/// Reports changes of files with inotify(7), until a file is replaced, written and closed, created, renamed or removed,
/// or its permissions change.
///
/// Belongs to the queue passed to `init`: its methods and its callbacks run there.
final class FileWatcher {
    private let queue: DispatchQueue
    private var source: (any DispatchSourceRead)?
    private var descriptor: Int32 = -1
    /// The watched directories, by watch descriptor.
    private var directories: [Int32: Directory] = [:]
    private var onChange: () -> Void = {}
    private var hasFailed = false

    private struct Directory {
        let path: String
        /// The names in the directory whose changes are reported.
        var names: Set<String>
    }

    init(queue: DispatchQueue) {
        self.queue = queue
    }

    /// Watches these files, which need not exist, instead of the previous ones.
    ///
    /// The directories are watched, and not the files: a file that is replaced by rename is another file. Symbolic
    /// links are followed as they are now, so this method is called again after each change.
    ///
    /// - Parameters:
    ///   - paths: absolute paths.
    ///   - onChange: called after a change.
    ///   - onFailure: called with a reason if changes will not be reported; not called again until this succeeds.
    func watch(_ paths: [String], onChange: @escaping () -> Void, onFailure: (String) -> Void) {
        self.onChange = onChange
        guard !paths.isEmpty else { return end() }
        do throws(SystemError) {
            try open()
            try watchDirectories(of: paths)
            hasFailed = false
        } catch {
            if !hasFailed { onFailure("\(error)") }
            hasFailed = true
        }
    }

    /// Stops watching.
    func end() {
        source?.cancel()
        (source, descriptor, directories) = (nil, -1, [:])
    }

    private func open() throws(SystemError) {
        guard source == nil else { return }
        let descriptor = inotify_init1(Int32(IN_NONBLOCK | IN_CLOEXEC))
        guard descriptor >= 0 else { throw SystemError("watch files (inotify_init1)", errno: errno) }
        self.descriptor = descriptor
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        let watcher = QueueConfined(WeakWatcher(self), onQueue: queue)
        source.setEventHandler { watcher.value.watcher?.readEvents() }
        source.setCancelHandler { close(descriptor) }
        source.activate()
        self.source = source
    }

    /// A reference that does not keep the watcher alive.
    private struct WeakWatcher {
        weak var watcher: FileWatcher?
        init(_ watcher: FileWatcher) { self.watcher = watcher }
    }

    private func watchDirectories(of paths: [String]) throws(SystemError) {
        var (watched, failure): ([Int32: Directory], SystemError?) = ([:], nil)
        for name in paths.flatMap({ PathNames(of: $0).all }) {
            let watch = inotify_add_watch(descriptor, name.directory, Self.mask)
            guard watch >= 0 else {
                // A directory that has just been removed, or that cannot be read, is reported with its file.
                if ![ENOENT, ENOTDIR, EACCES].contains(errno) {
                    failure = SystemError("watch \(name.directory) (inotify_add_watch)", errno: errno)
                }
                continue
            }
            watched[watch, default: Directory(path: name.directory, names: [])].names.insert(name.name)
        }
        for watch in directories.keys where watched[watch] == nil { inotify_rm_watch(descriptor, watch) }
        directories = watched
        if let failure { throw failure }
    }

    /// Not IN_MODIFY: a file that is still being written cannot be used yet.
    private static let mask =
        UInt32(IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB)
        | UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

    // MARK: Events

    /// Size of the buffer for events, in bytes: many events of the longest names (inotify(7), "Reading events").
    private static let bufferBytes = 65_536

    private func readEvents() {
        var hasChanged = false
        var buffer = [UInt8](repeating: 0, count: Self.bufferBytes)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            for event in InotifyEvent.all(in: buffer[..<count]) where concernsFile(event) { hasChanged = true }
        }
        if hasChanged { onChange() }
    }

    private func concernsFile(_ event: InotifyEvent) -> Bool {
        if event.mask & UInt32(IN_Q_OVERFLOW) != 0 { return true }
        // Events of a directory that is not watched any more may still arrive.
        guard let directory = directories[event.watch] else { return false }
        // An event without a name concerns the directory itself.
        guard let name = event.name else { return true }
        guard directory.names.contains(name) else { return false }
        // A file that a program has created and is about to write. It is read when the program closes it.
        return event.mask & UInt32(IN_CREATE) == 0 || !Self.isEmptyFile("\(directory.path)/\(name)")
    }

    private static func isEmptyFile(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
    }
}
