import Glibc

/// Reads files completely.
package enum WholeFile {
    package enum Unreadable: Error, Hashable, Sendable, CustomStringConvertible {
        case failed(errno: Int32)
        /// A pipe, a socket or a device. A read from it may block forever.
        case notRegular
        case tooLarge(maxBytes: Int)

        /// The reason without the path, such as "Permission denied".
        package var description: String {
            switch self {
            case .failed(let number): String(cString: strerror(number))
            case .notRegular: "not a regular file"
            case .tooLarge(let maxBytes): "larger than \(maxBytes) bytes"
            }
        }
    }

    /// The treatment of pipes: opening or reading a pipe may wait for a writer (fifo(7)).
    package enum Pipes {
        case read
        /// A pipe without a writer is treated as empty.
        case readWithoutWaiting
        /// All files except regular files are refused. For a directory, the error is that of read(2).
        case refuse
    }

    /// Returns the contents of a file.
    ///
    /// - Parameters:
    ///   - path: the path of a file, including those in proc(5).
    ///   - maxBytes: the maximum size of the contents.
    package static func bytes(
        at path: String, maxBytes: Int = .max, pipes: Pipes = .read
    ) throws(Unreadable) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | (pipes == .read ? 0 : O_NONBLOCK))
        guard descriptor >= 0 else { throw .failed(errno: errno) }
        defer { close(descriptor) }
        if pipes == .refuse {
            var status = stat()
            guard fstat(descriptor, &status) == 0 else { throw .failed(errno: errno) }
            guard [S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else { throw .notRegular }
        }
        var (bytes, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 65_536))
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count > 0 {
                bytes += chunk[..<count]
                guard bytes.count <= maxBytes else { throw .tooLarge(maxBytes: maxBytes) }
            } else if count == 0 {
                return bytes
            } else if errno != EINTR {
                throw .failed(errno: errno)
            }
        }
    }
}
