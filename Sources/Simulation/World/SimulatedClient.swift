import Control
import RecordKeeping
import Varlink

/// A client that speaks Varlink in bytes, and remembers what it asked.
struct SimulatedClient {
    /// A call that has not had its final reply.
    struct Asked {
        let number: Int
        let question: Act.Question
        let addresses: [IPAddress]
        /// When it was asked, or when its turn came.
        var at: Moment
        let wait: Duration
        /// What a list has brought so far, and what it must have in the end.
        var listed: [IPAddress] = []
        var expected: [IPAddress: Int]?
    }

    let isAdministrator: Bool
    /// Nil while it is not connected.
    var connection: Int?
    var conversation = ClientConversation(limitBytes: 64 << 20)
    /// In the order in which they were asked, which is that of the replies.
    var open: [Asked] = []
    /// It has sent what is no call, and what follows it may be taken for a part of that.
    var isGarbled = false
    /// It does not look at what it was sent before then.
    var readsFrom = Moment.start
    /// What has come since.
    var unread: [UInt8] = []
    /// Up to which event it has come.
    var cursor: Int64 = 0

    var isListening: Bool {
        open.contains { if case .monitor = $0.question { true } else { false } }
    }

    /// One client in four wants to hear of each refresh; that is much, and always the same.
    let hearsRefreshes: Bool

    private var kinds: [String]? {
        hearsRefreshes ? nil : Notice.Kind.allCases.map(\.rawValue).filter { $0 != Notice.Kind.refreshed.rawValue }
    }

    /// The bytes of a question.
    func bytes(_ question: Act.Question, _ addresses: [IPAddress]) -> [UInt8] {
        func call(_ method: String, _ parameters: some Encodable, more: Bool = false) -> [UInt8] {
            ClientConversation.call("\(Interface.name).\(method)", parameters, more: more)
        }
        let names = addresses.map(\.description)
        switch question {
        case .add: return call("Add", Add.Parameters(addresses: names, tags: nil, note: nil))
        case .remove: return call("Remove", Remove.Parameters(addresses: names))
        case .show(_, let wait):
            return call("Show", Show.Parameters(addresses: names, wait: wait.wholeMilliseconds))
        case .status: return call("Status", Status.Parameters())
        case .pin(_, let isPinned):
            return call("Label", Label.Parameters(addresses: names, pinned: isPinned))
        case .list(let page): return call("List", List.Parameters(limit: Int64(page)), more: true)
        case .refresh: return call("Refresh", Refresh.Parameters(addresses: nil))
        case .history: return call("History", History.Parameters(address: names[0]))
        case .outages: return call("Outages", Outages.Parameters())
        case .reload: return call("Reload", Reload.Parameters(force: true))
        case .monitor:
            return call("Monitor", Monitor.Parameters(after: cursor, kinds: kinds, addresses: nil), more: true)
        case .garbage(let kind): return Self.garbage[kind % Self.garbage.count]
        case .half: return Array(#"{"method":"io.iprecord.Control.St"#.utf8)
        case .stopReading, .hangUp: return []
        }
    }

    private static let garbage: [[UInt8]] = [
        [0], [0xFF, 0xFE, 0], Array("[]".utf8) + [0], Array(#"{"method":"#.utf8) + [0],
    ]
}

/// The daemon's end of one connection, as the real control server keeps it.
struct SimulatedConnection {
    let client: Int
    let peer: PeerID
    var conversation = ServerConversation(limitBytes: 16 << 20)
    var requests: UInt64 = 0
    /// The request that has not had its last answer.
    var current: Request.ID?
    /// Bytes sent that the client has not read.
    var unread = 0
    /// What a listener may leave unread: far less than the real server allows, so that it happens.
    static let unreadBytes = 16_384
    /// When the last bytes of each direction arrive: none overtake others.
    var lastIn = Moment.start
    var lastOut = Moment.start
}
