import Control
import Glibc
import Testing

@testable import Daemon

/// The end of connections, orderly or not.
@Suite struct EndingTests {
    @Test func `a client that shuts down sending gets its reply, then the end of the stream`() async throws {
        try await Service.run { service in
            let client = try service.connect()
            try client.send(CallText.add("10.0.0.1"))
            client.endSending()
            #expect(try client.messagesToTheEnd() == [#"{"parameters":{"added":1,"already":0}}"#])
        }
    }

    @Test func `a client that shuts down sending after several calls gets every reply`() async throws {
        try await Service.run { service in
            let client = try service.connect()
            try client.send(CallText.add("10.0.0.1"), CallText.add("10.0.0.1", "10.0.0.2"), CallText.add("10.0.0.3"))
            client.endSending()
            #expect(
                try client.messagesToTheEnd() == [
                    #"{"parameters":{"added":1,"already":0}}"#, #"{"parameters":{"added":1,"already":1}}"#,
                    #"{"parameters":{"added":1,"already":0}}"#,
                ])
        }
    }

    @Test(arguments: [(calls: 3, readsBefore: true), (calls: 100, readsBefore: false)])
    func `oneway calls are handled even if the client hangs up at once`(
        calls: Int, readsBefore: Bool
    ) async throws {
        try await Service.run { service in
            let (hasty, client) = (try service.connect(), try service.connect())
            for each in [hasty, client] { try each.send(CallText.info) }
            // Closing with an unread reply resets the connection, instead of ending it in order.
            var state = pollfd(fd: hasty.descriptor, events: Int16(POLLIN), revents: 0)
            #expect(poll(&state, 1, 30_000) == 1)
            if readsBefore { _ = try hasty.message() }
            _ = try client.message()
            let texts = (1...calls).map { "\(CallText.add("10.0.0.\($0)").dropLast()),\"oneway\":true}" }
            try hasty.send(bytes: CallText.bytes(texts))
            hasty.close()
            try service.waitForSockets(2)
            try client.send(CallText.status)
            #expect(try client.message()?.contains("\"watched\":\(calls)}") == true)
        }
    }

    @Test(arguments: [CallText.show("1.1.1.1", wait: 3_600_000), CallText.monitor("added"), ""])
    func `a client that hangs up is removed at once, whatever it waits for`(call: String) async throws {
        try await Service.run { service in
            let client = try service.connect()
            if call.isEmpty { try client.send(bytes: [0x7B]) } else { try client.send(call) }
            // The call has been handled once a later client is answered.
            let other = try service.connect()
            try other.send(CallText.info)
            _ = try other.message()
            try service.waitForSockets(3)
            client.close()
            try service.waitForSockets(2)
        }
    }

    @Test(arguments: [CallText.show("1.1.1.1", wait: 3_600_000), CallText.monitor("added")])
    func `a client that hangs up is removed, however much it has sent behind a pending call`(call: String)
        async throws
    {
        try await Service.run { service in
            let client = try service.connect()
            try client.send(call)
            // More than is buffered during a call, so that the daemon stops reading.
            do throws(UnixClient.Failed) {
                try client.send(bytes: [UInt8](repeating: 0x20, count: ControlLimits.messageBytes + 100_000))
            } catch {
                // If the provider fails before the client has sent everything, the call ends, and the daemon
                // disconnects the client, because the rest is too long for a message.
                #expect(error.errno == EPIPE || error.errno == ECONNRESET)
            }
            client.close()
            try service.waitForSockets(1)
        }
    }

    @Test(arguments: [
        [CallText.show("1.1.1.1", wait: 3_600_000)], [CallText.monitor("added")], [CallText.add("10.0.0.9")],
        [String](repeating: CallText.status, count: 50),
    ])
    func `a change that was sent before a hang-up is made, whatever precedes it`(before: [String]) async throws {
        try await Service.run { service in
            let (hasty, client) = (try service.connect(), try service.connect())
            try client.send(CallText.info)
            _ = try client.message()
            try hasty.send(bytes: CallText.bytes(before + [CallText.add("10.0.0.1")]))
            hasty.close()
            try service.waitForSockets(2)
            try client.send(CallText.show("10.0.0.1", wait: 0))
            #expect(try client.message()?.contains("\"watched\":true") == true)
        }
    }

    @Test func `a client that shuts down receiving has its calls handled, and is removed`() async throws {
        try await Service.run { service in
            let (deaf, client) = (try service.connect(), try service.connect())
            try client.send(CallText.info)
            _ = try client.message()
            #expect(shutdown(deaf.descriptor, Int32(SHUT_RD)) == 0)
            try deaf.send(CallText.status, CallText.add("10.0.0.1"))
            try service.waitForSockets(2)
            try client.send(CallText.show("10.0.0.1", wait: 0))
            #expect(try client.message()?.contains("\"watched\":true") == true)
        }
    }

    @Test(arguments: ["", "nonsense", "[]", "{}", #"{"method":5}"#, #"{"method":"a.b","more":"yes"}"#, "\u{0}"])
    func `a client that sends an invalid message gets earlier replies, then the end`(nonsense: String) async throws {
        try await Service.run { service in
            let client = try service.connect()
            try client.send(CallText.add("10.0.0.1"), CallText.status, nonsense, CallText.status)
            let messages = try client.messagesToTheEnd()
            #expect(messages.count == 2)
            #expect(messages.first == #"{"parameters":{"added":1,"already":0}}"#)
            try service.waitForSockets(1)
        }
    }

    @Test func `a message of 8 MiB is accepted, and a longer one ends the connection`() async throws {
        try await Service.run { service in
            let limit = ControlLimits.messageBytes
            let client = try service.connect()
            let padding = String(repeating: " ", count: limit - CallText.status.utf8.count)
            try client.send(padding + CallText.status)
            #expect(try client.message()?.contains("\"watched\":0}") == true)
            // The connection ends during or after sending.
            do throws(UnixClient.Failed) {
                try client.send(bytes: [UInt8](repeating: 0x20, count: limit + 1))
            } catch {
                #expect(error.errno == EPIPE || error.errno == ECONNRESET)
            }
            #expect(try client.messagesToTheEnd() == [])
        }
    }
}
