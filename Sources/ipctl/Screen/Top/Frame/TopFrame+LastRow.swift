import Control

extension TopFrame {
    /// Draws the prompt, the message, or the keys and the visible positions.
    func drawLastRow(on canvas: inout Canvas, row: Int) {
        guard row > 0 else { return }
        canvas.fill(row: row, .reversed)
        switch (model.overlay, model.message) {
        case (.prompt(let prompt)?, _): draw(prompt, on: &canvas, row: row)
        case (_, let message?): draw(message, on: &canvas, row: row)
        case (_, nil): drawKeys(on: &canvas, row: row)
        }
    }

    private static let highlighted = CellStyle(isBold: true, isReversed: true)

    private func draw(_ prompt: TopPrompt, on canvas: inout Canvas, row: Int) {
        // At least half of the screen is left for the typed text.
        let label = prompt.label.cut(to: max(8, canvas.columns / 2))
        let column = canvas.put(label, .reversed, column: Self.margin, row: row)
        // The end of the typed text stays visible.
        let room = max(0, canvas.columns - column - Self.margin - 1)
        let after = canvas.put(prompt.text.endPart(of: room), Self.highlighted, column: column, row: row)
        canvas.put("▏", .reversed, column: after, row: row)
    }

    private func draw(_ message: TopMessage, on canvas: inout Canvas, row: Int) {
        let text =
            switch message {
            case .done(let text), .failed(let text): text
            case .refreshed(let counts):
                model.status.map { RefreshOutcome(counts: counts, status: $0, now: now).sentence } ?? ""
            }
        let room = max(0, canvas.columns - 2 * Self.margin)
        canvas.put(text, Self.highlighted, column: Self.margin, row: row, width: room)
    }

    private func drawKeys(on canvas: inout Canvas, row: Int) {
        let place = self.place
        let end = max(Self.margin, canvas.columns - Self.margin - place.displayWidth)
        var column = Self.margin
        for key in keys {
            let text = column == Self.margin ? key : "   \(key)"
            guard column + text.displayWidth <= end - 2 else { break }
            column = canvas.put(text, .reversed, column: column, row: row)
        }
        canvas.put(place, Self.highlighted, column: end, row: row)
    }

    /// The keys, the most important ones first, because not all of them may fit.
    private var keys: [String] {
        let acts = model.status?.administrator == false ? [] : ["r refresh", "p pin", "t tag"]
        switch (model.overlay, model.page) {
        case (.help?, _): return ["Press any key to return."]
        case (_, .card): return ["Esc back", "? help", "↑↓ scroll"] + acts
        case (_, .list): break
        }
        let filter = model.list.filter
        var parts = ["q quit", "? help"]
        if filter.isNarrowed { parts.append("Esc all") }
        parts.append(filter.search.map { "/ search: \($0)" } ?? "/ search")
        parts.append(filter.state.map { "s state: \($0)" } ?? "s state")
        return parts + ["Enter details", "Space mark"] + acts
    }

    /// The visible part of the page: "3 marked   1–16 of 320".
    private var place: String {
        if model.overlay != nil || model.page != .list { return textPlace }
        guard let total = model.list.total else { return "" }
        let marked = model.marks.isEmpty ? "" : "\(Times.grouped(model.marks.count)) marked   "
        let visible = model.visible
        guard !visible.isEmpty else { return "\(marked)\(Times.grouped(total)) entries" }
        return marked + Self.range(visible, of: total)
    }

    /// Returns "1–16 of 320" for positions that are counted from 0.
    static func range(_ visible: Range<Int>, of total: Int) -> String {
        "\(Times.grouped(visible.lowerBound + 1))–\(Times.grouped(visible.upperBound)) of \(Times.grouped(total))"
    }
}

extension String {
    /// Returns the end of the text that fits into these columns.
    fileprivate func endPart(of columns: Int) -> String {
        var (text, used) = ("", 0)
        for character in reversed() {
            used += String(character).displayWidth
            guard used <= columns else { break }
            text = String(character) + text
        }
        return text
    }
}
