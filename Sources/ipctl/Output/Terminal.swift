import Glibc

/// What standard output is, which decides about colour and width.
struct Terminal {
    /// Colours are shown: standard output is a terminal that can, and NO_COLOR (no-color.org) is not set.
    let hasColor: Bool
    /// Columns of the terminal; nil where the output goes to a file or a pipe, in which nothing is cut.
    let columns: Int?
    /// Lines of the terminal; nil where the output goes elsewhere, and for a terminal in which nothing can scroll.
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

    /// For tests and for what is never a terminal.
    init(hasColor: Bool, columns: Int?) {
        self.hasColor = hasColor
        self.columns = columns
        rows = nil
    }
}

/// How a text is to stand out.
enum Style: String {
    case bold = "1"
    case dim = "2"
    case good = "32"
    case caution = "33"
    case bad = "31"
    case notable = "36"
}

extension Terminal {
    func styled(_ text: String, _ style: Style?) -> String {
        guard hasColor, let style, !text.isEmpty else { return text }
        return "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m"
    }
}
