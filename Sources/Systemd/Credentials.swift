import Glibc

/// The secrets that the service manager passes as files (LoadCredential= of systemd.exec(5)).
package struct Credentials: Hashable, Sendable {
    /// The value of $CREDENTIALS_DIRECTORY; nil if it is not set.
    package let directory: String?

    package init(directory: String?) {
        self.directory = directory
    }

    /// The credentials of this process.
    package init() {
        self.init(directory: getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) })
    }

    /// Returns the single line of a credential, without surrounding white space; nil if there is no such credential.
    package func text(named name: String) throws(SystemdError) -> String? {
        guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains(UInt8(ascii: "/")),
            !name.utf8.contains(0)
        else { throw .badCredentialName(name) }
        guard let directory else { return nil }
        return try Self.text(atPath: "\(directory)/\(name)")
    }

    /// Returns the single line of a file with a secret, without surrounding white space; nil if there is no such file.
    package static func text(atPath path: String) throws(SystemdError) -> String? {
        guard let bytes = try contents(atPath: path) else { return nil }
        let isSpace: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || (9...13).contains($0) }
        let line = bytes.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
        guard !line.isEmpty else { throw .emptyCredential(path: path) }
        guard !line.contains(where: { $0 < 32 || $0 == 127 }), let text = String(validating: line, as: UTF8.self)
        else { throw .malformedCredential(path: path) }
        return text
    }

    private static func contents(atPath path: String) throws(SystemdError) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw .unreadableCredential(path: path, errno: errno)
        }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            guard count >= 0 else {
                if errno == EINTR { continue }
                throw .unreadableCredential(path: path, errno: errno)
            }
            if count == 0 { return bytes }
            bytes += chunk.prefix(count)
            guard bytes.count <= largestBytes else {
                throw .oversizedCredential(path: path, limitBytes: largestBytes)
            }
        }
    }

    /// Maximum size of a file in bytes. A key is a few dozen bytes long; a much larger file is not a key.
    private static let largestBytes = 16_384
}
