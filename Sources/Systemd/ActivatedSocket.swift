import CSystemd
import Glibc

/// A listening socket that the service manager opened for the daemon (sd_listen_fds(3)).
package struct ActivatedSocket: Hashable, Sendable {
    /// FileDescriptorName= of the .socket unit, by default the name of the unit.
    package let name: String
    /// A descriptor with close-on-exec, which the caller of `receiveAll` owns.
    package let descriptor: Int32

    /// The address families of the sockets that a program can serve.
    package enum Families: Sendable {
        /// AF_UNIX.
        case unix
        /// Any family.
        case anyStream
    }

    /// Returns all sockets that the service manager passed; empty if the daemon was not activated by a socket.
    ///
    /// Each must be a listening stream socket of an allowed family. Otherwise, an error is thrown, and all sockets stay
    /// open. The variables that describe them are removed from the environment, so that child processes do not use the
    /// sockets. Therefore, call this function only once, and before other threads exist (setenv(3)).
    package static func receiveAll(allowing families: Families = .unix) throws(SystemdError) -> [ActivatedSocket] {
        var names: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?
        let count = sd_listen_fds_with_names(1, &names)
        guard count >= 0 else { throw .badActivation(errno: -count) }
        var sockets: [ActivatedSocket] = []
        for index in 0..<Int(count) {
            let name = names?[index]
            sockets.append(
                ActivatedSocket(
                    name: name.map { String(cString: $0) } ?? "unknown", descriptor: firstDescriptor + Int32(index)))
            free(name)
        }
        free(names)
        let stream = Int32(bitPattern: SOCK_STREAM.rawValue)
        for socket in sockets {
            let isSuitable =
                switch families {
                case .unix: sd_is_socket_unix(socket.descriptor, stream, 1, nil, 0) > 0
                case .anyStream: sd_is_socket(socket.descriptor, AF_UNSPEC, stream, 1) > 0
                }
            guard !isSuitable else { continue }
            throw .unsuitableSocket(name: socket.name, descriptor: socket.descriptor)
        }
        return sockets
    }

    /// SD_LISTEN_FDS_START, which Swift does not import, because the macro has a cast.
    private static let firstDescriptor: Int32 = 3
}
