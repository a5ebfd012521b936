/// The text styles of states.
enum StateStyle {
    static func style(of state: String) -> TextStyle? {
        switch state {
        case "fresh": .good
        case "stale", "loading": .caution
        case "failed": .bad
        case "empty": .dim
        default: nil
        }
    }
}
