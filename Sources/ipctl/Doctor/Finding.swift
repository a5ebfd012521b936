import Varlink

/// What a check found.
struct Finding: Hashable {
    enum State: String {
        case ok, warning, bad
        /// It was not looked at, or could not be: whether it is well is not known.
        case skipped
    }

    /// What was looked at, in a word: "socket", "quota".
    let check: String
    let state: State
    let message: String
    /// What to do about it; nil where nothing is wrong, and where nothing can be done to look at it.
    let remedy: String?
}

/// Looks at one thing that may be wrong.
///
/// What it needs is handed to it when it is made, so that a test can plant the fault.
protocol Check {
    /// What is looked at, in a word.
    static var name: String { get }

    /// At least one, the worst of them not always first.
    func findings() -> [Finding]
}

extension Check {
    func ok(_ message: String) -> Finding {
        Finding(check: Self.name, state: .ok, message: message, remedy: nil)
    }

    /// It works for now, or for some, or less well than it should.
    func warning(_ message: String, remedy: String) -> Finding {
        Finding(check: Self.name, state: .warning, message: message, remedy: remedy)
    }

    /// Nobody knows whether it is well.
    func skipped(_ message: String, remedy: String? = nil) -> Finding {
        .skipped(Self.name, message, remedy: remedy)
    }

    func bad(_ message: String, remedy: String) -> Finding {
        Finding(check: Self.name, state: .bad, message: message, remedy: remedy)
    }
}

extension Finding {
    /// Of a check that cannot even be made.
    static func skipped(_ check: String, _ message: String, remedy: String? = nil) -> Finding {
        Finding(check: check, state: .skipped, message: message, remedy: remedy)
    }

    /// For a person: what was found, and below it what to do.
    func lines(on terminal: Terminal) -> [String] {
        let (mark, style): (String, Style) =
            switch state {
            case .ok: ("✓", .good)
            case .warning: ("!", .caution)
            case .bad: ("✗", .bad)
            case .skipped: ("–", .dim)
            }
        let head = "\(terminal.styled(mark, style)) \(check.padded(to: Self.nameColumns)) \(message.printable)"
        guard let remedy else { return [head] }
        let margin = String(repeating: " ", count: Self.nameColumns + 3)
        return [head, "\(margin)\(terminal.styled("→ \(remedy.printable)", .bold))"]
    }

    /// For a program: one object.
    var document: Value {
        .object([
            "check": .string(check), "state": .string(state.rawValue), "message": .string(message),
            "remedy": remedy.map { .string($0) } ?? .null,
        ])
    }

    /// "configuration", the longest name.
    private static let nameColumns = 13
}
