import JSON
import Testing

@testable import Varlink

/// Decoding of a server's messages by a client.
struct ClientConversationTests {
    private static func reply(_ message: String) throws -> ClientConversation.IncomingReply? {
        var conversation = ClientConversation(limitBytes: 1_000)
        conversation.receive(wire(message))
        return try conversation.next()
    }

    @Test func `a call is encoded as specified`() {
        let parameters = Asked(name: "n", list: ["a"])
        #expect(
            text(ClientConversation.call("a.b.Show", parameters))
                == #"{"method":"a.b.Show","parameters":{"list":["a"],"name":"n"}}"#)
        #expect(
            text(ClientConversation.call("a.b.Show", parameters, more: true))
                == #"{"method":"a.b.Show","more":true,"parameters":{"list":["a"],"name":"n"}}"#)
    }

    @Test func `a reply has parameters, or an error with parameters`() throws {
        let good = try #require(try Self.reply(#"{"parameters":{"name":"n","newer":1},"continues":true}"#))
        #expect(good.error == nil && good.continues)
        #expect(try good.parameters(as: Asked.self) == Asked(name: "n"), "unknown members are ignored")
        #expect(good.parameters == .object(["name": .string("n"), "newer": .int(1)]))
        let bad = try #require(try Self.reply(#"{"error":"a.b.Wrong","parameters":{"why":"x"}}"#))
        #expect(bad.error == "a.b.Wrong" && !bad.continues)
        #expect(bad.parameters["why"]?.string == "x")
        let bare = try #require(try Self.reply("{}"))
        #expect(bare.error == nil && bare.parameters == .object([:]))
    }

    @Test(arguments: ["", "[]", "1", "{", #"{"error":1}"#, #"{"continues":"yes"}"#])
    func `a message that is not a reply is an error`(message: String) {
        #expect(throws: ConversationError.noReply) { try Self.reply(message) }
    }

    @Test func `parameters can be read while the message is parsed`() throws {
        var conversation = ClientConversation(limitBytes: 1_000)
        conversation.receive(wire(#"{"parameters":{"list":["a","b"]},"continues":true}"#))
        var elements: [String] = []
        let reply = try #require(
            try conversation.next { scanner in
                try scanner.beginObject()
                while try scanner.nextName() != nil {
                    try scanner.beginArray()
                    while try scanner.nextElement() { elements.append(scanner.string(of: try scanner.string())) }
                }
            })
        #expect(elements == ["a", "b"])
        #expect(reply.continues)
        #expect(String(decoding: reply.parametersJSON, as: UTF8.self) == #"{"list":["a","b"]}"#)
        // After an error of the reader, the stream cannot be used any more.
        conversation.receive(wire("{\"parameters\":{}}"))
        #expect(throws: ConversationError.noReply) { try conversation.next { _ in throw CancellationError() } }
        #expect(throws: ConversationError.noReply) { try conversation.next() }
    }

    @Test func `parameters of another type are an error`() throws {
        let reply = try #require(try Self.reply(#"{"parameters":{"name":1}}"#))
        #expect(throws: ConversationError.noReply) { try reply.parameters(as: Asked.self) }
    }

    @Test func `a reply beyond the limit is an error`() {
        #expect(throws: ConversationError.messageTooLong(limitBytes: 1_000)) {
            try Self.reply(String(repeating: " ", count: 1_001))
        }
    }

    @Test func `any JSON value is preserved`() throws {
        let reply = try #require(
            try Self.reply(
                #"{"parameters":{"a":null,"b":true,"c":-9223372036854775808,"d":0.5,"e":[1,"x",{}],"f":""}}"#))
        #expect(
            reply.parameters
                == .object([
                    "a": .null, "b": .bool(true), "c": .int(.min), "d": .double(0.5),
                    "e": .array([.int(1), .string("x"), .object([:])]), "f": .string(""),
                ]))
        #expect(reply.parameters["a"] == nil, "null is equivalent to a missing member")
    }
}
