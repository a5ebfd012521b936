import Glibc

/// A client's socket, which the poller watches.
///
/// Accessed only on the poller's queue.
struct PolledSocket {
    let connection: Connection
    var descriptor: Int32 { connection.descriptor }
    private let poller: Poller
    /// The number of this socket in the poller; 0 before `begin`.
    private var number: UInt64 = 0
    /// The conditions that the poller reports; nil while the socket is not watched.
    private var interest: Poller.Interest?

    /// - Parameter connection: owned by the caller until `begin`, and then by the socket until `release`.
    init(_ connection: Connection, at poller: Poller) {
        (self.connection, self.poller) = (connection, poller)
    }

    /// Watches the connection for reading. Called once, as the first method.
    ///
    /// - Parameter handler: retained until `hangUp` or `release`.
    /// - Returns: false if the connection cannot be watched (``Poller/add(_:_:)``); the caller still owns it then.
    mutating func begin(_ handler: @escaping (Poller.Readiness) -> Void) -> Bool {
        guard let number = poller.add(descriptor, handler) else { return false }
        (self.number, interest) = (number, .reading)
        return true
    }

    /// Replaces the conditions to report. Ignored while the socket is not watched.
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
