import Confinement
import Dispatch
import Glibc

/// Reports changes to files with inotify(7): when a file is replaced, closed after writing, created, renamed or
/// removed, or when its permissions change.
///
/// Belongs to the queue passed to `init`: its methods and its callbacks run there.
final class FileWatcher {
    private let queue: DispatchQueue
    private var source: (any DispatchSourceRead)?
    private var descriptor: Int32 = -1
    /// By watch descriptor.
    private var watches: [Int32: WatchedPath] = [:]
    private var onChange: () -> Void = {}
    /// The failures that have been reported and have not ended.
    private var reported: Set<SystemError> = []

    /// A watched directory, or a file or symbolic link in a directory that cannot be read.
    private struct WatchedPath {
        let path: String
        /// The names in the directory whose changes are reported; empty for a file or link.
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
    /// A directory can be watched only if it can be read. If it cannot, the files and symbolic links in it are watched
    /// instead; a name that is missing there cannot be watched.
    ///
    /// - Parameters:
    ///   - paths: absolute paths.
    ///   - onChange: called after a change.
    ///   - onFailure: called with a reason if some changes will not be reported: once per directory, and not again
    ///     until the directory can be watched.
    func watch(_ paths: [String], onChange: @escaping () -> Void, onFailure: (SystemError) -> Void) {
        self.onChange = onChange
        guard !paths.isEmpty else { return end() }
        var failures = Failures()
        do throws(SystemError) {
            try open()
            watchDirectories(of: paths, &failures)
        } catch {
            failures = Failures(all: [error], consequential: [error])
        }
        reported.formIntersection(failures.all)
        for failure in failures.consequential where reported.insert(failure).inserted { onFailure(failure) }
    }

    /// The reasons why directories cannot be watched.
    private struct Failures {
        var all: Set<SystemError> = []
        /// Those because of which changes are not reported, in the order of the paths.
        var consequential: [SystemError] = []
    }

    /// Stops watching.
    func end() {
        source?.cancel()
        (source, descriptor, watches, reported) = (nil, -1, [:], [])
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

    private func watchDirectories(of paths: [String], _ failures: inout Failures) {
        var watched: [Int32: WatchedPath] = [:]
        for name in paths.flatMap({ PathNames(of: $0).all }) {
            let watch = inotify_add_watch(descriptor, name.directory, Self.directoryMask)
            if watch >= 0 {
                watched[watch, default: WatchedPath(path: name.directory, names: [])].names.insert(name.name)
                continue
            }
            let failure = SystemError("watch \(name.directory) (inotify_add_watch)", errno: errno)
            // A directory that has just been removed is reported with its file.
            if [ENOENT, ENOTDIR].contains(failure.errno) { continue }
            failures.all.insert(failure)
            let file = "\(name.directory)/\(name.name)"
            let fileWatch = failure.errno == EACCES ? inotify_add_watch(descriptor, file, Self.fileMask) : -1
            if fileWatch >= 0 {
                watched[fileWatch] = WatchedPath(path: file, names: [])
            } else {
                failures.consequential.append(failure)
            }
        }
        for watch in watches.keys where watched[watch] == nil { inotify_rm_watch(descriptor, watch) }
        watches = watched
    }

    /// Not IN_MODIFY: a file that is still being written cannot be used yet.
    private static let directoryMask =
        UInt32(IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB)
        | UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)
    /// A file that is replaced by rename loses a link (IN_ATTRIB) and, if it was the last one, is deleted.
    private static let fileMask =
        UInt32(IN_CLOSE_WRITE | IN_ATTRIB | IN_DELETE_SELF | IN_MOVE_SELF | IN_DONT_FOLLOW)

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
        // Events of a directory or file that is not watched any more may still arrive.
        guard let watch = watches[event.watch] else { return false }
        // An event without a name concerns the directory or file itself.
        guard let name = event.name else { return true }
        guard watch.names.contains(name) else { return false }
        // A file that a program has created and is about to write. It is read when the program closes it.
        return event.mask & UInt32(IN_CREATE) == 0 || !Self.isEmptyFile("\(watch.path)/\(name)")
    }

    private static func isEmptyFile(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_size == 0
    }
}
