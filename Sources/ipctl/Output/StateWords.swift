/// How states are told.
enum StateWords {
    static func style(of state: String) -> Style? {
        switch state {
        case "fresh": .good
        case "stale", "loading": .caution
        case "failed": .bad
        case "empty": .dim
        default: nil
        }
    }
}
