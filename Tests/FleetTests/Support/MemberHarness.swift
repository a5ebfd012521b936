import RecordKeeping
import Testing

@testable import Fleet

/// A member with a clock that the test advances, and a database whose replies the test provides.
///
/// Queries are kept by lane until the test replies. A test states all other effects with `expect`, before the next
/// event.
final class MemberHarness {
    private(set) var member: Member
    private(set) var now = BootTime(nanoseconds: 1_000_000_000_000)
    /// The effects that the test has not expected yet, except queries, cancellations and timers.
    private var unexpected: [FleetEffect] = []
    private(set) var queries: [FleetQuery.Lane: (id: FleetQuery.ID, query: FleetQuery)] = [:]
    /// The last event; nil before the first one.
    private var lastEvent: FleetEvent?
    private let sourceLocation: SourceLocation

    /// The fleet's row that replies show.
    var fleet = FleetRow(server: MemberHarness.server)
    /// The server that replies.
    var server = MemberHarness.server
    /// The journal that polls show.
    var rows: [JournalRow] = []
    var proposals: [Proposal] = []
    var peers: [NodeRow] = []

    static let server = ServerID(system: 7, timeline: 1)
    static let node = NodeID("a")
    static let other = NodeRun(node: NodeID("b"), epoch: 1)
    /// The run of the member, once it has registered.
    private(set) var own = NodeRun(node: node, epoch: 0)

    /// The incarnation that the fleet's row has at the beginning.
    static let incarnation = Incarnation(number: 0, id: .none)

    init(
        cursor: JournalCursor = .start, starts: [IncarnationStart] = [],
        incarnation: Incarnation = MemberHarness.incarnation, seed: UInt64 = 1,
        idPrefix: UInt64 = 1, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        self.sourceLocation = sourceLocation
        let identity = NodeIdentity(id: Self.node, name: "a", machine: "m", version: "1", encoding: 1)
        let settings = MemberSettings(
            identity: identity, requestTimeout: .seconds(5), cursor: cursor, recent: [cursor],
            starts: starts, cursorIncarnation: incarnation, incarnation: incarnation)
        member = Member(settings, seed: seed, idPrefix: idPrefix)
    }

    deinit {
        if !unexpected.isEmpty {
            Issue.record(
                "unexpected effects of \(String(describing: lastEvent)): \(unexpected)", sourceLocation: sourceLocation)
        }
    }

    func handle(_ event: FleetEvent) {
        if !unexpected.isEmpty {
            Issue.record(
                "unexpected effects of \(String(describing: lastEvent)): \(unexpected)", sourceLocation: sourceLocation)
        }
        (unexpected, lastEvent) = ([], event)
        for effect in member.handle(event, at: now) {
            switch effect {
            case .query(let id, let lane, let query): queries[lane] = (id, query)
            case .cancel(let id): for (lane, sent) in queries where sent.id == id { queries[lane] = nil }
            case .arm: break
            default: unexpected.append(effect)
            }
        }
    }

    /// Compares the effects of the last event with these, in order.
    func expect(_ expected: FleetEffect..., sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(unexpected == expected, sourceLocation: sourceLocation)
        unexpected = []
    }

    /// Returns the effects of the last event, which the test evaluates.
    func dequeueEffects() -> [FleetEffect] {
        defer { unexpected = [] }
        return unexpected
    }

    /// Lets time pass, and then fires the timer.
    func pass(_ time: Duration) {
        now = now + time
        handle(.deadlineReached)
    }

    func query(_ lane: FleetQuery.Lane) -> FleetQuery? { queries[lane]?.query }

    func reply(_ lane: FleetQuery.Lane, _ reply: FleetReply) {
        guard let sent = queries.removeValue(forKey: lane) else {
            Issue.record("no query on \(lane)", sourceLocation: sourceLocation)
            return
        }
        handle(.replied(sent.id, reply))
    }

    func fail(_ lane: FleetQuery.Lane, _ failure: FleetFailure) {
        guard let sent = queries.removeValue(forKey: lane) else {
            Issue.record("no query on \(lane)", sourceLocation: sourceLocation)
            return
        }
        handle(.failed(sent.id, failure))
    }

    // MARK: The database

    /// Replies to the poll from `fleet`, `rows` and `proposals`.
    ///
    /// - Parameter count: the maximum number of rows in the reply.
    func answerPoll(count: Int = .max, sourceLocation: SourceLocation = #_sourceLocation) {
        guard case .poll(let cursor, _, _)? = query(.read) else {
            Issue.record("no poll, but \(String(describing: query(.read)))", sourceLocation: sourceLocation)
            return
        }
        let id = cursor == .start ? cursor.id : rows.first { $0.seq == cursor.seq }?.id
        reply(
            .read,
            .polled(
                PollReply(
                    server: server, fleet: fleet, cursorID: id,
                    rows: Array(rows.filter { $0.seq > cursor.seq }.prefix(count)),
                    first: rows.first?.seq ?? 1, last: rows.last?.cursor ?? .start,
                    lastIncarnation: rows.last?.incarnation ?? 0, proposals: proposals,
                    readAt: WallTime(milliseconds: 0))))
    }

    /// Replies to the heartbeat. The lease is held if the fence is that of `fleet`.
    func answerBeat(sourceLocation: SourceLocation = #_sourceLocation) {
        let own = NodeRow.test("a", epoch: own.epoch, machine: "m")
        answerBeat(isRegistered: true, own: own, sourceLocation: sourceLocation)
    }

    func answerBeatIfSent() {
        if case .beat? = query(.lease) { answerBeat() }
    }

    /// Replies to the heartbeat.
    ///
    /// - Parameter own: the node's row; nil if there is none.
    func answerBeat(isRegistered: Bool, own: NodeRow?, sourceLocation: SourceLocation = #_sourceLocation) {
        guard case .beat(_, let lease)? = query(.lease) else {
            Issue.record("no heartbeat, but \(String(describing: query(.lease)))", sourceLocation: sourceLocation)
            return
        }
        let isHeld = lease.map { $0.fence.term == fleet.term && $0.fence.leader == fleet.leader } ?? false
        if isHeld { fleet.beat += 1 }
        reply(
            .lease,
            .beat(
                BeatReply(
                    server: server, isRegistered: isRegistered, isLeaseHeld: isHeld, fleet: fleet,
                    nodes: (own.map { [$0] } ?? []) + peers)))
    }

    /// Starts the member and registers it. Its first heartbeat and its first poll are then in flight.
    func register() {
        handle(.started)
        reply(.lease, .node(nil))
        if case .register(let row, _)? = query(.lease) { own = row.run }
        reply(.lease, .changed(true))
    }

    /// Lets time pass with a poll each second and a heartbeat every two seconds that are answered at once.
    func live(_ seconds: Int) {
        for _ in 0..<seconds {
            answerBeatIfSent()
            if case .poll? = query(.read) { answerPoll() }
            pass(.seconds(1))
        }
    }

    /// Makes the member the leader of the next term.
    func lead() -> Leadership? {
        register()
        live(9)
        answerBeatIfSent()
        if case .poll? = query(.read) { answerPoll() }
        guard case .takeOver? = query(.lease) else { return nil }
        (fleet.term, fleet.leader) = (fleet.term + 1, own)
        reply(.lease, .changed(true))
        answerBeat()
        answerPoll()
        guard case .role(.leading(let leadership))? = dequeueEffects().first else { return nil }
        return leadership
    }

    /// Returns the row that follows the last one.
    func nextRow(seq: Int64? = nil, previous: UniqueID? = nil, encoding: Int = 1, outcomes: [ProposalOutcome] = [])
        -> JournalRow
    {
        let last = rows.last?.cursor ?? .start
        return JournalRow(
            seq: seq ?? last.seq + 1, id: UniqueID(high: 9, low: UInt64(rows.count + 1)),
            previous: previous ?? last.id, term: fleet.term, incarnation: fleet.incarnation.number, clock: now,
            encoding: encoding, body: [1], outcomes: outcomes)
    }
}

extension NodeRow {
    /// A row whose node has registered on a machine.
    static func test(_ id: String, epoch: Int64 = 1, machine: String = "n") -> NodeRow {
        NodeRow(id: NodeID(id), name: id, epoch: epoch, machine: machine, version: "1", encoding: 1)
    }
}
