import Control
import Testing

@testable import Daemon

/// Conversations of clients that follow the protocol, however their bytes arrive.
@Suite struct ConversationTests {
    @Test func `the service describes itself and its interface`() async throws {
        try await Service.run { service in
            let client = try service.connect()
            try client.send(CallText.info)
            let reply = try #require(try client.message())
            #expect(reply.contains(#""interfaces":["io.iprecord.Control","org.varlink.service"]"#))
            #expect(reply.contains(#""product":"iprecordd""#))
            try client.send(CallText.description(of: Interface.name))
            #expect(
                try client.message()?.contains("method Show(addresses: []string, wait: ?int, lookup: ?bool)") == true)
        }
    }

    @Test func `a call that arrives byte by byte is answered`() async throws {
        try await Service.run { service in
            let client = try service.connect()
            for byte in Array(CallText.add("10.0.0.1").utf8) + [0] { try client.send(bytes: [byte]) }
            #expect(try client.message() == #"{"parameters":{"added":1,"already":0}}"#)
        }
    }

    @Test func `calls that arrive together are handled and answered in order`() async throws {
        try await Service.run { service in
            let client = try service.connect()
            let calls = (0..<100).flatMap { [CallText.add("10.0.0.\($0 / 2)"), CallText.status] }
            try client.send(bytes: CallText.bytes(calls))
            for number in 0..<100 {
                let added = 1 - number % 2
                #expect(try client.message() == #"{"parameters":{"added":\#(added),"already":\#(1 - added)}}"#)
                #expect(try client.message()?.contains("\"watched\":\(number / 2 + 1)}") == true)
            }
        }
    }

    @Test func `a oneway call gets no reply`() async throws {
        try await Service.run { service in
            let client = try service.connect()
            let silent = #"{"method":"io.iprecord.Control.Add","parameters":{"addresses":["10.0.0.1"]},"oneway":true}"#
            try client.send(silent, CallText.add("10.0.0.1"))
            #expect(try client.message() == #"{"parameters":{"added":0,"already":1}}"#)
        }
    }

    @Test(
        arguments: [
            (
                #"{"method":"io.iprecord.Control.Dance"}"#,
                #"MethodNotFound","parameters":{"method":"io.iprecord.Control.Dance""#
            ),
            (#"{"method":"com.example.Dance"}"#, #"InterfaceNotFound","parameters":{"interface":"com.example""#),
            (#"{"method":"dance"}"#, #"InterfaceNotFound","parameters":{"interface":"""#),
            (CallText.description(of: "com.example"), #"InterfaceNotFound","parameters":{"interface":"com.example""#),
            (
                #"{"method":"io.iprecord.Control.Status","upgrade":true}"#,
                #"InvalidParameter","parameters":{"parameter":"upgrade""#
            ),
            (#"{"method":"io.iprecord.Control.Monitor"}"#, #"ExpectedMore","parameters":{"#),
            (CallText.add("10.0.0"), #"InvalidAddress","parameters":{"address":"10.0.0""#),
            (CallText.add("10.0.0.1", "::g"), #"InvalidAddress","parameters":{"address":"::g""#),
        ])
    func `an error reply names the error, and the connection stays open`(call: String, error: String) async throws {
        try await Service.run { service in
            let client = try service.connect()
            try client.send(call, CallText.status)
            let reply = try #require(try client.message())
            #expect(reply.contains(error))
            #expect(reply.hasPrefix(#"{"error":""#))
            // An invalid address rejects the whole call: nothing was added.
            #expect(try client.message()?.contains("\"watched\":0}") == true)
        }
    }

    @Test func `a listener receives the events of other clients' changes`() async throws {
        try await Service.run { service in
            let (listener, client) = (try service.connect(), try service.connect())
            try listener.send(CallText.monitor("added", "removed"))
            try client.send(CallText.add("10.0.0.1", "10.0.0.2"))
            #expect(try client.message() == #"{"parameters":{"added":2,"already":0}}"#)
            try client.send(#"{"method":"io.iprecord.Control.Remove","parameters":{"addresses":["10.0.0.1"]}}"#)
            #expect(try client.message() == #"{"parameters":{"removed":1}}"#)
            for (address, kind) in [("10.0.0.1", "added"), ("10.0.0.2", "added"), ("10.0.0.1", "removed")] {
                let event = try #require(try listener.message())
                #expect(event.hasPrefix(#"{"continues":true,"parameters":{"event":{"address":"\#(address)","at":"#))
                #expect(event.contains(#""kind":"\#(kind)""#))
            }
        }
    }
}
