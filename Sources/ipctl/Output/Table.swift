import Control

/// A table with aligned columns that fits the terminal.
///
/// On a narrow terminal, columns without text are dropped first, from the right. If that is not enough, shrinkable
/// columns are truncated, the widest first. As a last resort, columns are dropped from the right, shrinkable columns
/// first, and important ones last. The first column is never dropped. In output to a pipe, nothing is dropped or
/// truncated.
///
/// A remark, which may be a sentence, widens its column only a little, and extends over the empty cells to its right.
struct Table {
    struct Column {
        let title: String
        var isNumber = false
        /// The minimum width to which the column may shrink; nil if it may not shrink.
        var shrinksTo: Int?
        /// Whether the column is dropped after all others.
        var isImportant = false
    }

    struct Cell {
        let text: String
        var style: TextStyle?
        /// Whether the cell is a remark in place of missing values.
        var isRemark = false

        init(_ text: String, _ style: TextStyle? = nil) {
            self.text = text.printable
            self.style = style
        }

        static func remark(_ text: String) -> Cell {
            var cell = Cell(text)
            cell.isRemark = true
            return cell
        }

        /// The width that the cell needs.
        fileprivate var naturalWidth: Int {
            isRemark ? min(text.displayWidth, Self.maxRemarkColumns) : text.displayWidth
        }

        /// The maximum width of a remark in its column, about the width of a typical place.
        private static let maxRemarkColumns = 24
    }

    let columns: [Column]
    /// The rows, each with one cell per column.
    var rows: [[Cell]] = []
    /// The widths of the columns in earlier rows; empty before the first rows.
    private(set) var earlierWidths: [Int] = []
    /// The columns that are not shown because they have no text.
    private(set) var hidden: Set<Int> = []

    private static let gap = "  "

    func lines(on terminal: Terminal) -> [String] {
        var table = self
        table.hideEmptyColumns(on: terminal)
        return table.shownLines(on: terminal)
    }

    private func shownLines(on terminal: Terminal) -> [String] {
        let shown = fitted(to: terminal.columns)
        let titles = columns.map { Cell($0.title, .bold) }
        return ([titles] + rows).map { line($0, shown, on: terminal) }
    }

    /// Returns the lines of the next rows, for a table that is too long to keep in memory.
    ///
    /// The titles come first. A column may become wider, but not narrower.
    ///
    /// - Parameter isWhole: whether the table has no other rows, so that columns without text can be dropped.
    mutating func nextLines(_ rows: [[Cell]], on terminal: Terminal, isWhole: Bool) -> [String] {
        let hasTitles = !earlierWidths.isEmpty
        self.rows = rows
        if isWhole { hideEmptyColumns(on: terminal) }
        earlierWidths = naturalWidths
        let lines = shownLines(on: terminal)
        return hasTitles ? Array(lines.dropFirst()) : lines
    }

    /// Hides columns without text, from the right, until the others fit.
    private mutating func hideEmptyColumns(on terminal: Terminal) {
        guard let available = terminal.columns, !rows.isEmpty else { return }
        let widths = naturalWidths
        var excess = widths.reduce(0, +) + Self.gap.count * (columns.count - 1) - available
        for index in columns.indices.dropFirst().reversed() where excess > 0 {
            guard rows.allSatisfy({ $0[index].text.isEmpty }) else { continue }
            hidden.insert(index)
            excess -= widths[index] + Self.gap.count
        }
    }

    /// The index and the width of a shown column.
    private typealias Shown = (index: Int, width: Int)

    private var naturalWidths: [Int] {
        columns.indices.map { index in
            let before = earlierWidths.isEmpty ? columns[index].title.displayWidth : earlierWidths[index]
            return rows.reduce(before) { max($0, $1[index].naturalWidth) }
        }
    }

    private func fitted(to available: Int?) -> [Shown] {
        var shown: [Shown] = naturalWidths.enumerated().filter { !hidden.contains($0.offset) }.map { ($0, $1) }
        guard let available else { return shown }
        while !shown.isEmpty {
            if let shrunk = shrunk(shown, to: available) { return shrunk }
            let candidates = shown.indices.dropFirst()
            let others = candidates.filter { !columns[shown[$0].index].isImportant }
            let shrinkable = others.last { columns[shown[$0].index].shrinksTo != nil }
            guard let dropped = shrinkable ?? others.last ?? candidates.last else { break }
            shown.remove(at: dropped)
        }
        return shown.map { ($0.index, min($0.width, available)) }
    }

    /// - Returns: nil if the columns do not fit at their minimum widths.
    private func shrunk(_ shown: [Shown], to available: Int) -> [Shown]? {
        var shown = shown
        var excess = shown.reduce(0) { $0 + $1.width } + Self.gap.count * (shown.count - 1) - available
        while excess > 0 {
            let candidates = shown.indices.filter { position in
                columns[shown[position].index].shrinksTo.map { shown[position].width > $0 } ?? false
            }
            guard let widest = candidates.max(by: { shown[$0].width < shown[$1].width }) else { return nil }
            shown[widest].width -= 1
            excess -= 1
        }
        return shown
    }

    private func line(_ cells: [Cell], _ shown: [Shown], on terminal: Terminal) -> String {
        var (line, used, position) = ("", 0, 0)
        while position < shown.count {
            let cell = cells[shown[position].index]
            let covered = cell.isRemark ? emptyCells(of: cells, shown, after: position) : 0
            let isLast = position + covered == shown.count - 1
            var width = shown[position...(position + covered)].reduce(0) { $0 + $1.width } + Self.gap.count * covered
            if cell.isRemark {
                let room = isLast ? terminal.columns.map { $0 - used } : terminal.columns.map { _ in width }
                width = max(width, min(cell.text.displayWidth, room ?? .max))
            }
            let text = cell.text.cut(to: width)
            let padding = String(repeating: " ", count: width - text.displayWidth)
            let styled = terminal.styled(text, cell.style)
            line += columns[shown[position].index].isNumber ? padding + styled : isLast ? styled : styled + padding
            if !isLast { line += Self.gap }
            used += width + Self.gap.count
            position += 1 + covered
        }
        // Trailing spaces are dropped.
        while line.last == " " { line.removeLast() }
        return line
    }

    private func emptyCells(of cells: [Cell], _ shown: [Shown], after position: Int) -> Int {
        shown[(position + 1)...].prefix { cells[$0.index].text.isEmpty }.count
    }
}
