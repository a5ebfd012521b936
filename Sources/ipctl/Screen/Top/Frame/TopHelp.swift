/// The help of `ipctl top`.
enum TopHelp {
    /// The keys and their functions.
    static let keys: [(keys: String, function: String)] = [
        ("↑ ↓ k j", "select the previous or the next row"),
        ("PgUp PgDn", "a page up or down (also Ctrl-B, Ctrl-F)"),
        ("Home End", "the first or the last row (also g, G)"),
        ("Enter", "the card and the history of the address"),
        ("Space", "mark the row, or remove its mark, and select the next row"),
        ("u", "remove all marks"),
        ("r", "refresh the record"),
        ("p", "pin, or unpin if all are pinned"),
        ("t", "add tags; -TAG removes a tag"),
        ("/", "search"),
        ("s", "show only one state, then the next"),
        ("Esc", "go back; in the list, end search and state"),
        ("Ctrl-L", "redraw the screen"),
        ("? q", "this help, quit"),
    ]

    private static let notes = """
        r, p and t apply to the marked rows, or to the selected one. They need the permission to change the watch list.

        A click selects a row, and the wheel scrolls. To select text with the mouse, hold Shift.
        """

    static func lines(columns: Int) -> [StyledLine] {
        let width = keys.map { $0.keys.displayWidth }.max() ?? 0
        let table = keys.map { keys, function in
            var line = StyledLine(" \(keys.padded(to: width))  ", .bold)
            line.append(function)
            return line
        }
        let text = notes.split(separator: "\n", omittingEmptySubsequences: false).map { StyledLine(" \($0)") }
        return (table + [StyledLine()] + text).flatMap { $0.broken(to: columns) }
    }
}
