import Testing

@testable import ipctl

@Suite struct TextLinesTests {
    /// All lines of a text that comes in pieces of a size.
    private static func lines(_ text: String, inPiecesOf size: Int, hasQuotes: Bool = false) throws -> [String] {
        var lines = TextLines(hasQuotes: hasQuotes)
        var told: [String] = []
        func take() throws {
            while let line = try lines.next() {
                told.append("\(line.number):\(String(decoding: line.bytes, as: UTF8.self))")
            }
        }
        for piece in Array(text.utf8).parts(of: size) {
            lines.receive(piece)
            try take()
        }
        lines.end()
        try take()
        return told
    }

    @Test(arguments: [1, 2, 3, 1_000]) func `lines have their numbers, however the pieces are cut`(size: Int) throws {
        #expect(try Self.lines("a\nb\r\n\n \t\r\nc", inPiecesOf: size) == ["1:a", "2:b", "5:c"])
        #expect(try Self.lines("a\n", inPiecesOf: size) == ["1:a"])
        #expect(try Self.lines("", inPiecesOf: size) == [])
    }

    @Test(arguments: [1, 2, 3, 1_000]) func `between quotes a line goes on`(size: Int) throws {
        let text = "a,\"b\n\n\"\"c\"\r\nd\n\"open\n"
        #expect(
            try Self.lines(text, inPiecesOf: size, hasQuotes: true) == ["1:a,\"b\n\n\"\"c\"", "4:d", "5:\"open\n"])
        #expect(try Self.lines("\"a\nb", inPiecesOf: size) == ["1:\"a", "2:b"])
    }

    @Test func `a line that is longer than any is refused before all of it is there`() throws {
        var lines = TextLines(hasQuotes: false)
        let piece = [UInt8](repeating: 0x61, count: TextLines.longestLineBytes)
        lines.receive([0x62, 0x0A] + piece)
        #expect(try lines.next()?.number == 1)
        #expect(try lines.next() == nil)
        lines.receive([0x61])
        #expect(throws: BadLine("it has more than 65,536 bytes, as no line of a list does")) { try lines.next() }
        #expect(lines.number == 2)
    }
}
