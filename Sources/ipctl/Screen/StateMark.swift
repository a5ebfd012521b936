/// The marks of states, and their text styles. The marks can be distinguished without colours.
enum StateMark {
    private static let marks: [(state: String, text: String, style: TextStyle)] = [
        ("failed", "✖", .bad), ("stale", "◐", .caution), ("loading", "◌", .caution), ("fresh", "●", .good),
        ("empty", "○", .dim),
    ]

    /// The states, worst first.
    static let states = marks.map(\.state)

    static func text(of state: String) -> String { marks.first { $0.state == state }?.text ?? "?" }

    /// Returns the text style of a state; nil for an unknown state, from a newer daemon.
    static func style(of state: String) -> TextStyle? { marks.first { $0.state == state }?.style }

    /// Returns the cell style of a state. An empty entry needs no attention, so it has no colour.
    static func cellStyle(of state: String, isBold: Bool = false) -> CellStyle {
        CellStyle(style: state == "empty" ? nil : style(of: state), isBold: isBold)
    }

    /// Compares states. Unknown states, from a newer daemon, rank below all known states.
    static func isWorse(_ state: String, than other: String) -> Bool {
        let unknown = states.count
        return (states.firstIndex(of: state) ?? unknown) < (states.firstIndex(of: other) ?? unknown)
    }
}
