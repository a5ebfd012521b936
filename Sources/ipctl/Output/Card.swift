/// One thing, as a title and lines of label and value.
struct Card {
    struct Line {
        let label: String
        let value: String
        var style: Style?
    }

    let title: String
    var titleStyle: Style?
    /// What stands behind the title.
    var subtitle = ""
    private(set) var lines: [Line] = []

    init(title: String, style: Style? = nil, subtitle: String = "") {
        self.title = title
        titleStyle = style
        self.subtitle = subtitle
    }

    /// A line, unless there is nothing to say.
    mutating func add(_ label: String, _ value: String?, _ style: Style? = nil) {
        guard let value, !value.isEmpty else { return }
        lines.append(Line(label: label, value: value.printable, style: style))
    }

    func lines(on terminal: Terminal) -> [String] {
        let width = lines.reduce(0) { max($0, $1.label.displayWidth) }
        let head =
            terminal.styled(title, .bold) + (subtitle.isEmpty ? "" : "  " + terminal.styled(subtitle, titleStyle))
        return [head]
            + lines.flatMap { line -> [String] in
                let label = terminal.styled(line.label.padded(to: width, onTheLeft: true), .dim)
                let room = terminal.columns.map { max(20, $0 - width - 4) }
                return wrapped(line.value, to: room).enumerated().map { index, part in
                    let margin = index == 0 ? label : String(repeating: " ", count: width)
                    return "  \(margin)  \(terminal.styled(part, line.style))"
                }
            }
    }

    /// Broken at spaces; a word that is longer than the line stays whole.
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
