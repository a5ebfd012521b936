import Glibc

/// A client's socket, as the poller watches it.
///
/// Belongs to the poller's queue.
struct PolledSocket {
    let connection: Connection
    var descriptor: Int32 { connection.descriptor }
    private let poller: Poller
    /// The poller's, of this connection.
    private let number: UInt64
    /// What comes is told.
    private(set) var isReading = true
    /// That it takes more is told.
    private var isWriting = false
    /// The other end is closed in both directions: nothing is told any more.
    private(set) var hasHungUp = false

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

    /// Nobody is at the other end any more. What has come can still be read.
    mutating func hangUp() {
        guard !hasHungUp else { return }
        hasHungUp = true
        isReading = true
        poller.remove(descriptor, number)
    }

    /// Stops watching, and gives the connection to the caller, who closes it. It is called once, and nothing is called
    /// after it.
    func release() -> Connection {
        if !hasHungUp { poller.remove(descriptor, number) }
        return connection
    }
}
