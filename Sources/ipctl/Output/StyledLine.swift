/// A line of text whose parts have styles.
struct StyledLine: Hashable {
    struct Part: Hashable {
        let text: String
        let style: TextStyle?
    }

    private(set) var parts: [Part] = []

    init(_ text: String = "", _ style: TextStyle? = nil) {
        append(text, style)
    }

    mutating func append(_ text: String, _ style: TextStyle? = nil) {
        if !text.isEmpty { parts.append(Part(text: text, style: style)) }
    }

    func text(on terminal: Terminal) -> String {
        parts.map { terminal.styled($0.text, $0.style) }.joined()
    }

    /// Breaks the line wherever a screen of this width ends.
    func broken(to columns: Int) -> [StyledLine] {
        var (lines, used) = ([StyledLine()], 0)
        for part in parts {
            var text = ""
            for character in part.text {
                let width = String(character).displayWidth
                if used + width > columns, used > 0 {
                    lines[lines.count - 1].append(text, part.style)
                    lines.append(StyledLine())
                    (text, used) = ("", 0)
                }
                text.append(character)
                used += width
            }
            lines[lines.count - 1].append(text, part.style)
        }
        return lines
    }
}
