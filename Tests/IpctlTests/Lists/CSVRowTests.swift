import Testing

@testable import ipctl

@Suite struct CSVRowTests {
    private static func fields(_ text: String) throws -> [String] { try CSVRow(reading: Array(text.utf8)[...]).fields }

    @Test(
        arguments: [
            ("a,b", ["a", "b"]), ("", [""]), (",", ["", ""]), ("a,", ["a", ""]), ("\"a,b\",c", ["a,b", "c"]),
            ("\"a\"\"b\"", ["a\"b"]), ("\"\"", [""]), ("\"a\nb\"", ["a\nb"]), (" a , b", [" a ", " b"]),
            ("é\u{301},\"é\u{301}\"", ["é\u{301}", "é\u{301}"]), ("\u{301},a", ["\u{301}", "a"]),
        ])
    func `fields are separated by commas, and quoted fields may contain anything`(text: String, fields: [String]) throws
    {
        #expect(try Self.fields(text) == fields)
    }

    @Test(
        arguments: [
            ("\"a", "unterminated quote"), ("a\"b,c", "a field that contains a quote must be quoted"),
            ("\"a\"b", "expected a comma after the closing quote; write a quote inside a field twice"),
        ])
    func `an invalid row is reported`(text: String, message: String) {
        let error = #expect(throws: LineError.self) { try Self.fields(text) }
        #expect(error?.message.hasPrefix(message) == true)
    }

    @Test func `invalid UTF-8 is reported`() {
        #expect(throws: LineError("not valid UTF-8")) { try CSVRow(reading: [0x61, 0xFF]) }
    }

    @Test(
        arguments: [
            (["a", "b c", ""], "a,b c,\r\n"), (["a,b", "c\"d"], "\"a,b\",\"c\"\"d\"\r\n"), ([" a"], "\" a\"\r\n"),
            (["a\nb"], "\"a\nb\"\r\n"),
        ])
    func `fields are quoted only if necessary`(fields: [String], text: String) {
        #expect(String(decoding: CSVRow(fields).bytes, as: UTF8.self) == text)
    }

    @Test func `any written row is read back`() throws {
        let pieces = ["a", ",", "\"", " ", "\n", "\r", "é", "\u{301}", "", "\"\"", "日本"]
        var random = SystemRandomNumberGenerator()
        for _ in 0..<1_000 {
            let fields = (0..<3).map { _ in
                (0..<Int.random(in: 0...5, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
                    .joined()
            }
            #expect(
                try CSVRow(reading: CSVRow(fields).bytes.dropLast(2)).fields.map { Array($0.utf8) }
                    == fields.map { Array($0.utf8) })
        }
    }
}
