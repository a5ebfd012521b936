import Testing

@testable import JSON

/// The grammar of RFC 8259, and the errors with their offsets.
struct JSONScannerTests {
    private static func error(in text: some Sequence<UInt8>) -> JSONError? {
        do throws(JSONError) {
            _ = try JSONTree(Array(text))
            return nil
        } catch {
            return error
        }
    }

    @Test(arguments: [
        ("null", JSONTree.null), (" true ", .bool(true)), ("false", .bool(false)), ("\"\"", .text("")),
        ("[]", .array([])),
        ("{}", .object([])), ("\t[ 1 ,\r\n[2]]", .array([.number("1"), .array([.number("2")])])),
        (#"{"a":{"b":[]},"a":null}"#, .object([.init("a", .object([.init("b", .array([]))])), .init("a", .null)])),
        ("\u{FEFF}[]", .array([])), ("\"\u{7F}é漢😀\"", .text("\u{7F}é漢😀")),
        (#""\"\\\/\b\f\n\r\t\u0041\u00e9\u6F22\ud83D\uDE00\u0000""#, .text("\"\\/\u{8}\u{C}\n\r\tAé漢😀\u{0}")),
        (#"{"\u0061\n":1}"#, .object([.init("a\n", .number("1"))])),
    ])
    func `values of every type are read`(text: String, value: JSONTree) throws {
        #expect(try JSONTree(Array(text.utf8)) == value)
    }

    @Test(arguments: [
        ("", 0, JSONError.Problem.unexpectedEnd), (" ", 1, .unexpectedEnd), ("[", 1, .unexpectedEnd),
        ("[1", 2, .unexpectedEnd), ("[1,", 3, .unexpectedEnd), ("[1,]", 3, .unexpectedByte),
        ("[,1]", 1, .unexpectedByte), ("[1 2]", 3, .unexpectedByte), ("[1}", 2, .unexpectedByte),
        ("]", 0, .unexpectedByte),
        ("{", 1, .unexpectedEnd), ("{\"a\"", 4, .unexpectedEnd), ("{\"a\":", 5, .unexpectedEnd),
        ("{\"a\":}", 5, .unexpectedByte), ("{\"a\" 1}", 5, .unexpectedByte), ("{\"a\":1,}", 7, .unexpectedByte),
        ("{a:1}", 1, .unexpectedByte), ("{1:1}", 1, .unexpectedByte), ("{\"a\":1]", 6, .unexpectedByte),
        ("1 1", 2, .unexpectedByte), ("nul", 3, .unexpectedEnd), ("nulL", 3, .unexpectedByte),
        ("True", 0, .unexpectedByte),
        ("NaN", 0, .unexpectedByte), ("+1", 0, .unexpectedByte), (".5", 0, .unexpectedByte), ("-", 1, .unexpectedEnd),
        ("-a", 1, .invalidNumber), ("01", 1, .unexpectedByte), ("1.", 2, .unexpectedEnd), ("1.e1", 2, .invalidNumber),
        ("1e", 2, .unexpectedEnd), ("1e+", 3, .unexpectedEnd), ("1e+-1", 3, .invalidNumber),
        ("0x10", 1, .unexpectedByte),
        ("'a'", 0, .unexpectedByte), ("\"a", 2, .unexpectedEnd), (#""\u12"#, 5, .unexpectedEnd),
        (#""\"#, 2, .unexpectedEnd), (#""\ud83d\u12"#, 11, .unexpectedEnd),
        ("[1]// a", 3, .unexpectedByte), ("[1]\u{A0}", 3, .unexpectedByte),
    ])
    func `the error states the problem and its offset`(text: String, offset: Int, problem: JSONError.Problem) {
        #expect(Self.error(in: text.utf8) == JSONError(problem: problem, offset: offset))
    }

    @Test(arguments: [
        [0xFF], [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE0, 0x9F, 0xBF], [0xE2, 0x82],
        [0xE2, 0x82, 0x28], [0xED, 0xA0, 0x80], [0xF0, 0x8F, 0xBF, 0xBF], [0xF4, 0x90, 0x80, 0x80],
        [0xF5, 0x80, 0x80, 0x80], [0xF0, 0x90, 0x80],
    ])
    func `invalid UTF-8 is an error at any position`(bytes: [UInt8]) {
        for place in 0..<17 {
            let head = [UInt8](repeating: UInt8(ascii: "a"), count: place)
            let text = [UInt8(ascii: "\"")] + head + bytes + head + [UInt8(ascii: "\"")]
            #expect(Self.error(in: text) == JSONError(problem: .invalidUTF8, offset: place + 1))
        }
        #expect(Self.error(in: bytes) != nil)
    }

    @Test(arguments: [
        #"\ud83d"#, #"\ude00"#, #"\ud83dx"#, #"\ud83d\n"#, #"\ud83d\u0041"#, #"\ude00\ud83d"#, #"\ud83d\u12"#, #"\x41"#,
        #"\u12g4"#, #"\u12"#, #"\é"#, "\n", "\u{0}", "12345678\u{1F}",
    ])
    func `a string with a control character or an invalid escape has no value`(contents: String) throws {
        let text = Array("[\"a\(contents)\",1]".utf8)
        var scanner = JSONScanner(text.span.bytes)
        try scanner.beginArray()
        _ = try scanner.nextElement()
        let string = try scanner.string()
        let isEqual = scanner.text(string, equals: scanner.string(of: string))
        #expect(!string.isValid && !isEqual)
        _ = try scanner.nextElement()
        let rest = try scanner.number().int64
        #expect(rest == 1)
    }

    @Test func `strings are compared without their escapes`() throws {
        let text = Array(#"["more","m\u006fre","m\u006frE","mor",""]"#.utf8)
        var scanner = JSONScanner(text.span.bytes)
        var found: [Bool] = []
        try scanner.beginArray()
        while try scanner.nextElement() {
            let text = try scanner.string()
            found.append(scanner.text(text, is: "more"))
        }
        #expect(found == [true, true, false, false, false])
    }

    /// Strings are compared eight bytes at a time, so each length and each place of a difference counts.
    @Test(arguments: 0...25) func `strings of every length are compared as a whole`(length: Int) throws {
        let same = String("abcdefghijklmnopqrstuvwxyz".prefix(length))
        let different = (0..<length).map { place in
            String(same.enumerated().map { $0.offset == place ? "-" : $0.element })
        }
        let text = Array("\"\(same)\"".utf8)
        var scanner = JSONScanner(text.span.bytes)
        let string = try scanner.string()
        let isEqual = scanner.text(string, equals: same)
        let equalOthers = (different + [same + "z", String(same.dropLast()) + "zz"]).filter {
            scanner.text(string, equals: $0)
        }
        #expect(isEqual && equalOthers == [])
    }

    @Test func `arrays and objects nest up to the maximum depth`() {
        for (open, close) in [("[", "]"), (#"{"a":["#, "]}")] {
            let levels = JSONScanner.maxDepth / (open.count > 1 ? 2 : 1)
            func nested(_ levels: Int) -> String {
                String(repeating: open, count: levels) + String(repeating: close, count: levels)
            }
            #expect(Self.error(in: nested(levels).utf8) == nil)
            #expect(Self.error(in: nested(levels + 1).utf8)?.problem == .tooDeep)
            #expect(Self.error(in: nested(100_000).utf8)?.problem == .tooDeep)
        }
    }

    /// `|` marks the end of the skipped text.
    @Test(arguments: [
        (#"[[1,2]|,3]"#, 1), (#"[[1,[2],{"a":3}]|,3]"#, 1), (#"[[1,"\"]"]|,3]"#, 1), (#"[[1,"\\"]|,"]"]"#, 1),
        (#"[[1,"long text, \"]\" and \\"]|,3]"#, 1),
        ("[[1 nonsense ]|]", 1), ("[[1]]|", 0), ("[[1}|]", 1),
    ])
    func `leaving an array skips the rest of it, valid or not`(text: String, depth: Int) throws {
        let parts = text.split(separator: "|")
        let text = Array(parts.joined().utf8)
        var scanner = JSONScanner(text.span.bytes)
        try scanner.beginArray()
        _ = try scanner.nextElement()
        try scanner.beginArray()
        _ = try scanner.nextElement()
        _ = try scanner.number()
        try scanner.leave(toDepth: depth)
        let position = scanner.position
        #expect(position == parts[0].utf8.count)
    }

    @Test(arguments: ["[[1", #"[[1,"]]"#, #"[[1,"\"#])
    func `a text that ends within the array that is left is an error`(text: String) throws {
        let text = Array(text.utf8)
        var scanner = JSONScanner(text.span.bytes)
        try scanner.beginArray()
        var error: JSONError?
        do throws(JSONError) { try scanner.leave(toDepth: 0) } catch let thrown { error = thrown }
        #expect(error == JSONError(problem: .unexpectedEnd, offset: text.count))
    }

    @Test(arguments: [("[1,2]", 2), (#"{"a":1,"b":[2,3]}"#, 6), ("[[]]", 2)])
    func `more values than the limit are an error`(text: String, parts: Int) {
        let text = Array(text.utf8)
        for limit in 0...parts {
            var scanner = JSONScanner(text.span.bytes)
            scanner.maxParts = limit
            var problem: JSONError.Problem?
            do throws(JSONError) { try scanner.skip() } catch { problem = error.problem }
            #expect(problem == (limit < parts ? .tooManyValues : nil))
        }
    }

    @Test(arguments: [
        ("1", 0), ("[1,2]", 2), (#"{"a":1,"b":[2,3]}"#, 6), (#"["a,b","c:[{"]"#, 2), (#"["\",","\\",","]"#, 3),
    ])
    func `commas, colons and opening brackets are counted outside strings`(text: String, parts: Int) throws {
        let text = Array(text.utf8)
        var scanner = JSONScanner(text.span.bytes)
        try scanner.skip()
        let found = scanner.parts
        #expect(found == parts)
    }
}
