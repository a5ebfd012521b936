import Control

extension TopFrame {
    /// The titles, and below them the entries that are seen.
    func drawList(on canvas: inout Canvas, top: Int, rows: Int) {
        let seen = model.seen.map { model.list[$0] }
        let longest = seen.compactMap { $0?.address.displayWidth }.max() ?? 0
        let columns = TopColumns(total: canvas.columns, longestAddress: longest)
        drawTitles(on: &canvas, row: top, columns)
        for (index, entry) in seen.enumerated() {
            if let entry { draw(entry, on: &canvas, row: top + 1 + index, columns) }
        }
        guard model.list.total == 0, rows > 0 else { return }
        let isAll = model.list.filter == ListWindow.Filter()
        let words = isAll ? "The watch list is empty. Put addresses on it with: ipctl add" : "Nothing matches."
        canvas.put(words, .dim, column: columns.address.lowerBound, row: top + 1)
    }

    private func drawTitles(on canvas: inout Canvas, row: Int, _ columns: TopColumns) {
        canvas.put("ADDRESS", .bold, in: columns.address, row: row)
        let state = columns.state.isEmpty ? columns.mark : columns.mark.lowerBound..<columns.state.upperBound
        canvas.put(columns.state.isEmpty ? "S" : "STATE", .bold, in: state, row: row)
        canvas.put("PLACE", .bold, in: columns.place, row: row)
        canvas.put("NETWORK", .bold, in: columns.network, row: row)
        canvas.put("REVERSE NAME", .bold, in: columns.reverse, row: row)
        canvas.put("TAGS", .bold, in: columns.tags, row: row)
        canvas.put("REFRESH", .bold, in: columns.refresh, row: row)
    }

    private func draw(_ entry: Interface.Entry, on canvas: inout Canvas, row: Int, _ columns: TopColumns) {
        let isNew = entry.scannedAt.map { (0..<Self.newMilliseconds).contains(now - $0) } ?? false
        let look = Look(isBold: isNew)
        if entry.pinned { canvas.put("★", Look(style: .caution), in: columns.pin, row: row) }
        canvas.put(entry.address, look, in: columns.address, row: row)
        let stateLook = StateMark.look(of: entry.state, isBold: isNew)
        canvas.put(StateMark.text(of: entry.state), stateLook, in: columns.mark, row: row)
        canvas.put(entry.state, stateLook, in: columns.state, row: row)
        let record = entry.record
        let place = [record?.city, record?.countryCode].compactMap { $0 }.joined(separator: ", ")
        if place.isEmpty {
            // What stands in place of a record may be a sentence.
            let room = columns.place.lowerBound..<max(columns.network.upperBound, columns.reverse.upperBound)
            let words = entry.reason ?? entry.failure?.message ?? ""
            canvas.put(words, .dim, in: columns.place.isEmpty ? columns.place : room, row: row)
        } else {
            canvas.put(place, look, in: columns.place, row: row)
            canvas.put(record?.as ?? record?.isp ?? "", look, in: columns.network, row: row)
            canvas.put(record?.reverse ?? "", look, in: columns.reverse, row: row)
        }
        canvas.put(entry.tags.joined(separator: ", "), Look(style: .notable), in: columns.tags, row: row)
        drawRefresh(of: entry, on: &canvas, row: row, columns)
    }

    /// What the daemon does next about an entry, and how much of its record's life is left.
    private func drawRefresh(of entry: Interface.Entry, on canvas: inout Canvas, row: Int, _ columns: TopColumns) {
        let moment = entry.failure?.nextAttemptAt ?? entry.expiresAt
        guard let moment else { return }
        let words = Countdown.text(until: moment, from: now)
        let look: Look = entry.failure != nil ? Look(style: .bad) : moment <= now ? Look(style: .caution) : .plain
        canvas.put(words.padded(to: columns.refresh.count, onTheLeft: true), look, in: columns.refresh, row: row)
        guard let interval = model.status?.refresh.interval, interval > 0, let expiresAt = entry.expiresAt else {
            return
        }
        let share = Double(expiresAt - now) / Double(interval)
        let (full, rest) = TopGauge.bar(share, columns: columns.bar.count)
        canvas.put(full, StateMark.look(of: entry.state), in: columns.bar, row: row)
        let start = columns.bar.lowerBound + full.count
        canvas.put(rest, .dim, in: start..<max(start, columns.bar.upperBound), row: row)
    }

    /// So long a new record stands out.
    private static let newMilliseconds: Int64 = 2_000
}

extension Canvas {
    /// Writes a text into some columns of a row; nothing where there are none.
    mutating func put(_ text: String, _ look: Look = .plain, in columns: Range<Int>, row: Int) {
        put(text, look, column: columns.lowerBound, row: row, width: columns.count)
    }
}
