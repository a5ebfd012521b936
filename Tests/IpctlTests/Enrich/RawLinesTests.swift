import RecordKeeping
import Testing

@testable import ipctl

@Suite struct RawLinesTests {
    /// Returns the lines of a text that arrives in chunks of a size; parts of long lines are joined, with a mark.
    private static func lines(
        _ text: String, _ format: LineFormat = .text, inChunksOf size: Int, maxLineBytes: Int = 100
    ) -> [String] {
        var (lines, found, isInside) = (RawLines(format, maxLineBytes: maxLineBytes), [String](), false)
        func readLines() {
            while let part = lines.next() {
                let text = String(decoding: part.bytes, as: UTF8.self)
                if isInside {
                    found[found.count - 1] += text
                } else {
                    found.append((part.isWholeLine ? "" : "!") + text)
                }
                isInside = !part.isWholeLine && part.bytes.last != UInt8(ascii: "\n")
            }
        }
        let bytes = Array(text.utf8)
        for start in stride(from: 0, to: bytes.count, by: size) {
            lines.receive(bytes[start..<min(start + size, bytes.count)])
            readLines()
        }
        lines.end()
        readLines()
        return found
    }

    @Test(arguments: [1, 2, 3, 1_000]) func `lines keep their line breaks`(size: Int) {
        #expect(Self.lines("a\n\r\n\nb\r\nc", inChunksOf: size) == ["a\n", "\r\n", "\n", "b\r\n", "c"])
        #expect(Self.lines("a\"\nb\"\n", inChunksOf: size) == ["a\"\n", "b\"\n"])
        #expect(Self.lines("", inChunksOf: size) == [])
    }

    @Test(arguments: [1, 2, 3, 1_000]) func `a line break in a quoted field does not end a row`(size: Int) {
        let rows = ["a,\"b\n\"\"\n,c\"\r\n", "\"\"\n", "stray \" quote\n", "\"x\"\"\ny\",z\n", "\"open\n"]
        #expect(Self.lines(rows.joined(), .csv, inChunksOf: size) == rows)
    }

    @Test(arguments: [1, 2, 3, 1_000]) func `a byte order mark is not a part of the first field of CSV`(size: Int) {
        let rows = ["\u{FEFF}\"a\nb\",c\n", "\u{FEFF}\"\n", "d\n"]
        #expect(Self.lines(rows.joined(), .csv, inChunksOf: size) == rows)
        for text in ["\u{FEFF}", "\u{FEFF}\n", "\u{FEFB}\"\n"] {
            #expect(Self.lines(text, .csv, inChunksOf: size) == [text])
        }
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6, 1_000]) func `a line above the limit is passed on in parts`(size: Int) {
        let lines = Self.lines("1234\n12345\n\n123456789\n12345", inChunksOf: size, maxLineBytes: 5)
        #expect(lines == ["1234\n", "!12345\n", "\n", "!123456789\n", "12345"])
    }

    @Test func `a line is returned as soon as it has arrived`() {
        var lines = RawLines(.text)
        lines.receive(Array("a\nb".utf8))
        #expect(lines.next()?.bytes == Array("a\n".utf8)[...])
        #expect(lines.next() == nil)
    }

    @Test func `memory is bounded by the limit`() {
        var lines = RawLines(.csv, maxLineBytes: 1_000)
        lines.receive([UInt8(ascii: "\"")])
        var longest = 0
        for _ in 0..<1_000 {
            lines.receive([UInt8](repeating: 0x61, count: 100))
            while let part = lines.next() { longest = max(longest, part.bytes.count) }
        }
        #expect((1_001...1_200).contains(longest))
    }

    @Test(arguments: [
        ("", [""]), (",", ["", ""]), ("a,\"b,c\",d", ["a", "\"b,c\"", "d"]), ("\"a\"\",b\",", ["\"a\"\",b\"", ""]),
        ("a\"b,c\"", ["a\"b", "c\""]),
    ])
    func `the fields of a row keep their quotes`(row: String, expected: [String]) {
        let bytes = Array(row.utf8)
        let ranges = bytes.withUnsafeBufferPointer { CSVPosition.fields(of: $0) }
        #expect(ranges.map { String(decoding: bytes[$0], as: UTF8.self) } == expected)
    }
}
