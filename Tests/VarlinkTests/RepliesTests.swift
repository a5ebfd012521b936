import RecordKeeping
import Testing

@testable import Varlink

/// The replies to a call: none, one, or several, of which only the last has no `continues`.
struct RepliesTests {
    private static let last = OutgoingReply.message(["number": 9])
    private static let one = OutgoingReply.message(["number": 1], continues: true)

    /// Returns the bytes sent for one call: three replies with `continues`, then the last one.
    private static func replies(to message: String, last: [UInt8] = last) throws -> [UInt8] {
        var server = ServerConversation(holding: message)
        _ = try #require(try server.next())
        return (1...3).flatMap { _ in server.continued(one) } + server.finished(last)
    }

    @Test func `a call with more gets several replies`() throws {
        #expect(try Self.replies(to: #"{"method":"a.B","more":true}"#) == Self.one + Self.one + Self.one + Self.last)
    }

    @Test(arguments: [#"{"method":"a.B"}"#, #"{"method":"a.B","more":false}"#, #"{"method":"a.B","more":null}"#])
    func `a call without more gets only the last reply`(message: String) throws {
        #expect(try Self.replies(to: message) == Self.last)
    }

    @Test(arguments: [#"{"method":"a.B","oneway":true}"#, #"{"method":"a.B","oneway":true,"more":true}"#])
    func `a oneway call gets no reply, not even an error`(message: String) throws {
        #expect(try Self.replies(to: message) == [])
        #expect(try Self.replies(to: message, last: OutgoingReply.error(.permissionDenied)) == [])
    }

    @Test func `an error is sent as the last reply`() throws {
        let error = OutgoingReply.error(.expectedMore)
        #expect(
            try Self.replies(to: #"{"method":"a.B","more":true}"#, last: error) == Self.one + Self.one + Self.one
                + error)
        #expect(text(error) == #"{"error":"org.varlink.service.ExpectedMore","parameters":{}}"#)
    }

    @Test func `nothing is sent before the server has read a call`() {
        var server = ServerConversation(holding: #"{"method":"a.B","more":true}"#)
        #expect(server.continued(Self.one) == [])
        #expect(server.finished(Self.last) == [])
    }

    @Test func `a call that arrives between the replies to another one waits for the last reply`() throws {
        var server = ServerConversation(holding: #"{"method":"a.Monitor","more":true}"#)
        _ = try server.next()
        #expect(server.continued(Self.one) == Self.one)
        server.receive(wire(#"{"method":"a.Second"}"#))
        #expect(try server.next() == nil)
        #expect(server.continued(Self.one) == Self.one, "a waiting call does not affect the current one")
        _ = server.finished(Self.last)
        #expect(try server.next()?.name == "Second")
        #expect(server.continued(Self.one) == [], "the second call was made without more")
    }

    // MARK: Both ends

    /// A random call and its replies.
    private struct Exchange {
        var wantsMore: Bool
        var isOneway: Bool
        var fails: Bool

        init(using random: inout Random) {
            (wantsMore, isOneway, fails) = (.random(using: &random), .random(using: &random), .random(using: &random))
        }

        /// Returns the encoded call. `ClientConversation` cannot send `oneway`, and no value needs escaping, so the
        /// text is composed here.
        func call(_ number: Int) -> [UInt8] {
            wire(#"{"method":"a.b.N\#(number)","more":\#(wantsMore),"oneway":\#(isOneway),"parameters":{"name":"é"}}"#)
        }

        /// Returns the replies that the client should receive, each as number, `continues` and error.
        func expected(_ number: Int) -> [String] {
            guard !isOneway else { return [] }
            let before = wantsMore ? Array(repeating: "\(number) true nil", count: 2) : []
            return before + [fails ? "\(number) false a.b.Wrong" : "\(number) false nil"]
        }
    }

    @Test(arguments: 1...UInt64(50))
    func `calls get their replies in order, regardless of how the bytes are divided`(seed: UInt64) throws {
        var random = Random(seed: seed)
        let exchanges = (0..<40).map { _ in Exchange(using: &random) }
        var server = ServerConversation(limitBytes: 200)
        var sent: [UInt8] = []
        for piece in Self.pieces(exchanges.enumerated().flatMap { $1.call($0) }, using: &random) {
            server.receive(piece)
            // A piece without the end of a message completes no call; a piece with several completes several.
            while let call = try server.next() {
                let number = Value.object(["number": .int(Int64(call.name.dropFirst()) ?? -1)])
                for _ in 1...2 { sent += server.continued(OutgoingReply.message(number, continues: true)) }
                let fails = exchanges[Int(call.name.dropFirst()) ?? 0].fails
                let last = fails ? OutgoingReply.error("a.b.Wrong", number) : OutgoingReply.message(number)
                sent += server.finished(last)
                #expect(try call.parameters(Asked.self) == Asked(name: "é"))
            }
        }
        var client = ClientConversation(limitBytes: 200)
        var heard: [String] = []
        for piece in Self.pieces(sent, using: &random) {
            client.receive(piece)
            while let reply = try client.next() {
                let number = reply.parameters["number"]?.int ?? -1
                heard.append("\(number) \(reply.continues) \(reply.error ?? "nil")")
            }
        }
        #expect(heard == exchanges.enumerated().flatMap { $1.expected($0) })
    }

    private static func pieces(_ bytes: [UInt8], using random: inout Random) -> [ArraySlice<UInt8>] {
        var pieces: [ArraySlice<UInt8>] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            pieces.append(rest.prefix(Int.random(in: 1...150, using: &random)))
            rest = rest.dropFirst(pieces.last?.count ?? 0)
        }
        return pieces
    }
}
