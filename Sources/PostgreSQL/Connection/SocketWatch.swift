import Dispatch
import Glibc

/// Calls a closure on a queue while a socket can be read, or can be written to, until the last reference to the watch
/// is gone.
///
/// libpq closes its socket, and may open another one with the same number while it connects. The watch therefore has a
/// duplicate of the descriptor (dup(2)), which stays open until Dispatch has stopped watching it. Each watch has a
/// duplicate of its own, because Dispatch on Linux shares state between sources of one descriptor.
final class SocketWatch {
    enum Event {
        case readable, writable
    }

    private let source: any DispatchSourceProtocol

    /// - Returns: nil if no descriptor is free, or if there is no such socket.
    init?(_ event: Event, of socket: Int32, queue: DispatchQueue, handler: @escaping @Sendable () -> Void) {
        let descriptor = fcntl(socket, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { return nil }
        switch event {
        case .readable: source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        case .writable: source = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
        }
        source.setEventHandler(handler: handler)
        source.setCancelHandler { close(descriptor) }
        source.activate()
    }

    deinit { source.cancel() }

    /// Whether the peer has closed both directions of a socket, so that its end follows the bytes that are left.
    ///
    /// Dispatch on Linux calls the handler once for a hang-up, and then never again, although there may be more to read
    /// than the handler reads in one call.
    static func isHungUp(_ socket: Int32) -> Bool {
        var state = pollfd(fd: socket, events: 0, revents: 0)
        return poll(&state, 1, 0) == 1 && state.revents & Int16(POLLHUP | POLLERR | POLLNVAL) != 0
    }
}
