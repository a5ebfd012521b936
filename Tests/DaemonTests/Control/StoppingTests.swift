import Control
import Glibc
import Testing

@testable import Daemon

/// What clients get while the daemon ends.
@Suite struct StoppingTests {
    /// A reply of several megabytes, far more than a socket takes at once.
    private static let large = CallText.show(many: 20_000)

    @Test func `what was answered is sent to its end, however large it is`() async throws {
        try await Service.run { service in
            let client = try service.connect()
            try client.send(Self.large)
            // The answer has begun to come: all of it is with the server.
            var first: UInt8 = 0
            #expect(recv(client.descriptor, &first, 1, Int32(MSG_PEEK)) == 1)
            let gone = Tally()
            service.onQueue { $0.dismissClients { gone.note() } }
            // In large pieces: there is a second for it.
            var (bytes, piece) = ([UInt8](), [UInt8](repeating: 0, count: 1_048_576))
            while case let count = read(client.descriptor, &piece, piece.count), count > 0 { bytes += piece[..<count] }
            #expect(bytes.count > 1_000_000 && bytes.suffix(4) == Array("]}}\0".utf8))
            #expect(gone.wait(for: 1))
        }
    }

    @Test func `who does not take what it was answered is let go all the same`() async throws {
        try await Service.run { service in
            let (client, other) = (try service.connect(), try service.connect())
            try client.send(Self.large)
            var first: UInt8 = 0
            #expect(recv(client.descriptor, &first, 1, Int32(MSG_PEEK)) == 1)
            let gone = Tally()
            service.onQueue { $0.dismissClients { gone.note() } }
            // Who has nothing to come is not kept waiting for that.
            #expect(try other.messagesToTheEnd() == [])
            #expect(gone.wait(for: 1))
            try service.waitForSockets(0)
        }
    }

    @Test func `what was asked before the stop is done and answered, though nobody had looked at it`() async throws {
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

    @Test func `what stands behind a change that waits for the disk is answered, too`() async throws {
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

    @Test func `who had connected before the stop is taken, and who comes later finds nobody`() async throws {
        try await Service.run { service in
            let client = try service.onQueue { engine in
                // It waits in the kernel: the queue that would take it is here.
                let client = try service.connect()
                try client.send(CallText.add("10.0.0.1"))
                engine.terminateNow()
                return client
            }
            #expect(throws: UnixClient.Failed.self) { try service.connect() }
            #expect(try client.message() == #"{"parameters":{"added":1,"already":0}}"#)
        }
    }

    @Test func `what is asked after the end is told so`() async throws {
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
