/// Rows and columns, aligned, in the width of the terminal.
///
/// In a terminal that is too narrow the columns that may shrink are cut, the widest first. Where that is not enough, columns
/// are left out from the right, those that may shrink before the others, and the first never. In a pipe nothing is cut.
///
/// A remark, which may be a sentence, makes its column only a little wider, and runs over the empty cells that follow it.
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
        /// It stands in place of what the row does not have.
        var isRemark = false

        init(_ text: String, _ style: Style? = nil) {
            self.text = text.printable
            self.style = style
        }

        static func remark(_ text: String) -> Cell {
            var cell = Cell(text)
            cell.isRemark = true
            return cell
        }

        /// What it wants of its column.
        fileprivate var naturalWidth: Int {
            isRemark ? min(text.displayWidth, Self.widestForRemark) : text.displayWidth
        }

        /// As wide as the places that stand beside it usually are.
        private static let widestForRemark = 24
    }

    let columns: [Column]
    /// Each with one cell for each column.
    var rows: [[Cell]] = []
    /// What the columns had in the rows before these; empty before the first.
    private var widthsBefore: [Int] = []

    init(columns: [Column], rows: [[Cell]] = []) {
        self.columns = columns
        self.rows = rows
    }

    private static let gap = "  "

    func lines(on terminal: Terminal) -> [String] {
        let shown = fitted(to: terminal.columns)
        let titles = columns.map { Cell($0.title, .bold) }
        return ([titles] + rows).map { line($0, shown, on: terminal) }
    }

    /// The lines of more rows of a table that is too long to be held at once.
    ///
    /// Titles stand above the first. A column becomes wider when it must, and never narrower again.
    mutating func nextLines(_ rows: [[Cell]], on terminal: Terminal) -> [String] {
        let hasTitles = !widthsBefore.isEmpty
        self.rows = rows
        widthsBefore = naturalWidths
        return hasTitles ? Array(lines(on: terminal).dropFirst()) : lines(on: terminal)
    }

    /// A column that is shown: which, and how wide.
    private typealias Shown = (index: Int, width: Int)

    private var naturalWidths: [Int] {
        columns.indices.map { index in
            let before = widthsBefore.isEmpty ? columns[index].title.displayWidth : widthsBefore[index]
            return rows.reduce(before) { max($0, $1[index].naturalWidth) }
        }
    }

    private func fitted(to available: Int?) -> [Shown] {
        var shown: [Shown] = naturalWidths.enumerated().map { ($0, $1) }
        guard let available else { return shown }
        while !shown.isEmpty {
            if let shrunk = shrunk(shown, to: available) { return shrunk }
            guard let last = shown.indices.dropFirst().last else { break }
            shown.remove(at: shown.indices.dropFirst().last { columns[shown[$0].index].shrinksTo != nil } ?? last)
        }
        return shown.map { ($0.index, min($0.width, available)) }
    }

    /// - Returns: nil where they do not fit, however much they are cut.
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
        // Empty cells at the end need no columns.
        while line.last == " " { line.removeLast() }
        return line
    }

    private func emptyCells(of cells: [Cell], _ shown: [Shown], after position: Int) -> Int {
        shown[(position + 1)...].prefix { cells[$0.index].text.isEmpty }.count
    }
}
