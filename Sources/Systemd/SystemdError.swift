import Glibc

/// An error in the exchange with the service manager, or in reading a secret.
package enum SystemdError: Error, Hashable, Sendable, CustomStringConvertible {
    /// sd_notify(3) failed although NOTIFY_SOCKET is set.
    case notNotified(errno: Int32)
    /// LISTEN_FDS, LISTEN_PID or LISTEN_FDNAMES is invalid (sd_listen_fds(3)).
    case badActivation(errno: Int32)
    /// A socket of the unit is not a listening stream socket of AF_UNIX.
    case unsuitableSocket(name: String, descriptor: Int32)
    /// The name is not a file name.
    case badCredentialName(String)
    case unreadableCredential(path: String, errno: Int32)
    case oversizedCredential(path: String, limitBytes: Int)
    /// The file is not valid UTF-8, or its text contains a control character, such as a line break.
    case malformedCredential(path: String)
    /// The file has no text other than white space.
    case emptyCredential(path: String)

    package var description: String {
        switch self {
        case .notNotified(let errno):
            "cannot notify the service manager (NOTIFY_SOCKET): \(Self.text(errno))"
        case .badActivation(let errno):
            "cannot receive the sockets of the service manager (LISTEN_FDS): \(Self.text(errno))"
        case .unsuitableSocket(let name, let descriptor):
            """
            the activated socket \(name) (descriptor \(descriptor)) is not a listening AF_UNIX stream socket; \
            the .socket unit needs ListenStream= with a path
            """
        case .badCredentialName(let name):
            "\"\(name)\" is not a credential name: expected a file name without \"/\""
        case .unreadableCredential(let path, let errno):
            "cannot read the credential \(path): \(Self.text(errno))"
        case .oversizedCredential(let path, let limit):
            "the credential \(path) has more than \(limit) bytes"
        case .malformedCredential(let path):
            "the credential \(path) is not one line of UTF-8 text"
        case .emptyCredential(let path):
            "the credential \(path) is empty"
        }
    }

    /// Whether a credential or a file with a secret is unusable, a problem that only an administrator can correct.
    package var isOfCredential: Bool {
        switch self {
        case .badCredentialName, .unreadableCredential, .oversizedCredential, .malformedCredential, .emptyCredential:
            true
        case .notNotified, .badActivation, .unsuitableSocket: false
        }
    }

    private static func text(_ errno: Int32) -> String { String(cString: strerror(errno)) }
}
