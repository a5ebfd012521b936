import Testing

@testable import ipctl

@Suite struct CanvasTests {
    private static func lines(_ canvas: Canvas, hasColor: Bool = false) -> [String] {
        canvas.lines(on: Terminal(hasColor: hasColor, columns: canvas.columns))
    }

    @Test func `a text appears at its position, and the next column is returned`() {
        var canvas = Canvas(columns: 8, rows: 2)
        #expect(canvas.put("abc", column: 2, row: 1) == 5)
        #expect(Self.lines(canvas) == ["", "  abc"])
    }

    @Test func `text that does not fit is truncated with an ellipsis`() {
        var canvas = Canvas(columns: 6, rows: 1)
        #expect(canvas.put("abcdefgh", column: 2, row: 0) == 6)
        #expect(canvas.put("abcdefgh", column: 0, row: 0, width: 2) == 2)
        for (column, row) in [(6, 0), (99, 0), (-1, 0), (0, 1), (0, -1)] {
            #expect(canvas.put("zz", column: column, row: row) == column)
        }
        #expect(canvas.put("zz", column: 0, row: 0, width: 0) == 0)
        #expect(Self.lines(canvas) == ["a…abc…"])
    }

    @Test func `wide characters take two cells, and are overwritten as a whole`() {
        var canvas = Canvas(columns: 6, rows: 1)
        #expect(canvas.put("東京都", column: 0, row: 0) == 6)
        #expect(Self.lines(canvas) == ["東京都"])
        canvas.put("x", column: 1, row: 0)
        #expect(Self.lines(canvas) == [" x京都"])
        canvas.put("y", column: 2, row: 0)
        #expect(Self.lines(canvas) == [" xy 都"])
        canvas.put("東", column: 3, row: 0)
        #expect(Self.lines(canvas) == [" xy東"])
        #expect(canvas.put("京", column: 5, row: 0) == 6)
        #expect(Self.lines(canvas) == [" xy東…"])
    }

    @Test func `a combining character belongs to the character before it`() {
        var canvas = Canvas(columns: 4, rows: 1)
        #expect(canvas.put("Zu\u{308}ri", column: 0, row: 0) == 4)
        #expect(Self.lines(canvas) == ["Zu\u{308}ri"])
        #expect(canvas.put("\u{200C}a", column: 0, row: 0) == 1)
        #expect(Self.lines(canvas) == ["au\u{308}ri"])
    }

    @Test func `control characters are replaced`() {
        var canvas = Canvas(columns: 10, rows: 1)
        canvas.put("a\u{1B}[2J\nb\u{9B}", column: 0, row: 0)
        #expect(!Self.lines(canvas).joined().unicodeScalars.contains { $0.properties.generalCategory == .control })
    }

    @Test func `cells of one style share an escape sequence, and trailing blanks need none`() {
        var canvas = Canvas(columns: 12, rows: 1)
        canvas.put("ab", CellStyle(style: .good, isBold: true), column: 0, row: 0)
        canvas.put("cd", CellStyle(style: .good, isBold: true), column: 2, row: 0)
        canvas.put("e", column: 4, row: 0)
        canvas.put("f", .reversed, column: 6, row: 0)
        #expect(Self.lines(canvas, hasColor: true) == ["\u{1B}[1;32mabcd\u{1B}[0me \u{1B}[7mf\u{1B}[0m"])
        #expect(Self.lines(canvas) == ["abcde f"])
    }

    @Test(arguments: [(0, 0), (-3, 5), (5, -3), (0, 4)]) func `a canvas may have no cells`(columns: Int, rows: Int) {
        var canvas = Canvas(columns: columns, rows: rows)
        canvas.put("abc", column: 0, row: 0)
        #expect(Self.lines(canvas).joined() == "")
    }
}
