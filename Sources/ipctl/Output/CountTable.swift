import Control

/// A table of groups and their sizes, on a terminal with bars.
struct CountTable {
    private let by: String
    private let counted: Control.Count.Reply

    /// Width of the longest bar in columns.
    private static let barColumns = 24

    init(by: String, _ counted: Control.Count.Reply) {
        self.by = by
        self.counted = counted
    }

    func lines(on terminal: Terminal) -> [String] {
        let columns = [
            Table.Column(title: by.uppercased(), shrinksTo: 8), .init(title: "COUNT", isNumber: true),
            .init(title: "SHARE", isNumber: true),
        ]
        let hasBars = terminal.columns != nil
        let largest = counted.groups.map(\.count).max() ?? 0
        let rows = counted.groups.map { group in
            [
                Table.Cell(group.key.isEmpty ? "(none)" : group.key), Table.Cell(Times.grouped(group.count)),
                Table.Cell(Times.percent(Double(group.count) / Double(max(1, counted.total)))),
            ] + (hasBars ? [Table.Cell(bar(group.count, of: largest), .notable)] : [])
        }
        let table = Table(columns: columns + (hasBars ? [.init(title: "", shrinksTo: 0)] : []), rows: rows)
        // Output for programs contains only groups.
        let others = counted.others == 0 || !hasBars ? [] : [Self.note(others: counted.others)]
        return table.lines(on: terminal) + others.map { terminal.styled($0, .dim) }
    }

    static func note(others: Int) -> String {
        "\(Times.grouped(others)) in other groups; use --limit to show more groups"
    }

    /// A bar in steps of an eighth of a column, never empty.
    private func bar(_ count: Int, of largest: Int) -> String {
        let eighths = max(1, Int(Double(8 * Self.barColumns) * Double(count) / Double(max(1, largest))))
        let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
        return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
    }
}
