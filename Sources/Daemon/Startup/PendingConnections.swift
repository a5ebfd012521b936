import CLinux
import Glibc

/// Connections that wait on the service manager's sockets for a daemon that cannot start.
///
/// While a connection waits, the service manager starts the daemon again at once. After 20 starts within 2 s, the
/// socket unit fails, and clients can no longer connect (TriggerLimitIntervalSec= of systemd.socket(5)). Therefore, a
/// daemon that cannot start until an administrator intervenes closes all connections.
struct PendingConnections {
    /// Listening sockets.
    let descriptors: [Int32]
    /// Accepts a connection, as accept4(2) does; returns -1 with errno if it fails.
    var acceptConnection: (Int32) -> Int32 = clinux_accept

    /// Time during which new connections are also closed, which bounds the rate of failed starts. The time equals the
    /// unit's RestartSec=, after which the service manager retries a start that failed for another reason.
    static let linger = Duration.seconds(2)

    /// Maximum number of connections that are closed on one socket before the time is checked. It is the kernel's
    /// default backlog limit (net.core.somaxconn), so that all waiting connections are closed even if clients keep
    /// connecting.
    static let maxPerPass = Int(SOMAXCONN)

    /// Closes all waiting connections, and those that arrive within `linger`. Returns at once if none is waiting.
    func close(for linger: Duration = linger) {
        // accept(2) on a blocking socket would hang if a client disconnected after poll(2).
        for descriptor in descriptors where fcntl(descriptor, F_SETFL, O_NONBLOCK) != 0 { return }
        // The process exits whether or not the closer is done.
        let closer = ConnectionCloser()
        var deadline: ContinuousClock.Instant?
        while awaitConnection(until: deadline) {
            deadline = deadline ?? .now + linger
            var isOutOfDescriptors = false
            for listener in descriptors {
                for _ in 0..<Self.maxPerPass {
                    let connection = acceptConnection(listener)
                    if connection < 0 {
                        if errno == EMFILE || errno == ENFILE || errno == ENOMEM { isOutOfDescriptors = true }
                        break
                    }
                    Connection(connection).close(by: closer)
                }
            }
            // After an error the sockets stay readable, and the loop would spin.
            if isOutOfDescriptors { return }
        }
    }

    /// Waits for a connection until the deadline.
    ///
    /// - Parameter deadline: nil to return at once.
    /// - Returns: whether a connection waits on one of the sockets, and the deadline has not passed.
    private func awaitConnection(until deadline: ContinuousClock.Instant?) -> Bool {
        var waiting = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while true {
            let left = deadline.map { max(.zero, $0 - .now) } ?? .zero
            let (seconds, attoseconds) = left.components
            // The time is rounded up, because a wait of less than a millisecond would otherwise spin.
            let milliseconds = seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000
            let count = poll(&waiting, nfds_t(waiting.count), Int32(clamping: milliseconds))
            if count >= 0 || errno != EINTR { return count > 0 && (deadline == nil || left > .zero) }
        }
    }
}
