/// Rows and columns, aligned, in the width of the terminal.
///
/// In a terminal that is too narrow the columns that may shrink are cut, the widest first. In a pipe nothing is cut.
struct Table {
    struct Column {
        let title: String
        var isNumber = false
        /// The least width that it may be cut to; nil for never.
        var shrinksTo: Int?
    }

    struct Cell {
        let text: String
        var style: Style?

        init(_ text: String, _ style: Style? = nil) {
            self.text = text.printable
            self.style = style
        }
    }

    let columns: [Column]
    /// Each with one cell for each column.
    var rows: [[Cell]] = []

    private static let gap = "  "

    func lines(on terminal: Terminal) -> [String] {
        let widths = fitted(naturalWidths, to: terminal.columns)
        let titles = columns.map { Cell($0.title, .bold) }
        return ([titles] + rows).map { line($0, widths: widths, on: terminal) }
    }

    private var naturalWidths: [Int] {
        columns.indices.map { index in
            rows.reduce(columns[index].title.displayWidth) { max($0, $1[index].text.displayWidth) }
        }
    }

    private func fitted(_ natural: [Int], to available: Int?) -> [Int] {
        guard let available else { return natural }
        var widths = natural
        var excess = widths.reduce(0, +) + Self.gap.count * (columns.count - 1) - available
        while excess > 0 {
            let candidates = widths.indices.filter { index in columns[index].shrinksTo.map { widths[index] > $0 } ?? false }
            guard let widest = candidates.max(by: { widths[$0] < widths[$1] }) else { break }
            widths[widest] -= 1
            excess -= 1
        }
        return widths
    }

    private func line(_ cells: [Cell], widths: [Int], on terminal: Terminal) -> String {
        var line = ""
        for (index, cell) in cells.enumerated() {
            let text = cell.text.cut(to: widths[index])
            let isLast = index == cells.count - 1
            let padding = String(repeating: " ", count: widths[index] - text.displayWidth)
            let styled = terminal.styled(text, cell.style)
            line += columns[index].isNumber ? padding + styled : isLast ? styled : styled + padding
            if !isLast { line += Self.gap }
        }
        // Empty cells at the end need no columns.
        while line.last == " " { line.removeLast() }
        return line
    }
}
