import CLinux
import Glibc

/// A copy of a file in memory, which libmaxminddb maps instead of the file.
///
/// If a mapped file is truncated, access to the missing pages ends the process with SIGBUS (mmap(2)). Nothing prevents
/// another program from writing to the file in place, but no other program has access to the copy.
struct MemoryCopy: ~Copyable {
    private let descriptor: Int32
    let byteCount: Int
    let identity: FileIdentity

    /// Bytes per read.
    private static let chunkBytes = 1 << 18

    /// - Throws: `unreadable`, `tooLarge`, `changedWhileRead` or `noMemory`.
    init(of path: String, maxBytes: Int) throws(GeoDatabaseError) {
        // Without O_NONBLOCK, opening a pipe waits for a writer (fifo(7)).
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { throw .unreadable(path: path, reason: Self.errorText()) }
        defer { close(file) }
        let status = try Self.status(of: file, path: path)
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .unreadable(path: path, reason: "not a regular file")
        }
        guard status.st_size <= maxBytes else { throw .tooLarge(path: path) }
        let copy = clinux_memory_file("iprecord-mmdb")
        guard copy >= 0 else { throw .noMemory(path: path, reason: Self.errorText()) }
        let count: Int
        do throws(GeoDatabaseError) {
            count = try Self.copy(file, to: copy, maxBytes: maxBytes, path: path)
            let after = try Self.status(of: file, path: path)
            guard FileIdentity(after) == FileIdentity(status), count == after.st_size else {
                throw .changedWhileRead(path: path)
            }
        } catch {
            close(copy)
            throw error
        }
        descriptor = copy
        byteCount = count
        identity = FileIdentity(status)
    }

    deinit { close(descriptor) }

    /// The path by which this process can open the copy (proc_pid_fd(5)).
    var path: String { "/proc/self/fd/\(descriptor)" }

    /// Returns the last bytes of the copy, at most `count`.
    func suffix(_ count: Int) -> [UInt8] {
        let length = min(count, byteCount)
        return [UInt8](unsafeUninitializedCapacity: length) { buffer, initialized in
            // A read from memory is neither interrupted nor partial (tmpfs), so a short result is an empty suffix.
            initialized = max(0, pread(descriptor, buffer.baseAddress, length, off_t(byteCount - length)))
        }
    }

    /// Returns the number of copied bytes.
    private static func copy(
        _ file: Int32, to copy: Int32, maxBytes: Int, path: String
    ) throws(GeoDatabaseError) -> Int {
        var (chunk, total) = ([UInt8](repeating: 0, count: chunkBytes), 0)
        while true {
            let count = read(file, &chunk, chunk.count)
            if count == 0 { return total }
            guard count > 0 else {
                if errno == EINTR { continue }
                throw .unreadable(path: path, reason: errorText())
            }
            total += count
            guard total <= maxBytes else { throw .tooLarge(path: path) }
            var written = 0
            while written < count {
                // The chunk is not empty, so it has an address.
                let result = chunk.withUnsafeBytes { write(copy, $0.baseAddress! + written, count - written) }
                guard result > 0 else {
                    if errno == EINTR { continue }
                    throw .noMemory(path: path, reason: errorText())
                }
                written += result
            }
        }
    }

    private static func status(of file: Int32, path: String) throws(GeoDatabaseError) -> stat {
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .unreadable(path: path, reason: errorText()) }
        return status
    }

    /// The text of errno.
    private static func errorText() -> String { String(cString: strerror(errno)) }
}
