import RecordKeeping
import Testing

@testable import Varlink

/// Splitting of a byte stream into messages.
struct FramerTests {
    private static let messages = ["{}", "", "{\"a\":1}", String(repeating: "x", count: 100), "é東🏳️‍🌈"]

    /// Returns all complete messages in the framer.
    private static func drain(_ framer: inout Framer) throws -> [String] {
        var messages: [String] = []
        while let message = try framer.next() { messages.append(String(decoding: message, as: UTF8.self)) }
        return messages
    }

    @Test func `messages do not depend on where the stream is divided in two`() throws {
        let stream = Self.messages.flatMap(wire)
        for cut in 0...stream.count {
            var framer = Framer(limitBytes: 200)
            framer.receive(stream[..<cut])
            var messages = try Self.drain(&framer)
            framer.receive(stream[cut...])
            messages += try Self.drain(&framer)
            #expect(messages == Self.messages, "cut after \(cut) bytes")
            #expect(framer.bufferedBytes == 0)
        }
    }

    @Test(arguments: 1...UInt64(20)) func `messages do not depend on the sizes of the pieces`(seed: UInt64) throws {
        var random = Random(seed: seed)
        let sent = (0..<200).map { _ in
            String(repeating: "m", count: Int.random(in: 0...50, using: &random))
        }
        var rest = sent.flatMap(wire)[...]
        var framer = Framer(limitBytes: 50)
        var messages: [String] = []
        while !rest.isEmpty {
            let piece = rest.prefix(Int.random(in: 1...120, using: &random))
            rest = rest.dropFirst(piece.count)
            framer.receive(piece)
            if Bool.random(using: &random) { messages += try Self.drain(&framer) }
        }
        messages += try Self.drain(&framer)
        #expect(messages == sent)
    }

    @Test func `a message of the maximum size is accepted, and one byte more is rejected`() throws {
        var framer = Framer(limitBytes: 10)
        framer.receive(wire(String(repeating: "a", count: 10)))
        #expect(try framer.next()?.count == 10)
        framer.receive(wire(String(repeating: "a", count: 11)))
        #expect(throws: ConversationError.messageTooLong(limitBytes: 10)) { try framer.next() }
    }

    @Test func `an incomplete message is rejected as soon as it exceeds the limit`() throws {
        var framer = Framer(limitBytes: 10)
        framer.receive(Array(repeating: 97, count: 10))
        #expect(try framer.next() == nil)
        framer.receive([97])
        #expect(throws: ConversationError.messageTooLong(limitBytes: 10)) { try framer.next() }
    }

    @Test func `the memory of a long message is freed`() throws {
        var framer = Framer(limitBytes: 1 << 20)
        let long = wire(String(repeating: "a", count: 1 << 20))
        framer.receive(long)
        _ = try framer.next()
        #expect(framer.reservedBytes == 0)
        framer.receive(long + wire("short"))
        _ = try framer.next()
        framer.receive([97])
        #expect(framer.reservedBytes < 1_000)
        #expect(try framer.next()?.count == 5)
        #expect(framer.bufferedBytes == 1)
    }

    @Test func `messages that were returned are not kept`() throws {
        var framer = Framer(limitBytes: 1_000)
        for _ in 0..<10_000 {
            framer.receive(wire(String(repeating: "a", count: 999)))
            #expect(try framer.next()?.count == 999)
            #expect(framer.bufferedBytes == 0)
        }
    }
}
