import Control

/// The contents of a screen as a value: rows of cells, each with a character and a style.
///
/// Text that does not fit is truncated, and text is made printable before it is stored.
struct Canvas: Hashable {
    struct Cell: Hashable {
        /// One user-perceived character; empty if the wide character before it covers this cell.
        var text: String
        var cellStyle: CellStyle

        static let blank = Cell(text: " ", cellStyle: .plain)
    }

    let columns: Int
    let rows: Int
    private var cells: [Cell]

    init(columns: Int, rows: Int) {
        self.columns = max(0, columns)
        self.rows = max(0, rows)
        cells = Array(repeating: .blank, count: self.columns * self.rows)
    }

    /// - Precondition: the cell is on the canvas.
    subscript(column column: Int, row row: Int) -> Cell { cells[row * columns + column] }

    /// Writes text into one row, with an ellipsis if it is truncated.
    ///
    /// - Parameter width: the maximum number of columns.
    /// - Returns: the column after the text.
    @discardableResult
    mutating func put(_ text: String, _ cellStyle: CellStyle = .plain, column: Int, row: Int, width: Int = .max) -> Int
    {
        let room = min(width, columns - column)
        guard room > 0, column >= 0, (0..<rows).contains(row) else { return column }
        let start = row * columns
        var position = column
        for character in text.printable.cut(to: room) {
            let text = String(character)
            let width = text.displayWidth
            if width == 0 {
                // A combining character belongs to the character before it.
                if position > column { cells[start + position - 1].text += text }
                continue
            }
            // A single wide character may not fit, but the ellipsis always does.
            guard position + width <= column + room else { break }
            replace(start + position, Cell(text: text, cellStyle: cellStyle), width: width)
            position += width
        }
        return position
    }

    /// Swaps the colours of text and background in a row, or back.
    mutating func reverse(row: Int) {
        for index in row * columns..<(row + 1) * columns { cells[index].cellStyle.isReversed.toggle() }
    }

    private mutating func replace(_ index: Int, _ cell: Cell, width: Int) {
        let end = index + width
        let rowStart = index - index % columns
        // A wide character disappears if one of its cells is overwritten.
        if cells[index].text.isEmpty {
            var head = index
            while head > rowStart, cells[head].text.isEmpty { head -= 1 }
            for broken in head..<index { cells[broken].text = " " }
        }
        var tail = end
        while tail < rowStart + columns, cells[tail].text.isEmpty {
            cells[tail].text = " "
            tail += 1
        }
        cells[index] = cell
        for covered in index + 1..<max(end, index + 1) { cells[covered] = Cell(text: "", cellStyle: cell.cellStyle) }
    }

    /// Returns the rows for a terminal, without trailing blanks.
    func lines(on terminal: Terminal) -> [String] {
        (0..<rows).map { line($0, on: terminal) }
    }

    /// The number of columns up to the last column that is not blank.
    func usedColumns(row: Int) -> Int {
        let cells = self.cells[row * columns..<(row + 1) * columns]
        return (cells.lastIndex { $0 != .blank } ?? cells.startIndex - 1) + 1 - cells.startIndex
    }

    private func line(_ row: Int, on terminal: Terminal) -> String {
        let cells = self.cells[row * columns..<(row + 1) * columns]
        guard let last = cells.lastIndex(where: { $0 != .blank }) else { return "" }
        var (line, run, cellStyle) = ("", "", CellStyle.plain)
        for cell in cells[...last] {
            if cell.cellStyle != cellStyle {
                line += terminal.styled(run, cellStyle)
                (run, cellStyle) = ("", cell.cellStyle)
            }
            run += cell.text
        }
        return line + terminal.styled(run, cellStyle)
    }
}
