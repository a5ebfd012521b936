import RecordKeeping
import Synchronization
import Testing

@testable import Daemon

/// Thousands of events do not delay other clients, and are sent in order.
@Suite(.timeLimit(.minutes(20))) struct EventTurnTests {
    private static let many = 3 * ControlLimits.eventsPerTurn
    /// The first call of the first client.
    private static let request = Request.ID(peer: PeerID(number: 1), number: 1)

    /// A client that receives events.
    private static func listener(of service: Service) throws -> UnixClient {
        let listener = try service.connect()
        try listener.send(CallText.monitor("added"))
        let other = try service.connect()
        try other.send(CallText.add("10.0.0.1"))
        #expect(try listener.message()?.contains("10.0.0.1") == true)
        return listener
    }

    private static func publishMany(_ server: ControlServer) throws {
        let address = try IPAddress("192.0.2.1")
        for seq in 1...many {
            let event = PublishedEvent(seq: Int64(seq), at: WallTime(milliseconds: 0), kind: .added, address: address)
            server.publish(event, nil, to: [request])
        }
    }

    private static func expectMany(at listener: UnixClient) throws {
        for seq in 1...many {
            let message = try #require(try listener.message())
            #expect(message.contains("\"seq\":\(seq)}") || message.contains("\"seq\":\(seq),"), "\(message)")
        }
    }

    @Test func `other clients have a turn before the last of many events is sent`() async throws {
        try await Service.run { service in
            let listener = try Self.listener(of: service)
            let left = Mutex<Int?>(nil)
            try service.onQueue { _ in
                let server = try #require(service.server)
                try Self.publishMany(server)
                #expect(server.pendingEvents.count == Self.many)
                server.later { left.withLock { $0 = service.server?.pendingEvents.count } }
            }
            try Self.expectMany(at: listener)
            #expect(left.withLock { $0 } == Self.many - ControlLimits.eventsPerTurn)
        }
    }

    @Test func `the last reply to a listener follows its events`() async throws {
        try await Service.run { service in
            let listener = try Self.listener(of: service)
            try service.onQueue { _ in
                let server = try #require(service.server)
                try Self.publishMany(server)
                server.answer(Self.request, .refused(.invalidCursor))
            }
            try Self.expectMany(at: listener)
            #expect(try listener.message()?.contains("InvalidCursor") == true)
        }
    }

    @Test func `pending events are sent before those of the next commit`() async throws {
        try await Service.run { service in
            let listener = try Self.listener(of: service)
            try service.onQueue { engine in
                let server = try #require(service.server)
                try Self.publishMany(server)
                engine.handleNow(.committed(Commit.ID(number: 1_000_000)))
                #expect(server.pendingEvents.isEmpty)
            }
            try Self.expectMany(at: listener)
        }
    }

    @Test func `a listener that is disconnected gets its pending events first`() async throws {
        try await Service.run { service in
            let listener = try Self.listener(of: service)
            try service.onQueue { engine in
                try Self.publishMany(try #require(service.server))
                engine.dismissClients {}
            }
            try Self.expectMany(at: listener)
            #expect(try listener.message() == nil)
        }
    }

    @Test func `calls that are unread at the stop are answered, however many addresses they name`() async throws {
        try await Service.run { service in
            let client = try service.connect()
            try service.waitForSockets(2)
            try service.onQueue { engine in
                // The calls are unread, because the queue is busy here.
                let show = CallText.show(many: ControlLimits.addressesPerTurn + 1)
                try client.send(show, show, show)
                engine.dismissClients {}
            }
            for _ in 0..<3 { #expect(try client.message()?.contains("10.0.0.0") == true) }
            #expect(try client.message() == nil)
        }
    }
}
