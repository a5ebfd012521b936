import Testing

@testable import ipctl

@Suite struct TextLinesTests {
    /// Returns all lines of a text that arrives in chunks of a size.
    private static func lines(_ text: String, inPiecesOf size: Int, hasQuotes: Bool = false) throws -> [String] {
        var lines = TextLines(hasQuotes: hasQuotes)
        var expectedText: [String] = []
        func take() throws {
            while let line = try lines.next() {
                expectedText.append("\(line.number):\(String(decoding: line.bytes, as: UTF8.self))")
            }
        }
        for piece in Array(text.utf8).parts(of: size) {
            lines.receive(piece)
            try take()
        }
        lines.end()
        try take()
        return expectedText
    }

    @Test(arguments: [1, 2, 3, 1_000]) func `lines have their numbers with chunks of any size`(size: Int) throws {
        #expect(try Self.lines("a\nb\r\n\n \t\r\nc", inPiecesOf: size) == ["1:a", "2:b", "5:c"])
        #expect(try Self.lines("a\n", inPiecesOf: size) == ["1:a"])
        #expect(try Self.lines("", inPiecesOf: size) == [])
    }

    @Test(arguments: [1, 2, 3, 1_000]) func `a line break between quotes does not end a line`(size: Int) throws {
        let text = "a,\"b\n\n\"\"c\"\r\nd\n\"open\n"
        #expect(
            try Self.lines(text, inPiecesOf: size, hasQuotes: true) == ["1:a,\"b\n\n\"\"c\"", "4:d", "5:\"open\n"])
        #expect(try Self.lines("\"a\nb", inPiecesOf: size) == ["1:\"a", "2:b"])
    }

    @Test func `an overlong line is rejected before its end has arrived`() throws {
        var lines = TextLines(hasQuotes: false)
        let piece = [UInt8](repeating: 0x61, count: TextLines.maxLineBytes)
        lines.receive([0x62, 0x0A] + piece)
        #expect(try lines.next()?.number == 1)
        #expect(try lines.next() == nil)
        lines.receive([0x61])
        #expect(throws: LineError("longer than the limit of 65,536 bytes")) { try lines.next() }
        #expect(lines.number == 2)
    }
}
