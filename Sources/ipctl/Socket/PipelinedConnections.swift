import Varlink

/// Several connections to the daemon for pipelined calls.
///
/// The daemon handles the calls of a connection one after the other, and replies to a change once it is on disk. With
/// several connections, many changes share a commit.
struct PipelinedConnections {
    private var connections: [DaemonConnection]
    private var pendingCounts: [Int]
    private var next = 0
    private let handleReply: (ClientConversation.IncomingReply) throws(CommandError) -> Void

    /// The number of connections. The daemon combines the changes that arrive during a commit; more connections gain
    /// little.
    private static let count = 16
    /// Pending calls per connection: enough to keep the daemon busy, and few enough that the replies fit into the
    /// socket's buffer.
    private static let callsPerConnection = 6

    /// - Parameters:
    ///   - connection: the first connection; the others are opened as needed.
    ///   - handleReply: handles each reply.
    init(
        from connection: DaemonConnection,
        handleReply: @escaping (ClientConversation.IncomingReply) throws(CommandError) -> Void
    ) {
        connections = [connection]
        pendingCounts = [0]
        self.handleReply = handleReply
    }

    mutating func send(_ call: ArraySlice<UInt8>) throws(CommandError) {
        if next == connections.count {
            connections.append(try connections[0].duplicate())
            pendingCounts.append(0)
        }
        if pendingCounts[next] == Self.callsPerConnection { try receive(on: next) }
        try connections[next].send(call)
        pendingCounts[next] += 1
        next = (next + 1) % Self.count
    }

    /// Waits for the replies to all calls.
    mutating func wait() throws(CommandError) {
        for index in connections.indices {
            while pendingCounts[index] > 0 { try receive(on: index) }
        }
        next = 0
    }

    private mutating func receive(on index: Int) throws(CommandError) {
        let reply = try connections[index].nextReply(isRead: false)
        pendingCounts[index] -= 1
        try handleReply(reply)
    }
}
