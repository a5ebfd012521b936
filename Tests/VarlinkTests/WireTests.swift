import Foundation
import Testing
import Varlink

/// `Wire` encodes and decodes as Foundation's coders do.
struct WireTests {
    private struct Everything: Codable, Equatable {
        enum Color: String, Codable { case red, blue }
        enum Shape: Codable, Equatable { case circle(radius: Int), none }

        struct Numbers: Codable, Equatable {
            var int = Int.min, int8 = Int8.min, int16 = Int16.min, int32 = Int32.min, int64 = Int64.min
            var uint = UInt(7), uint8 = UInt8.max, uint16 = UInt16.max, uint32 = UInt32.max, uint64 = UInt64(1) << 62
            var double = -122.0843, float = Float(0.25), large = 1e300, whole = 3.0
        }

        var numbers = Numbers()
        var text = "quote \" slash / backslash \\ line\n tab\t \u{1} é 😀"
        var flag = true
        var missing: String?
        var list = [[1, 2], [], [3]]
        var optionals: [String?] = ["a", nil]
        var members = ["b": ["x": 1], "a": [:], "é": ["\"": 2], "B": [:]]
        var color = Color.blue
        var shapes = [Shape.circle(radius: 2), .none]
    }

    /// A type that uses the less common methods of containers.
    private final class Nested: Codable, Equatable {
        enum Key: String, CodingKey { case inner, list, nothing }

        var pair = ["a", "b"]

        init() {}

        init(from decoder: any Decoder) throws {
            let outer = try decoder.container(keyedBy: Key.self)
            let inner = try outer.nestedContainer(keyedBy: Key.self, forKey: .inner)
            var list = try inner.nestedUnkeyedContainer(forKey: .list)
            var rest = try list.nestedUnkeyedContainer()
            pair = [try list.decode(String.self), try rest.decode(String.self)]
            let parent = try list.nestedContainer(keyedBy: Key.self)
            guard try parent.decodeNil(forKey: .nothing), try list.decodeNil(), list.isAtEnd, rest.isAtEnd else {
                throw CocoaError(.coderReadCorrupt)
            }
            let base = try outer.superDecoder().singleValueContainer().decode(Int.self)
            guard base == 5 else { throw CocoaError(.coderReadCorrupt) }
        }

        func encode(to encoder: any Encoder) throws {
            var outer = encoder.container(keyedBy: Key.self)
            var inner = outer.nestedContainer(keyedBy: Key.self, forKey: .inner)
            var list = inner.nestedUnkeyedContainer(forKey: .list)
            var rest = list.nestedUnkeyedContainer()
            try list.encode(pair[0])
            try rest.encode(pair[1])
            var parent = list.nestedContainer(keyedBy: Key.self)
            try parent.encodeNil(forKey: .nothing)
            try list.encodeNil()
            var base = outer.superEncoder().singleValueContainer()
            try base.encode(5)
        }

        static func == (a: Nested, b: Nested) -> Bool { a.pair == b.pair }
    }

    private static func foundation(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private static func wire(_ value: some Encodable) -> String {
        let bytes = Wire.encode(value)
        #expect(bytes.last == 0)
        return String(decoding: bytes.dropLast(), as: UTF8.self)
    }

    @Test func `values are encoded as by JSONEncoder`() throws {
        #expect(try Self.wire(Everything()) == Self.foundation(Everything()))
        #expect(try Self.wire(Nested()) == Self.foundation(Nested()))
        #expect(try Self.wire([Everything.Color.red]) == Self.foundation([Everything.Color.red]))
        #expect(try Self.wire("text") == Self.foundation("text"))
        #expect(try Self.wire([1: "a"]) == Self.foundation([1: "a"]))
    }

    @Test func `values are decoded from what they were encoded as`() throws {
        #expect(try Wire.decode(Everything.self, from: Wire.encode(Everything()).dropLast()) == Everything())
        #expect(try Wire.decode(Nested.self, from: Wire.encode(Nested()).dropLast()) == Nested())
        #expect(try Wire.decode([Int: String].self, from: Wire.encode([1: "a"]).dropLast()) == [1: "a"])
    }

    private struct Sample: Codable, Equatable {
        var number: Int?
        var share: Double?
        var small: UInt8?
        var text: String?
        var list: [Bool]?
        var inner: [String: [Int64]]?
    }

    @Test(arguments: [
        #"{}"#, #"{"number":1.0}"#, #"{"number":1e3}"#, #"{"number":1.5}"#, #"{"number":9223372036854775807}"#,
        #"{"number":9223372036854775808}"#, #"{"number":-9223372036854775808}"#, #"{"number":1e400}"#,
        #"{"number":"1"}"#, #"{"number":true}"#, #"{"number":null}"#, #"{"share":1}"#, #"{"share":0.1}"#,
        #"{"share":123456789012345678901234567890}"#, #"{"share":-0.0}"#, #"{"share":"x"}"#, #"{"small":255}"#,
        #"{"small":256}"#, #"{"small":-1}"#, #"{"text":"\u00e9\ud83d\ude00"}"#, #"{"text":"\ud83d"}"#,
        #"{"text":"\x"}"#,
        #"{"text":1}"#, #"{"text":[]}"#, #"{"list":[true,false]}"#, #"{"list":[1]}"#, #"{"list":[null]}"#,
        #"{"list":{}}"#, #"{"inner":{"a":[1,2],"b":[]}}"#, #"{"inner":{"a":1}}"#, #"{"inner":[]}"#, #"[]"#, #"null"#,
        #""#, #"{"#, #"{}}"#, #"{"number":01}"#, #" { "number" : 1 } "#, #"{"other":{"number":[1]},"number":2}"#,
    ])
    func `documents are decoded, or rejected, as by JSONDecoder`(document: String) throws {
        let expected = try? JSONDecoder().decode(Sample.self, from: Data(document.utf8))
        let actual = try? Wire.decode(Sample.self, from: document.utf8)
        #expect(actual == expected)
    }

    @Test func `an error names the place of the value`() throws {
        func place(_ document: String) -> String? {
            do {
                _ = try Wire.decode(Sample.self, from: document.utf8)
            } catch DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context),
                DecodingError.dataCorrupted(let context)
            {
                return context.codingPath.map(\.stringValue).joined(separator: ".") + ": " + context.debugDescription
            } catch { return "\(error)" }
            return nil
        }
        #expect(place(#"{"inner":{"a":[1,"x"]}}"#) == "inner.a.[1]: expected Int64, found a string")
        #expect(place(#"{"list":[null]}"#) == "list.[0]: expected Bool, found null")
        #expect(place(#"{"small":300}"#) == "small: the number is not a value of UInt8")
        #expect(place(#"{"text":"\ud83d"}"#) == ": invalid JSON at offset 9: invalid string")
    }

    @Test func `a value nested as deeply as the scanner allows is read and written`() throws {
        let document = String(repeating: "[", count: 512) + String(repeating: "]", count: 512)
        let value = try Wire.decode(Value.self, from: document.utf8)
        #expect(Self.wire(value) == document)
        #expect(throws: DecodingError.self) { try Wire.decode(Value.self, from: "[\(document)]".utf8) }
    }

    @Test func `the last of several members with the same name counts`() throws {
        #expect(try Wire.decode(Sample.self, from: #"{"number":1,"number":2}"#.utf8) == Sample(number: 2))
    }
}
