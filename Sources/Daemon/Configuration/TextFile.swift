import Glibc

/// Reads whole files, with human-readable errors.
enum TextFile {
    /// An error without the path, such as "Permission denied".
    struct Unreadable: Error, Hashable, Sendable, CustomStringConvertible {
        let description: String
    }

    /// Returns the contents of a file; throws if they are not valid UTF-8.
    static func text(atPath path: String) throws(Unreadable) -> String {
        guard let text = String(validating: try bytes(atPath: path), as: UTF8.self) else {
            throw Unreadable(description: "not valid UTF-8")
        }
        return text
    }

    /// Returns the contents of a file.
    ///
    /// - Parameter mustBeRegular: whether to refuse pipes, sockets and devices, because reading them may block forever.
    ///   A directory also fails, with the error of read(2).
    static func bytes(atPath path: String, mustBeRegular: Bool = false) throws(Unreadable) -> [UInt8] {
        // Without O_NONBLOCK, opening a pipe that has no writer would wait for one (fifo(7)).
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | (mustBeRegular ? O_NONBLOCK : 0))
        guard descriptor >= 0 else { throw lastError() }
        defer { close(descriptor) }
        if mustBeRegular {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { throw lastError() }
            guard [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else {
                throw Unreadable(description: "not a regular file")
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
