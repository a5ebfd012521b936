import Testing

@testable import Varlink

/// Checks that a message with too many values is rejected before any of them is decoded.
struct MessageStructureTests {
    private static func structure(_ text: String) -> MessageStructure {
        Array(text.utf8).withUnsafeBufferPointer { MessageStructure($0) }
    }

    @Test(arguments: [
        ("", 0), ("{}", 1), ("[1]", 1), ("[1,2]", 2), (#"{"a":1,"b":[2,3]}"#, 6), (#"["a,b","c:[{"]"#, 2),
        (#"["\",","\\",","]"#, 3), (#"["x\"#, 1), ("[\"\u{E4},\u{10348},\",1]", 2), ("}}],", 1),
    ])
    func `commas, colons and brackets are counted outside strings`(text: String, parts: Int) {
        #expect(Self.structure(text).parts == parts)
    }

    @Test(arguments: [
        (#"{"method":"a.B","parameters":{"a":[1]}}"#, [#"{"a":[1]}"#]),
        (#"{"parameters": 5 ,"more":true}"#, [" 5 "]), (#"{"parameters":[],"parameters":{}}"#, ["[]", "{}"]),
        (#"{"x":{"parameters":1},"y":"parameters"}"#, []), (#"{"x":"parameters","y":1}"#, []),
        (#"["parameters",1]"#, []),
    ])
    func `the parameters of the outermost object are found`(text: String, parameters: [String]) {
        let bytes = Array(text.utf8)
        #expect(Self.structure(text).parameters.map { String(decoding: bytes[$0], as: UTF8.self) } == parameters)
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
