import RecordKeeping
import Testing

@testable import Varlink

/// Calls and replies of one connection, at the server's end.
struct ServerConversationTests {
    private static let good = OutgoingReply.message(["done": 1])

    @Test func `each call is returned only after the reply to the previous one`() throws {
        var conversation = ServerConversation(limitBytes: 100)
        for number in 1...3 { conversation.receive(wire(#"{"method":"a.Call\#(number)"}"#)) }
        for number in 1...3 {
            #expect(try conversation.next()?.name == "Call\(number)")
            #expect(try conversation.next() == nil, "the call has not been answered")
            #expect(conversation.finished(Self.good) == Self.good)
        }
        #expect(try conversation.next() == nil)
    }

    @Test func `one call can have several replies`() throws {
        var conversation = ServerConversation(holding: #"{"method":"a.Monitor","more":true}"#)
        _ = try conversation.next()
        let more = OutgoingReply.message(["event": 1], continues: true)
        #expect(conversation.continued(more) == more)
        #expect(try conversation.next() == nil)
        #expect(conversation.finished(Self.good) == Self.good)
    }

    @Test func `a oneway call gets no reply, and the next call is answered`() throws {
        var conversation = ServerConversation(limitBytes: 100)
        conversation.receive(wire(#"{"method":"a.First","oneway":true}"#) + wire(#"{"method":"a.Second"}"#))
        #expect(try conversation.next()?.name == "First")
        #expect(conversation.continued(Self.good) == [])
        #expect(conversation.finished(Self.good) == [])
        #expect(try conversation.next()?.name == "Second")
        #expect(conversation.finished(Self.good) == Self.good)
    }

    @Test func `a call that another decoder has handled is not returned again`() throws {
        var conversation = ServerConversation(limitBytes: 100)
        for number in 1...4 { conversation.receive(wire(#"{"method":"a.Call\#(number)"}"#)) }
        #expect(conversation.handle { _ in .answered } == .answered)
        #expect(conversation.finished(Self.good) == [], "the call has been answered already")
        #expect(conversation.handle { _ in .decoded } == .decoded)
        #expect(conversation.handle { _ in .answered } == .none, "the call has not been answered")
        #expect(try conversation.next() == nil, "the call has not been answered")
        #expect(conversation.finished(Self.good) == Self.good)
        #expect(conversation.handle { _ in .none } == .none)
        #expect(try conversation.next()?.name == "Call3")
        _ = conversation.finished(Self.good)
        #expect(try conversation.next()?.name == "Call4")
    }

    @Test func `nothing is sent after the last reply to a call`() throws {
        var conversation = ServerConversation(holding: #"{"method":"a.First"}"#)
        #expect(conversation.finished(Self.good) == [], "no call has been read")
        _ = try conversation.next()
        #expect(conversation.finished(Self.good) == Self.good)
        #expect(conversation.finished(Self.good) == [])
        #expect(conversation.continued(Self.good) == [])
    }

    @Test func `a conversation is full if more than one message is buffered while a call is answered`() throws {
        var conversation = ServerConversation(limitBytes: 30)
        conversation.receive(wire(#"{"method":"a.First"}"#))
        var isFull = [conversation.backlog.isFull]
        _ = try conversation.next()
        conversation.receive(Array(repeating: 32, count: 30))
        isFull.append(conversation.backlog.isFull)
        conversation.receive([32])
        isFull.append(conversation.backlog.isFull)
        _ = conversation.finished(Self.good)
        isFull.append(conversation.backlog.isFull)
        #expect(isFull == [false, false, true, false])
        #expect(throws: ConversationError.messageTooLong(limitBytes: 30)) { try conversation.next() }
    }

    @Test func `replies are encoded as specified`() {
        #expect(text(OutgoingReply.message(["a": "b/c"])) == #"{"parameters":{"a":"b/c"}}"#)
        #expect(text(OutgoingReply.message(["a": 1], continues: true)) == #"{"continues":true,"parameters":{"a":1}}"#)
        #expect(
            text(OutgoingReply.error("a.b.Wrong", .object(["why": .string("é\u{0}\"")])))
                == #"{"error":"a.b.Wrong","parameters":{"why":"é\u0000\""}}"#)
        #expect(!Self.good.dropLast().contains(0), "only the last byte of a message is NUL")
    }

    // MARK: Both ends

    @Test(arguments: 1...UInt64(20))
    func `calls and replies arrive complete, regardless of how the bytes are divided`(seed: UInt64) throws {
        var random = Random(seed: seed)
        var server = ServerConversation(limitBytes: 10_000)
        var client = ClientConversation(limitBytes: 10_000)
        let names = (0..<100).map { "n\($0)" + String(repeating: "ü", count: Int.random(in: 0...40, using: &random)) }
        var there = names.flatMap { ClientConversation.call("a.b.Echo", Asked(name: $0)) }[...]
        var back: ArraySlice<UInt8> = []
        var echoed: [String] = []
        while echoed.count < names.count {
            let piece = there.prefix(Int.random(in: 1...300, using: &random))
            there = there.dropFirst(piece.count)
            server.receive(piece)
            while let call = try server.next() {
                back += server.finished(OutgoingReply.message(try call.parameters(Asked.self)))
            }
            let answer = back.prefix(Int.random(in: 1...300, using: &random))
            back = back.dropFirst(answer.count)
            client.receive(answer)
            while let reply = try client.next() { echoed.append(try reply.parameters(as: Asked.self).name) }
        }
        #expect(echoed == names)
    }
}
