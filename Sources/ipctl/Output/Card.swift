import Control

/// A card: a title, and lines with a label and a value.
struct Card {
    struct Line {
        let label: String
        let value: String
        var style: TextStyle?
    }

    let title: String
    var titleStyle: TextStyle?
    /// The text after the title.
    var subtitle = ""
    private(set) var lines: [Line] = []

    init(title: String, style: TextStyle? = nil, subtitle: String = "") {
        self.title = title.printable
        titleStyle = style
        self.subtitle = subtitle.printable
    }

    /// Adds a line, unless the value is nil or empty.
    mutating func add(_ label: String, _ value: String?, _ style: TextStyle? = nil) {
        guard let value, !value.isEmpty else { return }
        lines.append(Line(label: label.printable, value: value.printable, style: style))
    }

    func lines(on terminal: Terminal) -> [String] {
        styledLines(columns: terminal.columns).map { $0.text(on: terminal) }
    }

    /// - Parameter columns: the width of the terminal; nil for lines of any length.
    func styledLines(columns: Int?) -> [StyledLine] {
        let width = lines.reduce(0) { max($0, $1.label.displayWidth) }
        var head = StyledLine(title, .bold)
        if !subtitle.isEmpty {
            head.append("  ")
            head.append(subtitle, titleStyle)
        }
        return [head]
            + lines.flatMap { line -> [StyledLine] in
                let label = line.label.padded(to: width, onTheLeft: true)
                let room = columns.map { max(20, $0 - width - 4) }
                return wrapped(line.value, to: room).enumerated().map { index, part in
                    var styled = StyledLine("  ")
                    styled.append(index == 0 ? label : String(repeating: " ", count: width), index == 0 ? .dim : nil)
                    styled.append("  ")
                    styled.append(part, line.style)
                    return styled
                }
            }
    }

    /// Wraps text at spaces; words longer than the line are not broken.
    private func wrapped(_ text: String, to room: Int?) -> [String] {
        guard let room, text.displayWidth > room else { return [text] }
        var parts: [String] = []
        for word in text.split(separator: " ", omittingEmptySubsequences: false) {
            if let last = parts.last, last.displayWidth + 1 + String(word).displayWidth <= room {
                parts[parts.count - 1] += " " + word
            } else {
                parts.append(String(word))
            }
        }
        return parts
    }
}
