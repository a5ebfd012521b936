import RecordKeeping
import Synchronization
import Testing

@testable import Daemon

/// That thousands of events keep nobody else waiting, and come in order all the same.
@Suite(.timeLimit(.minutes(20))) struct EventTurnTests {
    private static let many = 3 * ControlLimits.eventsPerTurn
    /// The first call of the first client.
    private static let request = Request.ID(peer: PeerID(number: 1), number: 1)

    /// A client that is being told events.
    private static func listener(of service: Service) throws -> UnixClient {
        let listener = try service.connect()
        try listener.send(CallText.monitor("added"))
        let other = try service.connect()
        try other.send(CallText.add("10.0.0.1"))
        #expect(try listener.message()?.contains("10.0.0.1") == true)
        return listener
    }

    private static func tellMany(_ server: ControlServer) throws {
        let address = try IPAddress("192.0.2.1")
        for seq in 1...many {
            let notice = Notice(seq: Int64(seq), at: WallTime(milliseconds: 0), kind: .added, address: address)
            server.publish(notice, nil, to: [request])
        }
    }

    private static func expectMany(at listener: UnixClient) throws {
        for seq in 1...many {
            let message = try #require(try listener.message())
            #expect(message.contains("\"seq\":\(seq)}") || message.contains("\"seq\":\(seq),"), "\(message)")
        }
    }

    @Test func `who comes meanwhile has its turn before the last of them`() async throws {
        try await Service.run { service in
            let listener = try Self.listener(of: service)
            let left = Mutex<Int?>(nil)
            try service.onQueue { _ in
                let server = try #require(service.server)
                try Self.tellMany(server)
                #expect(server.pendingEvents.count == Self.many)
                server.later { left.withLock { $0 = service.server?.pendingEvents.count } }
            }
            try Self.expectMany(at: listener)
            #expect(left.withLock { $0 } == Self.many - ControlLimits.eventsPerTurn)
        }
    }

    @Test func `the last answer to a listener comes behind its events`() async throws {
        try await Service.run { service in
            let listener = try Self.listener(of: service)
            try service.onQueue { _ in
                let server = try #require(service.server)
                try Self.tellMany(server)
                server.answer(Self.request, .refused(.invalidCursor))
            }
            try Self.expectMany(at: listener)
            #expect(try listener.message()?.contains("InvalidCursor") == true)
        }
    }

    @Test func `no more are left over when the next commit brings some`() async throws {
        try await Service.run { service in
            let listener = try Self.listener(of: service)
            try service.onQueue { engine in
                let server = try #require(service.server)
                try Self.tellMany(server)
                engine.handleNow(.committed(Commit.ID(number: 1_000_000)))
                #expect(server.pendingEvents.isEmpty)
            }
            try Self.expectMany(at: listener)
        }
    }

    @Test func `who is let go hears them before`() async throws {
        try await Service.run { service in
            let listener = try Self.listener(of: service)
            try service.onQueue { engine in
                try Self.tellMany(try #require(service.server))
                engine.dismissClients {}
            }
            try Self.expectMany(at: listener)
            #expect(try listener.message() == nil)
        }
    }

    @Test func `what was asked before the end is answered, however much it names`() async throws {
        try await Service.run { service in
            let client = try service.connect()
            try service.waitForSockets(2)
            try service.onQueue { engine in
                // Nobody has read it yet: the queue is held up.
                let show = CallText.show(many: ControlLimits.addressesPerTurn + 1)
                try client.send(show, show, show)
                engine.dismissClients {}
            }
            for _ in 0..<3 { #expect(try client.message()?.contains("10.0.0.0") == true) }
            #expect(try client.message() == nil)
        }
    }
}
