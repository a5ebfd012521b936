import Control
import Glibc
import Testing

@testable import Daemon

/// Replies to clients while the daemon stops.
@Suite struct StoppingTests {
    /// A call with a reply of more than a megabyte, which is far more than a socket buffers.
    private static let large = CallText.show(many: 20_000)

    @Test func `a reply is sent completely, however large it is`() async throws {
        try await Service.run { service in
            let client = try service.connect()
            try client.send(Self.large)
            // The reply has begun to arrive.
            var first: UInt8 = 0
            #expect(recv(client.descriptor, &first, 1, Int32(MSG_PEEK)) == 1)
            let gone = Tally()
            service.onQueue { $0.dismissClients { gone.note() } }
            // Reads large pieces, because the service waits only a second.
            var (bytes, piece) = ([UInt8](), [UInt8](repeating: 0, count: 1_048_576))
            while case let count = read(client.descriptor, &piece, piece.count), count > 0 { bytes += piece[..<count] }
            #expect(bytes.count > 1_000_000 && bytes.suffix(4) == Array("]}}\0".utf8))
            #expect(gone.wait(for: 1))
        }
    }

    @Test func `a client that does not read its reply is disconnected, too`() async throws {
        try await Service.run { service in
            let (client, other) = (try service.connect(), try service.connect())
            try client.send(Self.large)
            var first: UInt8 = 0
            #expect(recv(client.descriptor, &first, 1, Int32(MSG_PEEK)) == 1)
            let gone = Tally()
            service.onQueue { $0.dismissClients { gone.note() } }
            // A client without pending replies is disconnected.
            #expect(try other.messagesToTheEnd() == [])
            #expect(gone.wait(for: 1))
            try service.waitForSockets(0)
        }
    }

    @Test func `a change that is unread at the stop is made and acknowledged`() async throws {
        try await Service.run { service in
            let client = try service.connect()
            try service.waitForSockets(2)
            try service.onQueue { engine in
                try client.send(CallText.add("10.0.0.1"))
                engine.terminateNow()
            }
            #expect(try client.message() == #"{"parameters":{"added":1,"already":0}}"#)
        }
    }

    @Test func `calls behind a change that waits for its commit are answered, too`() async throws {
        try await Service.run { service in
            let client = try service.connect()
            try service.waitForSockets(2)
            try service.onQueue { engine in
                try client.send(CallText.add("10.0.0.1"), CallText.add("10.0.0.1"), CallText.info)
                engine.dismissClients {}
            }
            #expect(try client.message() == #"{"parameters":{"added":1,"already":0}}"#)
            #expect(try client.message() == #"{"parameters":{"added":0,"already":1}}"#)
            #expect(try client.message()?.contains("iprecordd") == true)
            #expect(try client.message() == nil)
        }
    }

    @Test func `a connection made before the stop is accepted, and a later one fails`() async throws {
        try await Service.run { service in
            let client = try service.onQueue { engine in
                // The connection waits in the kernel, because the queue that accepts connections is busy here.
                let client = try service.connect()
                try client.send(CallText.add("10.0.0.1"))
                engine.terminateNow()
                return client
            }
            #expect(throws: UnixClient.Failed.self) { try service.connect() }
            #expect(try client.message() == #"{"parameters":{"added":1,"already":0}}"#)
        }
    }

    @Test func `a change after the stop is refused with the reason`() async throws {
        try await Service.run { service in
            let client = try service.connect()
            try client.send(CallText.info)
            _ = try client.message()
            service.onQueue { $0.terminateNow() }
            service.onQueue { _ in }
            try client.send(CallText.add("10.0.0.1"))
            #expect(
                try client.message() == """
                    {"error":"io.iprecord.Control.StoreFailed","parameters":{"message":"the daemon is stopping"}}
                    """)
        }
    }
}
