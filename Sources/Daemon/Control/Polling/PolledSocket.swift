import Glibc

/// A client's socket, which the poller watches.
///
/// Accessed only on the poller's queue.
struct PolledSocket {
    let connection: Connection
    var descriptor: Int32 { connection.descriptor }
    private let poller: Poller
    /// The number of this socket in the poller.
    private let number: UInt64
    /// The conditions that the poller reports; nil if the socket is no longer watched.
    private var interest: Poller.Interest? = .reading

    /// Watches a connection for reading, and owns it until `release`.
    ///
    /// - Returns: nil if the connection cannot be watched; the caller still owns it then.
    init?(_ connection: Connection, at poller: Poller, _ handler: @escaping (Poller.Readiness) -> Void) {
        guard let number = poller.add(connection.descriptor, handler) else { return nil }
        (self.connection, self.poller, self.number) = (connection, poller, number)
    }

    /// Replaces the conditions to report. Ignored after `hangUp`.
    mutating func watch(_ wanted: Poller.Interest) {
        guard let interest, interest != wanted else { return }
        self.interest = wanted
        poller.watch(descriptor, number, for: wanted)
    }

    /// Stops watching, because the other end is closed. Bytes that have arrived can still be read.
    mutating func hangUp() {
        guard interest != nil else { return }
        interest = nil
        poller.remove(descriptor, number)
    }

    /// Stops watching, and returns the connection, which the caller must close. Called once, as the last method.
    func release() -> Connection {
        if interest != nil { poller.remove(descriptor, number) }
        return connection
    }
}
