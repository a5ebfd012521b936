import Control

/// A frame of `ipctl top`: the model at one moment.
struct TopFrame {
    let model: TopModel
    let now: Int64

    var canvas: Canvas {
        var canvas = Canvas(columns: model.size.columns, rows: model.size.rows)
        drawPage(on: &canvas)
        drawLastRow(on: &canvas, row: model.size.rows - 1)
        return canvas
    }

    private func drawPage(on canvas: inout Canvas) {
        let layout = model.layout
        switch (model.overlay, model.page) {
        case (.help?, _):
            drawTitle("Keys of ipctl top", on: &canvas)
            drawText(on: &canvas)
        case (_, .card(let card)):
            drawTitle(card.address, on: &canvas)
            drawText(on: &canvas)
        case (_, .list):
            drawTitle(on: &canvas)
            if layout.head > 1 { drawHead(on: &canvas, layout) }
            drawList(on: &canvas, top: layout.head, rows: layout.list)
            drawEvents(on: &canvas, top: layout.head + 1 + layout.list, rows: layout.events)
        }
    }

    /// Columns left free on each side.
    static let margin = 1

    // MARK: Title

    private func drawTitle(on canvas: inout Canvas) {
        // Without a head, the title shows the filters.
        if let filter = model.list.filter.fixed, model.layout.head <= 1 {
            return drawTitle("only \(filter.text)", on: &canvas)
        }
        var text = "iprecordd"
        if let status = model.status {
            text += " \(status.version)   up \(Times.span(milliseconds: now.clampedSubtracting(status.startedAt)))"
        }
        drawTitle(text, on: &canvas)
    }

    private func drawTitle(_ title: String, on canvas: inout Canvas) {
        canvas.fill(row: 0, .reversed)
        let clock = Times.clock(now, from: now)
        let end = canvas.columns - Self.margin - clock.count
        let text = title + (model.isDisconnected ? "   daemon disconnected, reconnecting …" : "")
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
