import Glibc

/// The properties of standard output that determine colours and width.
struct Terminal {
    /// Whether colours are used: on a terminal with colours, unless NO_COLOR (no-color.org) is set.
    let hasColor: Bool
    /// Columns of the terminal; nil for a file or a pipe, in which nothing is truncated.
    let columns: Int?
    /// Lines of the terminal; nil for a file or a pipe, and for a terminal that cannot scroll.
    let rows: Int?

    static let standardOutput = Terminal()

    private init() {
        let isTerminal = isatty(STDOUT_FILENO) == 1
        let noColor = getenv("NO_COLOR").map { $0.pointee != 0 } ?? false
        let isDumb = getenv("TERM").map { String(cString: $0) == "dumb" } ?? true
        hasColor = isTerminal && !noColor && !isDumb
        let size = isTerminal ? WindowSize.standardOutput : nil
        columns = size?.columns
        rows = isDumb ? nil : size?.rows
    }

    /// A terminal for tests, or output that is not a terminal.
    init(hasColor: Bool, columns: Int?) {
        self.hasColor = hasColor
        self.columns = columns
        rows = nil
    }

    func styled(_ text: String, _ style: TextStyle?) -> String {
        guard hasColor, let style, !text.isEmpty else { return text }
        return "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
    }
}

/// A text style, with its SGR code.
enum TextStyle: String {
    case bold = "1"
    case dim = "2"
    case good = "32"
    case caution = "33"
    case bad = "31"
    case notable = "36"
}
