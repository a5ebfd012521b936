import Control

/// A frame of `ipctl top`: the model at one moment.
struct TopFrame {
    let model: TopModel
    let now: Int64

    var canvas: Canvas {
        var canvas = Canvas(columns: model.size.columns, rows: model.size.rows)
        let layout = model.layout
        drawTitle(on: &canvas)
        if layout.head > 1 { drawHead(on: &canvas, layout) }
        drawList(on: &canvas, top: layout.head, rows: layout.list)
        drawEvents(on: &canvas, top: layout.head + 1 + layout.list, rows: layout.events)
        drawKeys(on: &canvas, row: model.size.rows - 1)
        return canvas
    }

    /// Columns left free on each side.
    static let margin = 1

    // MARK: Title

    private func drawTitle(on canvas: inout Canvas) {
        canvas.fill(row: 0, .reversed)
        let clock = Times.clock(now, from: now)
        let end = canvas.columns - Self.margin - clock.count
        var text = "iprecordd"
        if let status = model.status {
            text += " \(status.version)   up \(Times.span(milliseconds: now.clampedSubtracting(status.startedAt)))"
        }
        if model.isDisconnected { text += "   daemon disconnected, reconnecting …" }
        let cellStyle = CellStyle(isBold: true, isReversed: true)
        let used = canvas.put(text, cellStyle, column: Self.margin, row: 0)
        if used < end { canvas.put(clock, .reversed, column: end, row: 0) }
    }

    // MARK: Events

    private func drawEvents(on canvas: inout Canvas, top: Int, rows: Int) {
        guard rows > 0 else { return }
        canvas.rule("Events", row: top)
        let room = rows - 1
        let shown = model.events.suffix(room)
        if shown.isEmpty {
            canvas.put("no events yet", .dim, column: Self.margin, row: top + 1)
        }
        for (index, line) in shown.enumerated() {
            let row = top + 1 + index
            let column = canvas.put(Times.clock(line.event.at, from: now), .dim, column: Self.margin, row: row) + 2
            let cellStyle = CellStyle(style: EventLine(event: line.event, now: now).style)
            let width = canvas.columns - column - Self.margin
            canvas.put(line.sentence(at: now), cellStyle, column: column, row: row, width: width)
        }
    }

    // MARK: Keys

    private func drawKeys(on canvas: inout Canvas, row: Int) {
        guard row > 0 else { return }
        canvas.fill(row: row, .reversed)
        let place = self.place
        let end = canvas.columns - Self.margin - place.displayWidth
        let cellStyle = CellStyle(isBold: true, isReversed: true)
        if let typing = model.typing {
            let text = "Search: "
            let column = canvas.put(text, .reversed, column: Self.margin, row: row)
            // The end of the typed text stays visible.
            let room = max(0, canvas.columns - column - Self.margin - 1)
            let after = canvas.put(typing.endPart(of: room), cellStyle, column: column, row: row)
            canvas.put("▏", .reversed, column: after, row: row)
        } else if let searchError = model.searchError {
            canvas.put("Invalid search: \(searchError)", cellStyle, column: Self.margin, row: row)
        } else {
            let used = canvas.put(keys, .reversed, column: Self.margin, row: row, width: max(0, end - 2 - Self.margin))
            if used < end || end >= Self.margin {
                canvas.put(place, cellStyle, column: max(end, Self.margin), row: row)
            }
        }
    }

    private var keys: String {
        let filter = model.list.filter
        var parts = ["q quit", "↑↓ scroll"]
        parts.append(filter.search.map { "/ search: \($0)" } ?? "/ search")
        parts.append(filter.state.map { "s state: \($0)" } ?? "s state")
        if filter != ListWindow.Filter() { parts.append("Esc all") }
        return parts.joined(separator: "   ")
    }

    /// The visible positions: "1–16 of 320".
    private var place: String {
        guard let total = model.list.total else { return "" }
        let visible = model.visible
        guard !visible.isEmpty else { return "\(Times.grouped(total)) entries" }
        return
            "\(Times.grouped(visible.lowerBound + 1))–\(Times.grouped(visible.upperBound)) of \(Times.grouped(total))"
    }
}

extension Canvas {
    /// Fills a row with blanks of a style.
    mutating func fill(row: Int, _ cellStyle: CellStyle) {
        put(String(repeating: " ", count: columns), cellStyle, column: 0, row: row)
    }

    /// Draws a horizontal line with a title.
    mutating func rule(_ title: String, row: Int) {
        put(String(repeating: "─", count: columns), .dim, column: 0, row: row)
        put(" \(title) ", .bold, column: 2, row: row)
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
