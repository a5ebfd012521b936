import Glibc

/// Reads complete files.
enum WholeFile {
    /// A failed read.
    struct Unreadable: Error {
        let errno: Int32
    }

    /// - Parameter path: the path of a file, including those in proc(5).
    static func bytes(at path: String) throws(Unreadable) -> [UInt8] {
        // Opening a named pipe without a writer must not block.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw Unreadable(errno: errno) }
        defer { close(descriptor) }
        var (bytes, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count > 0 {
                bytes += chunk[..<count]
            } else if count == 0 {
                return bytes
            } else if errno != EINTR {
                throw Unreadable(errno: errno)
            }
        }
    }
}
