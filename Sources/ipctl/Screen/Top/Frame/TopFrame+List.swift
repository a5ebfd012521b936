import Control
import RecordKeeping

extension TopFrame {
    /// Draws the titles and the visible entries.
    func drawList(on canvas: inout Canvas, top: Int, rows: Int) {
        let visible = model.visible.map { model.list[$0] }
        let longest = visible.compactMap { $0?.address.displayWidth }.max() ?? 0
        let columns = TopColumns(total: canvas.columns, longestAddress: longest)
        drawTitles(on: &canvas, row: top, columns)
        for (index, entry) in visible.enumerated() {
            if let entry { draw(entry, on: &canvas, row: top + 1 + index, columns) }
            guard model.list.total != nil, model.visible.lowerBound + index == model.selection.position else {
                continue
            }
            // The marker is visible without colours, too.
            canvas.put(">", .bold, column: 0, row: top + 1 + index)
            canvas.reverse(row: top + 1 + index)
        }
        guard model.list.total == 0, rows > 0 else { return }
        let isAll = !model.list.filter.isNarrowed && model.list.filter.fixed == nil
        let text = isAll ? "The watch list is empty. Add addresses with: ipctl add" : "No entries match."
        canvas.put(text, .dim, column: columns.address.lowerBound, row: top + 1)
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
        let isNew = entry.scannedAt.map { (0..<Self.newMilliseconds).contains(now.clampedSubtracting($0)) } ?? false
        let cellStyle = CellStyle(isBold: isNew)
        if model.marks[entry.address] != nil {
            canvas.put("✓", CellStyle(style: .notable, isBold: true), in: columns.check, row: row)
        }
        if entry.pinned { canvas.put("★", CellStyle(style: .caution), in: columns.pin, row: row) }
        canvas.put(entry.address, cellStyle, in: columns.address, row: row)
        let stateStyle = StateMark.cellStyle(of: entry.state, isBold: isNew)
        canvas.put(StateMark.text(of: entry.state), stateStyle, in: columns.mark, row: row)
        canvas.put(entry.state, stateStyle, in: columns.state, row: row)
        let record = entry.record ?? entry.substitute?.record
        let place = Self.place(of: entry)
        if place.isEmpty {
            // The reason for a missing record may be a sentence.
            let room = columns.place.lowerBound..<max(columns.network.upperBound, columns.reverse.upperBound)
            let text = entry.reason ?? entry.failure?.message ?? ""
            canvas.put(text, .dim, in: columns.place.isEmpty ? columns.place : room, row: row)
        } else {
            let recordStyle = entry.substitute == nil ? cellStyle : CellStyle(style: .dim, isBold: isNew)
            canvas.put(place, recordStyle, in: columns.place, row: row)
            canvas.put(record?.as ?? record?.isp ?? "", recordStyle, in: columns.network, row: row)
            // A stale record is less useful than the reason why it is stale.
            let problem = EntryTable.problem(entry, now: now)
            canvas.put(problem ?? record?.reverse ?? "", cellStyle, in: columns.reverse, row: row)
        }
        canvas.put(entry.tags.joined(separator: ", "), CellStyle(style: .notable), in: columns.tags, row: row)
        drawRefresh(of: entry, on: &canvas, row: row, columns)
    }

    /// Returns the city and the country, with a mark if they come from local databases; empty if there is no record.
    private static func place(of entry: Interface.Entry) -> String {
        let record = entry.record ?? entry.substitute?.record
        let place = [record?.city, record?.countryCode].compactMap { $0 }.joined(separator: ", ")
        guard entry.substitute != nil else { return place }
        return place.isEmpty ? "offline" : "offline: \(place)"
    }

    /// Draws the time of the next refresh, and a bar with the remaining lifetime of the record.
    private func drawRefresh(of entry: Interface.Entry, on canvas: inout Canvas, row: Int, _ columns: TopColumns) {
        let moment = entry.failure?.nextAttemptAt ?? entry.expiresAt
        guard let moment else { return }
        let text = Countdown.text(until: moment, from: now)
        let cellStyle: CellStyle =
            entry.failure != nil ? CellStyle(style: .bad) : moment <= now ? CellStyle(style: .caution) : .plain
        canvas.put(text.padded(to: columns.refresh.count, onTheLeft: true), cellStyle, in: columns.refresh, row: row)
        guard let interval = model.status?.refresh.interval, interval > 0, let expiresAt = entry.expiresAt else {
            return
        }
        let share = Double(expiresAt.clampedSubtracting(now)) / Double(interval)
        let (full, rest) = TopGauge.bar(share, columns: columns.bar.count)
        canvas.put(full, StateMark.cellStyle(of: entry.state), in: columns.bar, row: row)
        let start = columns.bar.lowerBound + full.count
        canvas.put(rest, .dim, in: start..<max(start, columns.bar.upperBound), row: row)
    }

    /// The time for which a new record is highlighted.
    private static let newMilliseconds: Int64 = 2_000
}

extension Canvas {
    /// Writes text into columns of a row; writes nothing if there are no columns.
    mutating func put(_ text: String, _ cellStyle: CellStyle = .plain, in columns: Range<Int>, row: Int) {
        put(text, cellStyle, column: columns.lowerBound, row: row, width: columns.count)
    }
}
