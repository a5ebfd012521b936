import Glibc

/// Which pager a person wants: `$IPCTL_PAGER`, else `$PAGER`, else less; empty or `cat` is for none.
///
/// systemctl's rules. Under sudo it is less without what lets a person run commands (less(1), SECURITY): who may run this
/// program as root may not therefore run any.
struct PagerChoice: Hashable {
    /// For the shell; nil for no pager.
    let command: String?
    let isLess: Bool
    let isSecure: Bool

    /// less where there is one, and no pager where there is none.
    static let less = "if command -v less >/dev/null; then exec less; else exec cat; fi"

    /// - Parameter variable: a variable of the environment; nil where it is not set.
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

    static var ofEnvironment: PagerChoice {
        PagerChoice { name in getenv(name).map { String(cString: $0) } }
    }
}
