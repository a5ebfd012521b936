import CSystemd
import Glibc

/// A listening socket that the service manager opened for the daemon: sd_listen_fds(3).
package struct ActivatedSocket: Hashable, Sendable {
    /// FileDescriptorName= of the .socket unit, which is the unit's name unless it says another.
    package let name: String
    /// Open, close-on-exec, listening; it belongs to whoever called `takeAll`.
    package let descriptor: Int32

    /// All of them; empty where the daemon was started by hand.
    ///
    /// Each is a listening stream socket of AF_UNIX; anything else is an error and leaves all of them open. The
    /// variables are taken out of the environment, so that a child does not take the sockets for its own: to be called
    /// once, before there are other threads (setenv(3)).
    package static func takeAll() throws(SystemdError) -> [ActivatedSocket] {
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
        for socket in sockets where sd_is_socket_unix(socket.descriptor, stream, 1, nil, 0) <= 0 {
            throw .unsuitableSocket(name: socket.name, descriptor: socket.descriptor)
        }
        return sockets
    }

    /// SD_LISTEN_FDS_START, a macro with a cast that Swift does not import.
    private static let firstDescriptor: Int32 = 3
}
