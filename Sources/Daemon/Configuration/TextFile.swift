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

    private static func bytes(atPath path: String) throws(Unreadable) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw lastError() }
        defer { close(descriptor) }
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
