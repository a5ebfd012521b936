import RecordKeeping

/// Every bound of the control socket, with its reason.
enum ControlLimits {
    /// The largest message of a client: room for `Limits.addressesPerRequest` of the longest addresses.
    static let messageBytes = 8 * 1_024 * 1_024
    /// What a listener may leave unread: some ten thousand events. Beyond, it is dropped, and can come back with its cursor.
    static let unreadBytes = 4 * 1_024 * 1_024
    /// A client that catches up with many pages gets the next once it has no more than this unread.
    static let pageBytes = 1_024 * 1_024
    /// Connections at once: below what systemd gives a service in descriptors (524,288) and far above what a host needs.
    static let connections = 10_000
    /// So many more are for administrators.
    static let administratorsReserve = 100
    /// Connections of one user who is no administrator: half of `Limits.listeners`, so that nobody takes the place of all others.
    static let connectionsPerUser = 500
    /// What clients have sent or left unread, or wait for an answer to, in all of them together. Beyond, whoever has most of it
    /// is dropped: a thousand clients of `messageBytes` each would else be 8 GB.
    static let heldBytes = 128 * 1_024 * 1_024
    /// By how much an entry counts that is to be told, until it is: some five hundred bytes, and a few more as text.
    static let bytesPerEntry = 1_100
    /// By how much an address counts that a listener hears of, in a set.
    static let bytesPerAddress = 48
    /// How long, once the daemon is to end, who has connected and not asked yet is waited for.
    static let firstCall = Duration.milliseconds(500)
    /// How long, at the end, a client has to take what it was answered. With `firstCall` and the keeper's three seconds for the
    /// calls under way it is below the five within which the daemon ends.
    static let farewell = Duration.seconds(1)
    /// Events are sent once there is so much of them, or once no more come.
    static let bytesPerFlush = 64 * 1_024
    /// A large reply is sent in parts of so much, so that its client reads one while the next is put down.
    static let bytesPerPart = 32 * 1_024
    /// For so many a call counts that names fewer, so that sixteen of one connection at most are taken before the others get
    /// their turn; and those that name more than `addressesPerTurn` together, no more of them.
    static let addressesPerCall = addressesPerTurn / 16
    /// Connections that are taken before those who are there get their turn.
    static let connectionsPerTurn = 64
    /// Events that listeners are told before the others get their turn: some milliseconds of work.
    static let eventsPerTurn = 512
    /// A request with more addresses is carried out in a turn of its own, and not in that in which it was read.
    static let addressesPerTurn = 512
    /// Values and names in a message: the addresses of the largest request, and room for its other members. A message
    /// with more is refused before it is decoded.
    static let valuesPerMessage = Limits.addressesPerRequest + 1_024
    /// Size in bytes above which a message is processed in a turn of its own: decoding some hundred addresses takes
    /// less time than receiving them.
    static let bytesPerSmallMessage = 4_096
    /// Time for pieces of long work before short requests of other clients get their turn.
    static let turn = Duration.milliseconds(2)
    /// Concurrent readings from the store for clients: one is read while the result of another is handled.
    static let readings = 2
    /// Read from one connection before the others get their turn.
    static let bytesPerTurn = 256 * 1_024
}
