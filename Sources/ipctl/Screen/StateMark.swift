/// The marks of states, which can be distinguished without colours.
enum StateMark {
    /// The states, worst first.
    static let states = ["failed", "stale", "loading", "fresh", "empty"]

    static func text(of state: String) -> String {
        switch state {
        case "fresh": "●"
        case "stale": "◐"
        case "loading": "◌"
        case "failed": "✖"
        case "empty": "○"
        default: "?"
        }
    }

    /// Returns the style of a state. An empty entry needs no attention, so it has no colour.
    static func cellStyle(of state: String, isBold: Bool = false) -> CellStyle {
        CellStyle(style: state == "empty" ? nil : StateStyle.style(of: state), isBold: isBold)
    }

    /// Compares states. Unknown states, from a newer daemon, rank below all known states.
    static func isWorse(_ state: String, than other: String) -> Bool {
        let unknown = states.count
        return (states.firstIndex(of: state) ?? unknown) < (states.firstIndex(of: other) ?? unknown)
    }
}
