import Glibc

/// The text of a file, or why it cannot be had, in words that a person can act on.
enum TextFile {
    struct Unreadable: Error, Hashable, Sendable, CustomStringConvertible {
        let description: String
    }

    static func text(atPath path: String) throws(Unreadable) -> String {
        guard let text = String(validating: try bytes(atPath: path), as: UTF8.self) else {
            throw Unreadable(description: "this is no UTF-8 text")
        }
        return text
    }

    /// - Parameter mustBeRegular: whether only a regular file is read. Reading a pipe may hang, with no user to end it.
    static func bytes(atPath path: String, mustBeRegular: Bool = false) throws(Unreadable) -> [UInt8] {
        // Opening a pipe without a writer would wait for one (fifo(7)).
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | (mustBeRegular ? O_NONBLOCK : 0))
        guard descriptor >= 0 else { throw lastError() }
        defer { close(descriptor) }
        if mustBeRegular {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { throw lastError() }
            guard [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else {
                throw Unreadable(description: "this is no regular file")
            }
        }
        var (bytes, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count > 0 {
                bytes += chunk[..<count]
            } else if count == 0 {
                return bytes
            } else if errno != EINTR {
                throw lastError()
            }
        }
    }

    private static func lastError() -> Unreadable {
        Unreadable(description: String(cString: strerror(errno)))
    }
}
