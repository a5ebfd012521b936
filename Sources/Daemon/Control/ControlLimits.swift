import RecordKeeping

/// Limits of the control socket, each with its reason.
enum ControlLimits {
    /// Maximum size of a client's message: enough for `Limits.addressesPerRequest` of the longest addresses.
    static let messageBytes = 8 * 1_024 * 1_024
    /// Maximum number of unread bytes of a client: about ten thousand events. Above this limit, a listener is
    /// disconnected, and can continue from its cursor; calls from any other client are not processed until that client
    /// reads.
    static let unreadBytes = 4 * 1_024 * 1_024
    /// Maximum number of unread bytes at which a client still gets the next page of a long reply.
    static let pageBytes = 1_024 * 1_024
    /// Maximum number of connections: far more than a host needs, and below the 524,288 descriptors that systemd
    /// allows.
    static let connections = 10_000
    /// Additional connections that only administrators may use.
    static let administratorsReserve = 100
    /// Maximum number of connections of a user who is not an administrator: half of `Limits.listeners`, so that one
    /// user cannot use all of them.
    static let connectionsPerUser = 500
    /// Maximum number of bytes buffered for all clients in total: unhandled calls, pending requests and unread replies.
    /// Above this limit, the clients with the most buffered bytes are disconnected: a thousand messages of
    /// `messageBytes` would take 8 GB.
    static let heldBytes = 128 * 1_024 * 1_024
    /// Estimated memory of an entry in a pending reply, in bytes: about five hundred as a view, and the rest as text.
    static let bytesPerEntry = 1_100
    /// Estimated memory of a change in a pending reply, in bytes: with two changed fields, about four hundred as an
    /// event, and the rest as text.
    static let bytesPerChange = 600
    /// Estimated memory of a group in the reply to a count, in bytes.
    static let bytesPerGroup = 200
    /// Estimated memory of an address in a pending request or in a listener's filter, in bytes.
    static let bytesPerAddress = 48
    /// Time for connected clients to send their first call after the daemon was asked to stop.
    static let firstCall = Duration.milliseconds(500)
    /// Time for clients to read their last replies before the daemon exits. Together with `firstCall` and the keeper's
    /// three seconds for calls in flight, it is less than the five seconds within which the daemon exits.
    static let farewell = Duration.seconds(1)
    /// Unsent bytes above which a listener's events are sent before the end of the turn.
    static let bytesPerFlush = 64 * 1_024
    /// Size of the parts in which a large reply is sent, in bytes: the client reads one while the next is encoded.
    static let bytesPerPart = 32 * 1_024
    /// Minimum cost of a call, in addresses. At most sixteen calls of one connection are handled per turn, or fewer if
    /// they name `addressesPerTurn` addresses in total.
    static let addressesPerCall = addressesPerTurn / 16
    /// Maximum number of connections accepted before other clients are served.
    static let connectionsPerTurn = 64
    /// Maximum number of events sent to listeners before other clients are served: a few milliseconds of work.
    static let eventsPerTurn = 512
    /// Number of addresses above which a request is handled in a turn of its own, not in the turn in which it was read.
    static let addressesPerTurn = 512
    /// Maximum number of values and names in a message: enough for the addresses of the largest request and its other
    /// members. A message that has more is refused before it is decoded.
    static let valuesPerMessage = Limits.addressesPerRequest + 1_024
    /// Size in bytes above which a message is processed in a turn of its own: decoding a few hundred addresses takes
    /// less time than receiving them.
    static let bytesPerSmallMessage = 4_096
    /// Maximum time spent on pieces of long work before short requests from other clients are served.
    static let turn = Duration.milliseconds(2)
    /// Maximum number of concurrent reads from the store for clients: one runs while the result of another is handled.
    static let readings = 2
    /// Maximum number of bytes read from one connection before other clients are served.
    static let bytesPerTurn = 256 * 1_024
}
