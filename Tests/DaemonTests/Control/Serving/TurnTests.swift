import Control
import Foundation
import RecordKeeping
import Testing
import Varlink

@testable import Daemon

/// Long work of one client is done in pieces, and short requests of other clients are answered in between.
@Suite(.timeLimit(.minutes(20))) struct TurnTests {
    /// A message with more values than allowed, and with an escape sequence, which only the full decoder reads.
    private static var manyTexts: [UInt8] {
        let head = #"{"method":"io.iprecord.Control.Show","parameters":{"addresses":["\u0031""#
        let texts = [[UInt8]](repeating: Array(#","""#.utf8), count: ControlLimits.valuesPerMessage)
        return Array(head.utf8) + texts.joined() + Array("]}}".utf8)
    }

    /// A client whose first call was answered, so that its connection has been accepted.
    private static func client(of service: Service) throws -> UnixClient {
        let client = try service.connect()
        try client.send(CallText.status)
        #expect(try client.message()?.contains("\"watched\"") == true)
        return client
    }

    @Test func `a message with too many values is refused, and the connection stays open`() async throws {
        try await Service.run { service in
            let client = try Self.client(of: service)
            try client.send(bytes: Self.manyTexts + [0])
            let limit = Limits.addressesPerRequest
            #expect(
                try client.message() == """
                    {"error":"io.iprecord.Control.TooMany",\
                    "parameters":{"limit":\(limit),"resource":"addressesPerRequest"}}
                    """)
            try client.send(CallText.status)
            #expect(try client.message()?.contains("\"watched\"") == true)
        }
    }

    @Test func `many large messages do not delay a short request of another client`() async throws {
        try await Service.run { service in
            let (clients, other) = (try (0..<4).map { _ in try Self.client(of: service) }, try Self.client(of: service))
            for client in clients { try client.send(bytes: Self.manyTexts) }
            try service.onQueue { _ in
                // All messages are complete when the queue is free again.
                for client in clients { try client.send(bytes: [0]) }
                try other.send(CallText.status)
            }
            // The short request is answered before the last large message.
            #expect(try other.message()?.contains("\"watched\"") == true)
            #expect(service.onQueue { _ in service.server?.turns.isEmpty } == false)
            for client in clients { #expect(try client.message()?.contains("TooMany") == true) }
        }
    }

    @Test func `calls on one connection are answered in order, large and small`() async throws {
        try await Service.run { service in
            let client = try Self.client(of: service)
            let large = CallText.show(many: 1_000)
            try client.send(CallText.info, large, CallText.status, large, CallText.info)
            for part in ["iprecordd", "10.0.3.231", "\"watched\"", "10.0.3.231", "iprecordd"] {
                #expect(try client.message()?.contains(part) == true)
            }
        }
    }

    @Test func `listings, histories, outages and kept events are sent in turns, and completely`() async throws {
        try await Service.run { service in
            let client = try Self.client(of: service)
            let list = (0..<9_000).map { "\"\(IPAddress(v4: 0x0A00_0000 + UInt32($0)))\"" }.joined(separator: ",")
            try client.send(#"{"method":"io.iprecord.Control.Add","parameters":{"addresses":[\#(list)]}}"#)
            #expect(try client.message() == #"{"parameters":{"added":9000,"already":0}}"#)
            let calls = [
                #"{"method":"io.iprecord.Control.List","parameters":{"search":"no such text"}}"#,
                #"{"method":"io.iprecord.Control.History","parameters":{"address":"10.0.0.1","limit":10000}}"#,
                #"{"method":"io.iprecord.Control.Outages","parameters":{"limit":10000}}"#,
            ]
            for _ in 0..<3 {
                let others = try calls.map { call in
                    let other = try service.connect()
                    try other.send(call)
                    return other
                }
                let listener = try service.connect()
                try listener.send(CallText.monitor("added"))
                #expect(try others[0].message() == #"{"parameters":{"total":0,"entries":[]}}"#)
                #expect(try others[1].message() == #"{"parameters":{"changes":[]}}"#)
                #expect(try others[2].message() == #"{"parameters":{"outages":[]}}"#)
                for _ in 0..<9_000 { #expect(try listener.message()?.contains("\"added\"") == true) }
            }
        }
    }

    @Test func `entries of many addresses are built in turns, and sent as one reply`() async throws {
        try await Service.run { service in
            let client = try Self.client(of: service)
            let shown = (0..<9_000).map { IPAddress(v4: 0x0A00_0000 + UInt32($0)).description }
            let parameters = #"{"addresses":\#(shown)"#
            try client.send(#"{"method":"io.iprecord.Control.Add","parameters":\#(parameters)}}"#)
            #expect(try client.message() == #"{"parameters":{"added":9000,"already":0}}"#)
            let show = #"{"method":"io.iprecord.Control.Show","parameters":\#(parameters),"wait":0}"#
            // A oneway call has no reply, whatever its size.
            try client.send(show + #","oneway":true}"#, show + "}", CallText.info)
            struct Message: Decodable { var parameters: Control.Show.Reply }
            let reply = try JSONDecoder().decode(Message.self, from: Data(try #require(try client.message()).utf8))
            #expect(reply.parameters.entries.map(\.address) == shown)
            #expect(try client.message()?.contains("iprecordd") == true)
        }
    }

    @Test func `clients that show many addresses do not delay a short request of another client`() async throws {
        try await Service.run { service in
            let (clients, other) = (try (0..<4).map { _ in try Self.client(of: service) }, try Self.client(of: service))
            for client in clients { try client.send(bytes: Array(CallText.show(many: 60_000).utf8)) }
            try service.onQueue { _ in
                // All messages are complete when the queue is free again.
                for client in clients { try client.send(bytes: [0]) }
                try other.send(CallText.status)
            }
            #expect(try other.message()?.contains("\"watched\"") == true)
            #expect(service.onQueue { _ in service.server?.turns.isEmpty } == false)
            for client in clients {
                let reply = try client.message() ?? "no reply"
                #expect(reply.hasSuffix("]}}"), "\(reply.count) bytes, at the end \(reply.suffix(200))")
            }
        }
    }

    @Test func `a client that disconnects while it waits for its turn blocks no other client`() async throws {
        try await Service.run { service in
            let clients = try (0..<20).map { _ in try Self.client(of: service) }
            let history = #"{"method":"io.iprecord.Control.History","parameters":{"address":"10.0.0.1"}}"#
            try clients[0].send(CallText.add("10.0.0.1"))
            _ = try clients[0].message()
            try service.onQueue { _ in
                for client in clients { try client.send(history) }
                for client in clients.dropLast() { client.close() }
            }
            #expect(try clients[19].message() == #"{"parameters":{"changes":[]}}"#)
            try service.waitForSockets(2)
            #expect(service.onQueue { _ in service.server?.readingCount } == 0)
        }
    }

    @Test func `a closed connection frees a large message that waits for its turn`() async throws {
        try await Service.run { service in
            let client = try Self.client(of: service)
            // Prevents further turns.
            service.onQueue { _ in service.server?.isTurnScheduled = true }
            try client.send(CallText.show(many: 1_000))
            let deadline = SystemClock.now.advanced(by: .seconds(30))
            func isWaiting() -> Bool { service.onQueue { _ in service.server?.turns.isEmpty == false } }
            while !isWaiting(), SystemClock.now.boot < deadline.boot {}
            let bytes = try service.onQueue { _ in
                let peer = try #require(service.server?.peers.values.first)
                let before = peer.channel.conversation.bufferedBytes
                peer.close()
                return (before: before, after: peer.channel.conversation.bufferedBytes)
            }
            #expect(bytes.before > ControlLimits.bytesPerSmallMessage && bytes.after == 0)
        }
    }
}
