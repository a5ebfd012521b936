import Glibc

/// The user's choice of a pager: `$IPCTL_PAGER`, else `$PAGER`, else less; an empty value or `cat` means none.
///
/// The rules are those of systemctl. Under sudo, the pager is less in its secure mode (less(1), SECURITY): permission
/// to run ipctl as root does not imply permission to run other commands.
struct PagerChoice: Hashable {
    /// The command for the shell; nil for no pager.
    let command: String?
    let isLess: Bool
    let isSecure: Bool

    /// Runs less if it is installed, and no pager otherwise.
    static let less = "if command -v less >/dev/null; then exec less; else exec cat; fi"

    /// - Parameter variable: returns the value of an environment variable; nil if it is not set.
    init(_ variable: (String) -> String?) {
        isSecure = variable("SUDO_UID") != nil
        let wanted = variable("IPCTL_PAGER") ?? variable("PAGER")
        switch wanted {
        case "", "cat":
            (command, isLess) = (nil, false)
        case let wanted? where !isSecure:
            let words = wanted.split(separator: " ")
            (command, isLess) = (wanted, words.first.map { $0 == "less" || $0.hasSuffix("/less") } ?? false)
        default:
            (command, isLess) = (Self.less, true)
        }
    }

    /// Whether the program of the command exists and is executable. A command with quotes or expansions is assumed to
    /// be runnable, because only a shell can parse it.
    var isRunnable: Bool {
        guard isUserCommand, let command else { return true }
        // Assignments may precede the program.
        let words = command.split(separator: " ").drop { $0.contains("=") }
        guard let program = words.first.map({ String($0) }), !program.contains(where: Self.shellCharacters.contains)
        else { return true }
        return Executable(program).isFound
    }

    /// Whether the command is the user's own, and not the default one.
    private var isUserCommand: Bool { command != Self.less }

    private static let shellCharacters = Set<Character>("$'\"`\\()|&;<>*?[]{}~#!")

    static var fromEnvironment: PagerChoice {
        PagerChoice { name in getenv(name).map { String(cString: $0) } }
    }
}
