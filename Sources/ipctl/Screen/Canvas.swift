/// What is to stand on a screen, as a value: rows of cells, each with a character and how it looks.
///
/// Nothing stands outside of it: what does not fit is cut. What is put there is made harmless for a terminal first.
struct Canvas: Hashable {
    struct Cell: Hashable {
        /// One character as a person sees it; empty where the character before it takes this cell, too.
        var text: String
        var look: Look

        static let blank = Cell(text: " ", look: .plain)
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

    /// Writes a text into one row, with an ellipsis where it is cut.
    ///
    /// - Parameter width: columns that it may take.
    /// - Returns: the column after it.
    @discardableResult
    mutating func put(_ text: String, _ look: Look = .plain, column: Int, row: Int, width: Int = .max) -> Int {
        let room = min(width, columns - column)
        guard room > 0, column >= 0, (0..<rows).contains(row) else { return column }
        let start = row * columns
        var position = column
        for character in text.printable.cut(to: room) {
            let text = String(character)
            let width = text.displayWidth
            if width == 0 {
                // What combines belongs to the character before it.
                if position > column { cells[start + position - 1].text += text }
                continue
            }
            // One sign may be wider than all the room there is, the ellipsis with it never.
            guard position + width <= column + room else { break }
            replace(start + position, Cell(text: text, look: look), width: width)
            position += width
        }
        return position
    }

    private mutating func replace(_ index: Int, _ cell: Cell, width: Int) {
        let end = index + width
        let rowStart = index - index % columns
        // A wide character that loses one of its cells is no more.
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
        for covered in index + 1..<max(end, index + 1) { cells[covered] = Cell(text: "", look: cell.look) }
    }

    /// The rows as a terminal takes them, without blanks at their ends.
    func lines(on terminal: Terminal) -> [String] {
        (0..<rows).map { line($0, on: terminal) }
    }

    /// Columns up to the last that is not blank.
    func usedColumns(row: Int) -> Int {
        let cells = self.cells[row * columns..<(row + 1) * columns]
        return (cells.lastIndex { $0 != .blank } ?? cells.startIndex - 1) + 1 - cells.startIndex
    }

    private func line(_ row: Int, on terminal: Terminal) -> String {
        let cells = self.cells[row * columns..<(row + 1) * columns]
        guard let last = cells.lastIndex(where: { $0 != .blank }) else { return "" }
        var (line, run, look) = ("", "", Look.plain)
        for cell in cells[...last] {
            if cell.look != look {
                line += terminal.styled(run, look)
                (run, look) = ("", cell.look)
            }
            run += cell.text
        }
        return line + terminal.styled(run, look)
    }
}
