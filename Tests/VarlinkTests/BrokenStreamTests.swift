import Testing

@testable import Varlink

/// Checks that an invalid message ends the connection, and that nothing after it is kept.
struct BrokenStreamTests {
    private static let broken = ["", "x", "[]", "{}", #"{"method":1}"#, String(repeating: "a", count: 101)]

    @Test func `nothing is returned or kept after a message that is too long`() throws {
        var framer = Framer(limitBytes: 10)
        framer.receive(wire("first") + wire(String(repeating: "a", count: 11)) + wire("second"))
        #expect(try framer.next().map { Array($0) } == Array("first".utf8))
        for _ in 1...3 {
            #expect(throws: ConversationError.messageTooLong(limitBytes: 10)) { try framer.next() }
            #expect(framer.bufferedBytes == 0)
            framer.receive(wire("third"))
        }
    }

    @Test func `the end of a message that is too long is not read as a message`() {
        var framer = Framer(limitBytes: 10)
        framer.receive(Array(repeating: 97, count: 11))
        #expect(throws: ConversationError.messageTooLong(limitBytes: 10)) { try framer.next() }
        framer.receive(wire("end") + wire("next"))
        #expect(throws: ConversationError.messageTooLong(limitBytes: 10)) { try framer.next() }
    }

    @Test(arguments: broken) func `a server returns only the calls before an invalid message`(message: String) throws {
        var server = ServerConversation(limitBytes: 100)
        server.receive(wire(#"{"method":"a.Before"}"#) + wire(message) + wire(#"{"method":"a.After"}"#))
        #expect(try server.next()?.name == "Before")
        #expect(server.finished(OutgoingReply.message(["done": 1])) != [], "earlier calls are answered")
        for _ in 1...3 {
            #expect(throws: ConversationError.self) { try server.next() }
            server.receive(wire(#"{"method":"a.Later"}"#))
        }
        #expect(server.finished(OutgoingReply.message(["done": 1])) == [], "an invalid message is not answered")
    }

    @Test(arguments: ["", "x", "[]", #"{"error":1}"#, String(repeating: "a", count: 101)])
    func `a client returns only the replies before an invalid message`(message: String) throws {
        var client = ClientConversation(limitBytes: 100)
        client.receive(wire(#"{"parameters":{"number":1}}"#) + wire(message) + wire("{}"))
        #expect(try client.next()?.parameters["number"]?.int == 1)
        for _ in 1...3 {
            #expect(throws: ConversationError.self) { try client.next() }
            client.receive(wire("{}"))
        }
    }

    @Test func `the error stays the same`() {
        var server = ServerConversation(limitBytes: 100)
        server.receive(wire("x") + Array(repeating: 97, count: 101))
        for _ in 1...2 { #expect(throws: ConversationError.noCall) { try server.next() } }
        var client = ClientConversation(limitBytes: 100)
        client.receive(wire("x") + Array(repeating: 97, count: 101))
        for _ in 1...2 { #expect(throws: ConversationError.noReply) { try client.next() } }
    }
}
