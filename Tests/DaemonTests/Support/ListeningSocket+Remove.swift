import Glibc

@testable import Daemon

extension ListeningSocket {
    /// Removes the socket file, and closes the socket.
    func remove() {
        hide()
        close(descriptor)
    }
}
