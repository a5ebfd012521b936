import Files
import Glibc

/// The secrets that the service manager passes as files (LoadCredential= of systemd.exec(5)).
package struct Credentials: Hashable, Sendable {
    /// The value of $CREDENTIALS_DIRECTORY; nil if it is not set.
    private let directory: String?

    /// - Parameter directory: the directory of the credentials; by default, that of this process.
    package init(directory: String? = getenv("CREDENTIALS_DIRECTORY").map { String(cString: $0) }) {
        self.directory = directory
    }

    /// Returns the single line of a credential, without surrounding white space; nil if there is no such credential, or
    /// if it is a comment, as in the unit's fallback value.
    package func text(named name: String) throws(SystemdError) -> String? {
        guard !name.isEmpty, name != ".", name != "..", !name.utf8.contains(UInt8(ascii: "/")),
            !name.utf8.contains(0)
        else { throw .badCredentialName(name) }
        guard let directory else { return nil }
        let text = try Self.text(atPath: "\(directory)/\(name)")
        return text?.hasPrefix("#") == true ? nil : text
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
        do throws(WholeFile.Unreadable) {
            return try WholeFile.bytes(at: path, maxBytes: maxBytes)
        } catch {
            switch error {
            case .failed(errno: ENOENT): return nil
            case .tooLarge(let maxBytes): throw .oversizedCredential(path: path, limitBytes: maxBytes)
            case .failed(let number): throw .unreadableCredential(path: path, errno: number)
            case .notRegular: throw .unreadableCredential(path: path, errno: EINVAL)
            }
        }
    }

    /// Maximum size of a file in bytes. A key is a few dozen bytes long; a much larger file is not a key.
    private static let maxBytes = 16_384
}
