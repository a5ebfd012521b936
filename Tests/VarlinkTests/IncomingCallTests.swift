import Glibc
import Testing

@testable import Varlink

/// Decoding of calls, and the messages that end a connection.
struct IncomingCallTests {
    @Test func `a call has a method and the flags more, oneway and upgrade`() throws {
        let plain = try #require(try ServerConversation.call(#"{"method":"a.b.Show"}"#))
        #expect(plain.interface == "a.b" && plain.name == "Show")
        #expect(!plain.wantsMore && !plain.isOneway && !plain.wantsUpgrade)
        let all = try #require(
            try ServerConversation.call(#"{"more":true,"oneway":true,"upgrade":true,"method":"a.b.Show"}"#))
        #expect(all.wantsMore && all.isOneway && all.wantsUpgrade)
        let none = try #require(
            try ServerConversation.call(#"{"more":null,"oneway":false,"upgrade":null,"method":"a.b.Show"}"#))
        #expect(!none.wantsMore && !none.isOneway && !none.wantsUpgrade)
    }

    @Test func `a method name without a dot has an empty interface`() throws {
        let call = try #require(try ServerConversation.call(#"{"method":"Show"}"#))
        #expect(call.interface == "" && call.name == "Show")
        let empty = try #require(try ServerConversation.call(#"{"method":""}"#))
        #expect(empty.interface == "" && empty.name == "")
    }

    @Test func `unknown members are ignored`() throws {
        #expect(try ServerConversation.call(#"{"method":"a.B","timeout":5,"x":{"y":[1]}}"#)?.method == "a.B")
    }

    @Test(arguments: [
        "", "x", "[]", "null", "1", #""a.B""#, "{", "{}", #"{"method":null}"#, #"{"method":1}"#, #"{"method":["a.B"]}"#,
        #"{"method":"a.B","more":1}"#, #"{"method":"a.B","more":"true"}"#, #"{"method":"a.B","oneway":{}}"#,
        #"{"method":"a.B"} {"method":"a.B"}"#, #"{"Method":"a.B"}"#, #"[{"method":"a.B"}]"#,
    ])
    func `a message that is not a call ends the connection`(message: String) {
        #expect(throws: ConversationError.noCall) { try ServerConversation.call(message) }
    }

    @Test func `a message that is not UTF-8 ends the connection`() {
        var conversation = ServerConversation(limitBytes: 100)
        conversation.receive(Array(#"{"method":"a."#.utf8) + [0xFF, 0xFE] + Array("\"}".utf8) + [0])
        #expect(throws: ConversationError.noCall) { try conversation.next() }
    }

    @Test(arguments: [("[", "]"), (#"{"a":"#, "}")])
    func `100,000 levels of nesting end the connection without a crash`(open: String, close: String) {
        let deep = String(repeating: open, count: 100_000) + "1" + String(repeating: close, count: 100_000)
        var conversation = ServerConversation(limitBytes: 1_000_000)
        conversation.receive(wire(#"{"method":"a.B","parameters":\#(deep)}"#))
        #expect(throws: ConversationError.noCall) { try conversation.next() }
    }

    /// The processor time of this thread, which does not include other tests.
    private static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    @Test(arguments: [40, 300, 500])
    func `a number out of range beside a deeply nested value is rejected quickly`(levels: Int) throws {
        let numbers = String(repeating: "1,", count: 400) + "1"
        for (open, close) in [("[", "]"), (#"{"a":"#, "}")] {
            let inner = open == "[" ? numbers : "[\(numbers)]"
            let nested = String(repeating: open, count: levels) + inner + String(repeating: close, count: levels)
            let began = Self.processorTime
            #expect(throws: ServiceError.self) { try Self.parameters(#"{"name":"n","count":1e30,"list":\#(nested)}"#) }
            #expect(Self.processorTime - began < .seconds(2))
        }
    }

    // MARK: Parameters

    private static func parameters(_ text: String) throws -> Asked {
        let call = try #require(try ServerConversation.call(#"{"method":"a.B","parameters":\#(text)}"#))
        return try call.parameters(Asked.self)
    }

    @Test func `parameters are decoded as declared, and null equals a missing parameter`() throws {
        #expect(
            try Self.parameters(#"{"name":"n","count":3,"list":["a"]}"#) == Asked(name: "n", count: 3, list: ["a"]))
        #expect(try Self.parameters(#"{"name":"n"}"#) == Asked(name: "n"))
        #expect(try Self.parameters(#"{"list":null,"count":null,"name":"n"}"#) == Asked(name: "n"))
    }

    @Test(arguments: [
        (#"{"name":1}"#, "name"), (#"{"name":null}"#, "name"), ("{}", "name"), ("null", "name"),
        (#"{"name":"n","count":"3"}"#, "count"), (#"{"name":"n","count":1.5}"#, "count"),
        (#"{"name":"n","count":1e400}"#, "count"), (#"{"name":"n","count":9223372036854775808}"#, "count"),
        (#"{"name":"n","count":true}"#, "count"), (#"{"name":"n","list":"a"}"#, "list"),
        (#"{"name":"n","list":["a",1]}"#, "list"), (#"{"name":"n","list":[null]}"#, "list"),
        (#"{"name":"n","more":1}"#, "more"), (#"{"name":"n","zz":1,"aa":2}"#, "aa"),
        (#"{"name":"n","Name":"n"}"#, "Name"),
        ("[]", "parameters"), ("1", "parameters"), (#""n""#, "parameters"),
    ])
    func `the error names the invalid parameter`(text: String, parameter: String) {
        #expect(throws: ServiceError.invalidParameter(parameter)) { try Self.parameters(text) }
    }

    @Test func `a call without parameters is rejected if one is required`() throws {
        let call = try #require(try ServerConversation.call(#"{"method":"a.B"}"#))
        #expect(throws: ServiceError.invalidParameter("name")) { try call.parameters(Asked.self) }
    }
}
