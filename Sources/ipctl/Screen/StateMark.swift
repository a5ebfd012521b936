/// How a state is drawn: by a mark of its own and a colour, so that it is told apart without the colour, too.
enum StateMark {
    /// The worst first: what a person has to know of.
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

    /// An empty entry is as it should be, and nothing to look at.
    static func look(of state: String, isBold: Bool = false) -> Look {
        Look(style: state == "empty" ? nil : StateWords.style(of: state), isBold: isBold)
    }

    /// What is not known comes from a newer daemon, and is not worse than what is.
    static func isWorse(_ state: String, than other: String) -> Bool {
        let unknown = states.count
        return (states.firstIndex(of: state) ?? unknown) < (states.firstIndex(of: other) ?? unknown)
    }
}
