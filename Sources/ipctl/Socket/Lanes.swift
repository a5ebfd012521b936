import Varlink

/// Several connections to the daemon, to send many calls side by side.
///
/// On one connection the daemon takes a call when the one before is answered, and a change is answered once it is on disk. Side
/// by side, many changes go to the disk together.
struct Lanes {
    private var connections: [Connection]
    private var waiting: [Int]
    private var next = 0
    private let answered: (ClientConversation.IncomingReply) throws(Complaint) -> Void

    /// The daemon puts into one commit what comes while it writes another; more lanes bring little more.
    private static let count = 16
    /// Enough that the daemon always finds the next call, and few enough that it never has to hold back answers.
    private static let callsPerLane = 6

    /// - Parameters:
    ///   - connection: the first; the others are made as they are needed.
    ///   - answered: is handed each reply.
    init(from connection: Connection, answered: @escaping (ClientConversation.IncomingReply) throws(Complaint) -> Void)
    {
        connections = [connection]
        waiting = [0]
        self.answered = answered
    }

    mutating func send(_ call: ArraySlice<UInt8>) throws(Complaint) {
        if next == connections.count {
            connections.append(try connections[0].another())
            waiting.append(0)
        }
        if waiting[next] == Self.callsPerLane { try receive(on: next) }
        try connections[next].send(call)
        waiting[next] += 1
        next = (next + 1) % Self.count
    }

    /// Waits until all that was sent is answered.
    mutating func wait() throws(Complaint) {
        for lane in connections.indices {
            while waiting[lane] > 0 { try receive(on: lane) }
        }
        next = 0
    }

    private mutating func receive(on lane: Int) throws(Complaint) {
        let reply = try connections[lane].nextReply()
        waiting[lane] -= 1
        try answered(reply)
    }
}
