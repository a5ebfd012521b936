import Control

extension TopFrame {
    private struct Piece {
        let text: String
        var cellStyle = CellStyle.plain
        /// Whether the piece and all pieces after it are left out rather than truncated if the piece does not fit.
        var isExtra = false
    }

    private static let labelColumns = 10

    /// Draws the daemon's status: the network, the provider, the counts and the gauges.
    func drawHead(on canvas: inout Canvas, _ layout: TopLayout) {
        let top = 1 + layout.padding
        guard let status = model.status else {
            canvas.put("waiting for the daemon …", .dim, column: Self.margin, row: top)
            return
        }
        let network =
            status.provider.isLocal ? [Piece(text: "not needed for local databases")] : network(status.network)
        draw("Network", network, on: &canvas, row: top)
        draw("Provider", provider(status.provider), on: &canvas, row: top + 1)
        draw("Watched", watched(status.entries), on: &canvas, row: top + 2)
        if let filter = model.list.filter.fixed {
            draw("Filters", [Piece(text: filter.text, cellStyle: .bold)], on: &canvas, row: top + 3)
        }
        drawGauges(TopGauge.all(of: status, at: now), on: &canvas, top: top + layout.factRows, layout)
    }

    private func draw(_ label: String, _ pieces: [Piece], on canvas: inout Canvas, row: Int) {
        canvas.put(label, .dim, column: Self.margin, row: row)
        var column = Self.margin + Self.labelColumns
        for piece in pieces {
            let room = canvas.columns - Self.margin - column
            if piece.isExtra, piece.text.displayWidth > room { return }
            column = canvas.put(piece.text, piece.cellStyle, column: column, row: row, width: room)
        }
    }

    private func network(_ network: Interface.Network) -> [Piece] {
        let since = " since \(Times.clock(network.since, from: now))"
        if network.state == "online" {
            return [Piece(text: "● online", cellStyle: CellStyle(style: .good)), Piece(text: since)]
        }
        let reason = network.reason ?? "no route to the provider"
        return [
            Piece(text: "✖ \(network.state)", cellStyle: CellStyle(style: .bad, isBold: true)),
            Piece(text: "\(since): \(reason)"),
        ]
    }

    private func provider(_ provider: Interface.Provider) -> [Piece] {
        let (mark, cellStyle): (String, CellStyle) =
            switch provider.state {
            case "ok": ("●", CellStyle(style: .good))
            case "idle": ("○", .plain)
            case "throttled": ("◐", CellStyle(style: .caution, isBold: true))
            default: ("✖", CellStyle(style: .bad, isBold: true))
            }
        let since = " since \(Times.clock(provider.since, from: now))"
        let head = Piece(text: "\(mark) \(provider.state)", cellStyle: cellStyle)
        if let message = provider.message { return [head, Piece(text: "\(since): \(message)")] }
        var calls = "   \(Times.grouped(provider.calls)) calls"
        if provider.failures > 0 { calls += ", \(Times.grouped(provider.failures)) failed" }
        let last = provider.lastCallAt.map { ", the last \(Times.ago($0, from: now))" } ?? ""
        return [head, Piece(text: since), Piece(text: "   \(provider.name)"), Piece(text: calls, isExtra: true)]
            + [Piece(text: last, isExtra: true)]
    }

    private func watched(_ counts: Interface.Counts) -> [Piece] {
        let states = [
            ("fresh", counts.fresh), ("stale", counts.stale), ("loading", counts.loading), ("failed", counts.failed),
            ("empty", counts.empty),
        ]
        var pieces = [Piece(text: Times.grouped(counts.watched), cellStyle: .bold)]
        for (state, count) in states where count > 0 {
            pieces.append(Piece(text: "  "))
            pieces.append(Piece(text: StateMark.text(of: state), cellStyle: StateMark.cellStyle(of: state)))
            pieces.append(Piece(text: " \(Times.grouped(count)) \(state)"))
        }
        if counts.cached > 0 {
            let text = "  \(Times.grouped(counts.cached)) only looked up"
            pieces.append(Piece(text: text, cellStyle: .dim, isExtra: true))
        }
        return pieces
    }

    // MARK: Gauges

    private func drawGauges(_ gauges: [TopGauge], on canvas: inout Canvas, top: Int, _ layout: TopLayout) {
        let cell = (canvas.columns - Self.margin) / layout.gaugesAcross
        let measured = gauges.filter { $0.share != nil }
        let label = (gauges.map { $0.label.displayWidth }.max() ?? 0) + 2
        let text = measured.map { $0.text.displayWidth }.max() ?? 0
        let bar = min(Self.maxBarColumns, cell - label - text - 4)
        for (index, gauge) in gauges.enumerated() {
            let position = index % layout.gaugesAcross
            let start = Self.margin + position * cell
            let isLast = position == layout.gaugesAcross - 1
            let end = isLast ? canvas.columns - Self.margin : start + cell - 2
            let row = top + index / layout.gaugesAcross
            canvas.put(gauge.label, .dim, column: start, row: row, width: end - start)
            var column = start + label
            if let share = gauge.share, bar >= Self.minBarColumns {
                let (full, rest) = TopGauge.bar(share, columns: bar)
                column = canvas.put(full, CellStyle(style: gauge.style), column: column, row: row)
                column = canvas.put(rest, .dim, column: column, row: row) + 2
            }
            canvas.put(gauge.text, column: column, row: row, width: end - column)
        }
    }

    /// The maximum width of a bar.
    private static let maxBarColumns = 30
    /// The minimum width of a bar.
    private static let minBarColumns = 4
}
