/// Every bound of the control socket, with its reason.
enum ControlLimits {
    /// The largest message of a client: room for `Limits.addressesPerRequest` of the longest addresses.
    static let messageBytes = 8 * 1_024 * 1_024
    /// What a listener may leave unread: some ten thousand events. Beyond, it is dropped, and can come back with its cursor.
    static let unreadBytes = 4 * 1_024 * 1_024
    /// Connections at once: below what systemd gives a service in descriptors (524,288) and far above what a host needs.
    static let connections = 10_000
    /// Read from one connection before the others get their turn.
    static let bytesPerTurn = 256 * 1_024
}
