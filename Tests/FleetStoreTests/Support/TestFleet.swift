import Fleet
import PostgreSQL
import PostgreSQLTestSupport
import RecordKeeping
import Testing

@testable import FleetStore

/// A fleet of its own in the database of a suite's server, so that tests can run in parallel.
struct TestFleet {
    let server: TemporaryPostgreSQL
    /// A connection that is not the subject of a test.
    let observer: TestConnection
    let name: String
    let key: FleetKey

    init(_ server: TemporaryPostgreSQL) async throws {
        try await self.init(TestConnection(server.socketURL), server)
    }

    /// - Parameter connection: a connection to any database of the server.
    init(_ connection: TestConnection, _ server: TemporaryPostgreSQL) async throws {
        (self.server, observer) = (server, connection)
        name = "fleet \(UInt64.random(in: 0 ... .max))"
        key = try await observer.perform(.initialize(fleet: name, incarnation: .random(), grantingTo: nil)).get()
    }

    init() async throws {
        try await self.init(#require(ServerTrait.server))
    }

    func connect() -> TestConnection { TestConnection(server.socketURL) }

    /// The fleet's row, as a poll shows it.
    func row() async throws -> FleetRow { try await poll().fleet }

    func poll(after cursor: JournalCursor = .start, limit: Int = 500) async throws -> PollReply {
        try await observer.perform(.poll(after: cursor, limit: limit, withProposals: true, in: key)).get()
    }

    /// Registers a node, or a next run of it.
    @discardableResult
    func register(_ name: String, machine: String = "m") async throws -> NodeRun {
        let old = try await observer.perform(.readNode(NodeID(name), in: key)).get()
        let row = NodeRow(
            id: NodeID(name), name: name, epoch: (old?.epoch ?? 0) + 1, machine: machine, version: "1", encoding: 1)
        let isRegistered = try await observer.perform(.register(row, replacing: old?.mark, in: key)).get()
        try #require(isRegistered)
        return row.run
    }

    /// The conditions of a takeover of the current row.
    func takeover(by run: NodeRun) async throws -> Takeover {
        let row = try await row()
        return Takeover(term: row.term, beat: row.beat, incarnation: row.incarnation, newLeader: run)
    }

    /// Makes a node the leader.
    func lead(_ run: NodeRun) async throws -> Fence {
        let takeover = try await takeover(by: run)
        try #require(try await observer.perform(.takeOver(takeover, in: key)).get())
        return Fence(term: takeover.term + 1, leader: run, incarnation: takeover.incarnation)
    }

    /// Registers a node and makes it the leader.
    func leader(_ name: String = "a") async throws -> Fence { try await lead(register(name)) }

    /// The row that follows the last one in the journal.
    func next(_ fence: Fence, body: [UInt8] = [1, 2], outcomes: [ProposalOutcome] = []) async throws -> JournalRow {
        let last = try await poll().last
        return .following(last, fence, body: body, outcomes: outcomes)
    }

    /// Appends rows to the journal.
    func append(_ count: Int, _ fence: Fence) async throws {
        for _ in 0..<count { try await observer.perform(.append(next(fence), behind: fence, in: key)).get() }
    }

    /// The call of the fence as a statement.
    func statement(_ fence: Fence) throws -> String {
        var script = FleetScript(.readCommitted)
        try script.call("fence", fence.arguments(key))
        return script.statements
    }

    /// Waits until the session of a connection waits for something, such as `Lock` or `SyncRep`.
    func wait(until session: ConnectionEvent.Session, waitsFor event: String) async throws {
        let isWaiting = SQLRequest.script(
            """
            SELECT 1 FROM pg_stat_activity WHERE pid = \(session.processID)
              AND '\(event)' IN (wait_event_type, wait_event)
            """)
        while try await observer.results(isWaiting).rows.isEmpty { try Task.checkCancellation() }
    }
}

extension JournalRow {
    static func following(
        _ last: JournalCursor, _ fence: Fence, body: [UInt8] = [1, 2], outcomes: [ProposalOutcome] = []
    ) -> JournalRow {
        JournalRow(
            seq: last.seq + 1, id: .random(), previous: last.id, term: fence.term,
            incarnation: fence.incarnation.number, clock: BootTime(nanoseconds: 5), encoding: 1, body: body,
            outcomes: outcomes)
    }
}

extension UniqueID {
    static func random() -> UniqueID {
        UniqueID(high: .random(in: 1 ... .max), low: .random(in: 1 ... .max))
    }
}

extension FleetScript {
    /// The text without the first statement, for a transaction that a test begins by itself.
    var statements: String { text.split(separator: ";\n").dropFirst().joined(separator: ";\n") }
}

extension FleetOperation {
    /// The statements without those that set the isolation, for a transaction that a test begins by itself.
    var statements: String { request.text.split(separator: ";\n").dropFirst().joined(separator: ";\n") }
}
