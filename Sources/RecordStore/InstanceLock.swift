import Glibc
import Synchronization

/// Keeps a second instance off the store: a lock on a file beside it (flock(2)), which holds the pid of who has it.
///
/// The kernel takes the lock away when the process ends, however it ends.
final class InstanceLock: Sendable {
    /// Nil once it is released.
    private let descriptor: Mutex<Int32?>

    /// - Parameter path: the database's file.
    init(beside path: String) throws(StoreError) {
        let lockPath = path + ".lock"
        let descriptor = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw .inaccessible(path: path, reason: "\(lockPath): \(String(cString: strerror(errno)))")
        }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let pid = Self.pid(in: descriptor)
            close(descriptor)
            throw .locked(path: path, pid: pid)
        }
        self.descriptor = Mutex(descriptor)
        let text = Array("\(getpid())\n".utf8)
        // The pid is for a person to read: the lock holds without it.
        _ = ftruncate(descriptor, 0)
        _ = pwrite(descriptor, text, text.count, 0)
    }

    /// Lets another instance in.
    func release() {
        descriptor.withLock {
            guard let open = $0 else { return }
            // Unlocked and not merely closed: a process that is being forked has the descriptor, too, until it runs its program.
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
