import Control
import RecordKeeping
import Varlink

/// A client that speaks Varlink in bytes, and keeps track of its open calls.
struct SimulatedClient {
    /// A call that has not received its final reply.
    struct Asked {
        let number: Int
        let question: Act.ClientAction
        let addresses: [IPAddress]
        /// The time at which the call was sent, or became the first open call.
        var at: Moment
        let wait: Duration
        /// The end that the call requests for watches, on the wall clock.
        var until: WallTime?
        /// The number of times that the wall clock had been set when the call was sent.
        var steps = 0
        /// The addresses that the pages of a list have contained so far.
        var listed: [IPAddress] = []
        /// The addresses that the list must contain, each with its number of changes so far; nil until the daemon reads
        /// the call.
        var expected: [IPAddress: Int]?
    }

    let isAdministrator: Bool
    let user: UInt32
    /// The client's connection; nil while the client is not connected.
    var connection: Int?
    var conversation = ClientConversation(limitBytes: 64 << 20)
    /// The open calls in the order in which they were sent, which is also the order of the replies.
    var open: [Asked] = []
    /// Whether the client has sent invalid bytes, so that the server may mistake later calls for a part of these bytes.
    var isGarbled = false
    /// The client reads nothing before this moment.
    var readsFrom = Moment.start
    /// Bytes that have arrived and have not been read.
    var unread: [UInt8] = []
    /// The seq of the last event received.
    var cursor: Int64 = 0

    var isListening: Bool {
        open.contains { if case .monitor = $0.question { true } else { false } }
    }

    /// Returns the user id of a client. There are three users without administrative rights.
    static func user(of client: Int) -> UInt32 {
        client % 2 == Simulation.administrator ? 0 : 1_000 + UInt32(client / 2 % 3)
    }

    /// The kinds of events that the client monitors.
    let kinds: Set<PublishedEvent.Kind>

    /// Returns the kinds that a client monitors. Few clients monitor the kinds of which there are many events.
    static func kinds(of client: Int, in plan: Plan) -> Set<PublishedEvent.Kind> {
        let all = Set(PublishedEvent.Kind.allCases)
        guard plan.isLarge else { return client % 4 == 1 ? all : all.subtracting([.refreshed]) }
        return client == 0
            ? all : client % 100 == 4 ? all.subtracting([.refreshed]) : all.subtracting([.refreshed, .added])
    }

    private var kindNames: [String]? {
        kinds.count == PublishedEvent.Kind.allCases.count
            ? nil : PublishedEvent.Kind.allCases.filter { kinds.contains($0) }.map(\.rawValue)
    }

    /// Returns the bytes that an action sends; empty for actions that send nothing.
    ///
    /// - Parameter until: the end that the action requests for watches.
    func bytes(_ question: Act.ClientAction, _ addresses: [IPAddress], until: WallTime?) -> [UInt8] {
        func call(_ method: String, _ parameters: some Encodable, more: Bool = false) -> [UInt8] {
            ClientConversation.call("\(Interface.name).\(method)", parameters, more: more)
        }
        let names = addresses.map(\.description)
        switch question {
        case .add: return call("Add", Add.Parameters(addresses: names, tags: nil, note: nil))
        case .addFor:
            let parameters = Add.Parameters(addresses: names, tags: nil, note: nil, until: until?.milliseconds)
            return call("Add", parameters)
        case .remove: return call("Remove", Remove.Parameters(addresses: names))
        case .show(_, let wait):
            return call("Show", Show.Parameters(addresses: names, wait: wait.wholeMilliseconds))
        case .status: return call("Status", Status.Parameters())
        case .pin(_, let isPinned):
            return call("Label", Label.Parameters(addresses: names, pinned: isPinned))
        case .list(let page): return call("List", List.Parameters(limit: Int64(page)), more: true)
        case .refresh: return call("Refresh", Refresh.Parameters(addresses: nil))
        case .history(let number):
            // Half of the requests have a filter that matches only the address.
            var filter = Interface.Filter()
            filter.search = names[0]
            return call(
                "History",
                number % 2 == 0
                    ? History.Parameters(address: names[0]) : History.Parameters(filter: filter, limit: 10))
        case .outages: return call("Outages", Outages.Parameters())
        case .reload: return call("Reload", Reload.Parameters(force: true))
        case .monitor:
            return call("Monitor", Monitor.Parameters(after: cursor, kinds: kindNames, addresses: nil), more: true)
        case .garbage(let kind): return Self.garbage[kind % Self.garbage.count]
        case .half: return Array(#"{"method":"io.iprecord.Control.St"#.utf8)
        case .stopReading, .hangUp: return []
        }
    }

    private static let garbage: [[UInt8]] = [
        [0], [0xFF, 0xFE, 0], Array("[]".utf8) + [0], Array(#"{"method":"#.utf8) + [0],
    ]
}

/// The daemon's end of one connection, as in the real control server.
final class SimulatedConnection {
    let client: Int
    let peer: PeerID
    var conversation = ServerConversation(limitBytes: 16 << 20)
    var requests: UInt64 = 0
    /// The request that has not been completely answered.
    var current: Request.ID?
    /// The number of sent bytes that the client has not read yet.
    var unread = 0
    /// The maximum number of bytes that a listener may leave unread: far fewer than in the real server, so that
    /// listeners do exceed this limit.
    static let unreadBytes = 16_384
    /// The arrival times of the last bytes in each direction, so that later bytes do not overtake them.
    var lastIn = Moment.start
    var lastOut = Moment.start

    init(client: Int, peer: PeerID) {
        self.client = client
        self.peer = peer
    }
}
