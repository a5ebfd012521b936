import Glibc

/// A file that is read as a whole.
enum WholeFile {
    /// Why it cannot be read.
    struct Unreadable: Error {
        let errno: Int32
    }

    /// - Parameter path: of a file, or of what the kernel shows as one (proc(5)).
    static func bytes(at path: String) throws(Unreadable) -> [UInt8] {
        // A pipe that nobody writes into must not be waited for.
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
