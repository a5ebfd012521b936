import Glibc
import Synchronization

/// An exclusive lock on a file beside the database (flock(2)) that prevents a second instance. The file holds the
/// owner's pid.
///
/// The kernel releases the lock when the process exits or is killed.
final class InstanceLock: Sendable {
    /// Nil after `release()`.
    private let descriptor: Mutex<Int32?>

    /// Acquires the lock without waiting.
    ///
    /// - Parameter path: the database file.
    /// - Throws: `locked` if another process holds the lock; `inaccessible` if the lock file cannot be opened.
    init(beside path: String) throws(StoreError) {
        let lockPath = path + ".lock"
        let descriptor = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            let reason = String(cString: strerror(errno))
            // The directory is missing.
            throw .inaccessible(path: path, reason: errno == ENOENT ? reason : "\(lockPath): \(reason)")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let pid = Self.pid(in: descriptor)
            close(descriptor)
            throw .locked(path: path, pid: pid)
        }
        self.descriptor = Mutex(descriptor)
        let text = Array("\(getpid())\n".utf8)
        // The pid is only informational: the lock works without it.
        _ = ftruncate(descriptor, 0)
        _ = pwrite(descriptor, text, text.count, 0)
    }

    /// Releases the lock; further calls have no effect.
    func release() {
        descriptor.withLock {
            guard let open = $0 else { return }
            // Unlock explicitly: a forked child holds the descriptor until it executes its program.
            flock(open, LOCK_UN)
            close(open)
            $0 = nil
        }
    }

    deinit { release() }

    private static func pid(in descriptor: Int32) -> Int32? {
        var text = [UInt8](repeating: 0, count: 32)
        let count = pread(descriptor, &text, text.count, 0)
        guard count > 0 else { return nil }
        return Int32(String(decoding: text.prefix(count).prefix { $0 != 10 }, as: UTF8.self))
    }
}
