import Testing

@testable import Varlink

/// The parameters of a call, in any spelling, and the limit of their values.
struct CallMembersTests {
    @Test(arguments: [
        #"{"name":"n","count":3,"list":["a","b"]}"#, #"{"list":["a","b"],"count":3.0,"name":"n"}"#,
        #"{"n\u0061me":"\u006e","count":30e-1,"list":["\u0061","b"],"name":1}"#,
        #" { "name" : "n" , "count" : 3 , "list" : [ "a" , "b" ] , "list" : null } "#,
    ])
    func `the same parameters have the same values in any spelling`(text: String) throws {
        let call = try #require(try Self.call(#"{"method":"a.B","parameters":\#(text)}"#, maxValues: 100))
        #expect(try call.parameters(Asked.self) == Asked(name: "n", count: 3, list: ["a", "b"]))
    }

    @Test(arguments: [
        (#""\ud83d""#, "name"), (#""\x""#, "name"), ("\"\u{1}\"", "name"), ("1e400", "name"), ("{}", "name"),
    ])
    func `a string without a value is an invalid parameter`(value: String, parameter: String) throws {
        let call = try #require(try Self.call(#"{"method":"a.B","parameters":{"name":\#(value)}}"#, maxValues: 100))
        #expect(throws: ServiceError.invalidParameter(parameter)) { try call.parameters(Asked.self) }
    }

    @Test func `the first of several members with the same name counts`() throws {
        let text = #"{"method":"a.B","method":"a.C","more":null,"more":true,"parameters":{"name":"n"},"parameters":1}"#
        let call = try #require(try Self.call(text, maxValues: 100))
        #expect(call.method == "a.B" && !call.wantsMore)
        #expect(try call.parameters(Asked.self) == Asked(name: "n"))
    }

    private static func call(_ text: String, maxValues: Int) throws -> IncomingCall? {
        var conversation = ServerConversation(limitBytes: 1_000_000, maxValues: maxValues)
        conversation.receive(wire(text))
        return try conversation.next()
    }

    private static func texts(_ count: Int, _ first: String) -> String {
        ([first] + [String](repeating: "\"\"", count: count - 1)).joined(separator: ",")
    }

    @Test(arguments: [#""a""#, #""\u0061""#], [#""more":true,"#, #""more":true,"x":[1],"#])
    func `a call with too many values keeps its method, but its parameters are rejected`(first: String, rest: String)
        throws
    {
        let text = #"{"method":"a.B",\#(rest)"parameters":{"list":[\#(Self.texts(1_000, first))]}}"#
        let large = try #require(try Self.call(text, maxValues: 100))
        #expect(large.hasTooManyValues && large.method == "a.B" && large.wantsMore)
        #expect(throws: ServiceError.invalidParameter("parameters")) { try large.parameters(Asked.self) }
        let small = try #require(try Self.call(text, maxValues: 1_100))
        #expect(!small.hasTooManyValues)
        #expect(throws: ServiceError.invalidParameter("name")) { try small.parameters(Asked.self) }
    }

    /// `…` stands for too many values.
    @Test(arguments: [
        #"{"list":[…nonsense]}"#, #"{"list":[…]}"#, "[…]", #"{"x":[[…,"\"],"]]}"#, #"{"x":{"y":1,"z":[{"a":[…]}]}}"#,
    ])
    func `the rest of the parameters is not decoded after too many values`(parameters: String) throws {
        let many = parameters.replacing("…", with: Self.texts(1_000, "1"))
        let call = try #require(
            try Self.call(#"{"parameters":\#(many),"oneway":true,"method":"a.B"}"#, maxValues: 100))
        #expect(call.hasTooManyValues && call.method == "a.B" && call.isOneway)
    }

    @Test func `a message that ends within too many values is not a call`() {
        let text = #"{"method":"a.B","parameters":{"list":[\#(Self.texts(1_000, "1"))"#
        #expect(throws: ConversationError.noCall) { try Self.call(text, maxValues: 100) }
    }

    @Test func `a message with too many values outside its parameters is not a call`() {
        let text = #"{"method":"a.B","x":[\#(Self.texts(1_000, "1"))]}"#
        #expect(throws: ConversationError.noCall) { try Self.call(text, maxValues: 100) }
    }

    @Test func `decoded parameters outlive the bytes of the message`() throws {
        var conversation = ServerConversation(limitBytes: 1_000_000)
        conversation.receive(wire(#"{"method":"a.B","x":1,"parameters":{"name":"\u0061","list":["b\n"]}}"#))
        let call = try #require(try conversation.next())
        conversation = ServerConversation(limitBytes: 10)
        #expect(try call.parameters(Asked.self) == Asked(name: "a", list: ["b\n"]))
    }
}
