import Testing

@testable import Varlink

/// Checks that `PlainMessage` and `JSONDecoder` agree.
@Suite struct PlainMessageTests {
    private struct Asked: CallParameters, Hashable {
        static let names: Set<String> = ["addresses", "wait", "flag", "text"]

        var addresses: [String]?
        var wait: Int64?
        var flag: Bool?
        var text: String?
    }

    /// The message as decoded by `JSONDecoder`.
    private struct Whole: Decodable {
        var method: String
        var more: Bool?
        var oneway: Bool?
        var upgrade: Bool?
        var parameters: Asked?
    }

    private static func expect(_ text: String, isPlain: Bool) throws {
        guard let plain = PlainMessage(Array(text.utf8)[...]) else {
            #expect(!isPlain, "\(text)")
            return
        }
        #expect(isPlain, "\(text)")
        let whole = try Wire.decode(Whole.self, from: Array(text.utf8))
        #expect(plain.method == whole.method)
        #expect(plain.more == whole.more ?? false)
        #expect(plain.oneway == whole.oneway ?? false)
        #expect(plain.upgrade == whole.upgrade ?? false)
        var members: [String: PlainParameters.Member] = [:]
        members["addresses"] = whole.parameters?.addresses.map { .texts($0) }
        members["wait"] = whole.parameters?.wait.map { .number($0) }
        members["flag"] = whole.parameters?.flag.map { .flag($0) }
        members["text"] = whole.parameters?.text.map { .text($0) }
        #expect(Dictionary(uniqueKeysWithValues: plain.parameters.members.map { ($0.name, $0.value) }) == members)
    }

    @Test(arguments: [
        #"{"method":"a.B"}"#, #"{"method":"a.B","parameters":{}}"#,
        #"{"method":"a.B","parameters":{"addresses":["1.1.1.1","::1"],"wait":5000}}"#,
        #" { "parameters" : { "wait" : -12 , "addresses" : [ ] } , "more" : true , "method" : "a.B" } "#,
        "\t{\"oneway\":false,\n\"method\":\"a.B\",\r\"upgrade\":true}",
        #"{"method":"a.B","parameters":{"flag":false,"text":"a/b","wait":999999999999999999}}"#,
        #"{"method":"a.B","parameters":{"wait":0}}"#, #"{"method":"a.B","parameters":{"wait":-0}}"#,
    ])
    func `plain messages are read as by the decoder`(text: String) throws {
        try Self.expect(text, isPlain: true)
    }

    @Test(arguments: [
        "", "{", "{}", "[]", "null", #"{"method":""}"#, #"{"method":"a.B"}}"#, #"{"method":"a.B",}"#,
        #"{,"method":"a.B"}"#,
        #"{"method":"a.B"} x"#, #"{"method":"a.B","method":"a.C"}"#, #"{"method":"a.B","else":1}"#,
        #"{"method":"a\u002eB"}"#, #"{"method":"a.é"}"#, #"{"method":null}"#, #"{"method":"a.B","more":null}"#,
        #"{"method":"a.B","more":1}"#, #"{"method":"a.B","more":truetrue}"#, #"{"method":"a.B","parameters":null}"#,
        #"{"method":"a.B","parameters":[]}"#, #"{"method":"a.B","parameters":{"wait":1,"wait":2}}"#,
        #"{"method":"a.B","parameters":{"wait":1.0}}"#, #"{"method":"a.B","parameters":{"wait":1e3}}"#,
        #"{"method":"a.B","parameters":{"wait":01}}"#, #"{"method":"a.B","parameters":{"wait":- 1}}"#,
        #"{"method":"a.B","parameters":{"wait":1000000000000000000}}"#, #"{"method":"a.B","parameters":{"wait":-}}"#,
        #"{"method":"a.B","parameters":{"wait":null}}"#, #"{"method":"a.B","parameters":{"wait":{}}}"#,
        #"{"method":"a.B","parameters":{"addresses":["1.1.1.1",]}}"#,
        #"{"method":"a.B","parameters":{"addresses":[1]}}"#,
        #"{"method":"a.B","parameters":{"addresses":[["1.1.1.1"]]}}"#,
        #"{"method":"a.B","parameters":{\#((0...16).map { #""p\#($0)":0"# }.joined(separator: ","))}}"#,
        "{\"method\":\"a.\u{1}\"}", "{\"method\":\"a.B",
    ])
    func `all other messages are left to the decoder`(text: String) throws {
        try Self.expect(text, isPlain: false)
    }

    @Test func `the limit applies to the strings of all lists together`() {
        let message = Array(#"{"method":"a.b.C","parameters":{"x":["1","2"],"y":["3"]}}"#.utf8)
        #expect(PlainMessage(message[...], maxTexts: 3) != nil)
        #expect(PlainMessage(message[...], maxTexts: 2) == nil)
    }
}
