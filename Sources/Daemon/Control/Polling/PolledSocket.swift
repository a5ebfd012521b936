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
    /// Whether the poller reports readable bytes.
    private(set) var isReading = true
    /// Whether the poller reports room for writing.
    private var isWriting = false
    /// Whether the other end is closed in both directions, so that the socket is no longer watched.
    private(set) var hasHungUp = false

    /// Watches a connection for reading, and owns it until `release`.
    ///
    /// - Returns: nil if the connection cannot be watched; the caller still owns it then.
    init?(_ connection: Connection, at poller: Poller, _ handler: @escaping (Poller.Readiness) -> Void) {
        guard let number = poller.add(connection.descriptor, handler) else { return nil }
        (self.connection, self.poller, self.number) = (connection, poller, number)
    }

    mutating func setReading(_ wanted: Bool) {
        guard wanted != isReading else { return }
        isReading = wanted
        watch()
    }

    mutating func setWriting(_ wanted: Bool) {
        guard wanted != isWriting else { return }
        isWriting = wanted
        watch()
    }

    private func watch() {
        guard !hasHungUp else { return }
        var interest: Poller.Interest = []
        if isReading { interest.insert(.reading) }
        if isWriting { interest.insert(.writing) }
        poller.watch(descriptor, number, for: interest)
    }

    /// Records that the other end is closed, and stops watching. Bytes that have arrived can still be read.
    mutating func hangUp() {
        guard !hasHungUp else { return }
        hasHungUp = true
        isReading = true
        poller.remove(descriptor, number)
    }

    /// Stops watching, and returns the connection, which the caller must close. Called once, as the last method.
    func release() -> Connection {
        if !hasHungUp { poller.remove(descriptor, number) }
        return connection
    }
}
