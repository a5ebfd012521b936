import Control

/// The text pages: the card and the help.
extension TopFrame {
    func drawText(on canvas: inout Canvas) {
        for (index, line) in text[visibleLines].enumerated() {
            var column = 0
            for part in line.parts {
                column = canvas.put(part.text, CellStyle(style: part.style), column: column, row: 1 + index)
            }
        }
    }

    /// The visible lines: "1–16 of 40"; empty if all of them are visible.
    var textPlace: String {
        let (visible, total) = (visibleLines, text.count)
        return visible.count < total && !visible.isEmpty ? Self.range(visible, of: total) : ""
    }

    private var text: [StyledLine] {
        switch (model.overlay, model.page) {
        case (.help?, _): TopHelp.lines(columns: model.size.columns)
        case (_, .card(let card)): card.lines(columns: model.size.columns, now: now)
        case (_, .list): []
        }
    }

    private var visibleLines: Range<Int> {
        let (rows, total) = (model.layout.textRows, text.count)
        let wanted =
            switch (model.overlay, model.page) {
            case (.help(let offset)?, _): offset
            case (_, .card(let card)): card.offset
            case (_, .list): 0
            }
        // The text may have become shorter since the last key.
        let first = min(wanted, max(0, total - rows))
        return first..<min(total, first + rows)
    }
}
