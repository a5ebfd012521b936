import Control
import Varlink

/// The finding of a check.
struct Finding: Hashable {
    enum State: String {
        case ok, warning, bad
        /// The check was not performed, so the result is unknown.
        case skipped
    }

    /// The name of the check: "socket", "quota".
    let check: String
    let state: State
    let message: String
    /// The suggested remedy; nil if nothing is wrong, or if nothing can be done.
    let remedy: String?

    /// Returns a finding for a check that was not performed.
    static func skipped(_ check: String, _ message: String, remedy: String? = nil) -> Finding {
        Finding(check: check, state: .skipped, message: message, remedy: remedy)
    }

    /// Returns the finding as human-readable lines, with the remedy on the second line.
    func lines(on terminal: Terminal) -> [String] {
        let (mark, style): (String, TextStyle) =
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

    /// The finding as a JSON object.
    var document: Value {
        .object([
            "check": .string(check), "state": .string(state.rawValue), "message": .string(message),
            "remedy": remedy.map { .string($0) } ?? .null,
        ])
    }

    /// The width of the longest name, "configuration".
    private static let nameColumns = 13
}

/// A check for one kind of problem.
///
/// The initialiser receives all inputs, so that tests can supply faulty inputs.
protocol Check {
    /// The name of the check, a single word.
    static var name: String { get }

    /// Returns at least one finding, in no particular order.
    func findings() -> [Finding]
}

/// Each function returns a list of one finding, for checks to return or to combine.
extension Check {
    func ok(_ message: String) -> [Finding] {
        [Finding(check: Self.name, state: .ok, message: message, remedy: nil)]
    }

    /// Returns a finding for a problem that affects only some users, or that has no effect yet.
    func warning(_ message: String, remedy: String) -> [Finding] {
        [Finding(check: Self.name, state: .warning, message: message, remedy: remedy)]
    }

    /// Returns a finding without a result.
    func skipped(_ message: String, remedy: String? = nil) -> [Finding] {
        [.skipped(Self.name, message, remedy: remedy)]
    }

    func bad(_ message: String, remedy: String) -> [Finding] {
        [Finding(check: Self.name, state: .bad, message: message, remedy: remedy)]
    }
}
