import Coastline

/// A world map of entries, with a legend below it.
struct WorldMap {
    let counts: MapCounts
    /// Columns of the terminal, at least as many as the map has.
    let columns: Int

    /// The minimum number of entries in a bright cell.
    static let brightCount = 10
    /// Rows of the legend on a terminal that is wide enough.
    static let legendRows = 2

    var canvas: Canvas {
        let legend = legendLines
        let projection = counts.projection
        var canvas = Canvas(columns: columns, rows: projection.rows + legend.count)
        let margin = (columns - projection.columns) / 2
        draw(Self.coast(on: projection), onto: &canvas, margin: margin)
        for (cell, spot) in counts.spots {
            let cellStyle = StateMark.cellStyle(of: spot.worstState, isBold: spot.count >= Self.brightCount)
            canvas.put(StateMark.text(of: spot.worstState), cellStyle, column: margin + cell.column, row: cell.row)
        }
        let isNarrow = legend.contains { $0.width > projection.columns }
        for (index, line) in legend.enumerated() {
            var column = isNarrow ? 0 : margin
            for piece in line.pieces {
                column = canvas.put(piece.text, piece.cellStyle, column: column, row: projection.rows + index)
            }
        }
        return canvas
    }

    static func coast(on projection: Projection) -> DotGrid {
        var grid = DotGrid(columns: projection.columns, rows: projection.rows)
        for outline in Coastline.outlines {
            for (start, end) in zip(outline, outline.dropFirst() + outline.prefix(1)) {
                // Land is cut at the 180th meridian; the cut is not a coast.
                guard abs(start.lon) < 180 || abs(end.lon) < 180 else { continue }
                grid.line(from: projection.dot(of: start), to: projection.dot(of: end))
            }
        }
        return grid
    }

    private func draw(_ grid: DotGrid, onto canvas: inout Canvas, margin: Int) {
        for row in 0..<grid.rows {
            for column in 0..<grid.columns {
                guard let character = grid.character(column: column, row: row) else { continue }
                canvas.put(character, .dim, column: margin + column, row: row)
            }
        }
    }

    // MARK: Legend

    private struct Piece {
        let text: String
        var cellStyle = CellStyle.plain
    }

    /// Adjacent pieces of text.
    private struct Group {
        var pieces: [Piece]
        var width: Int { pieces.reduce(0) { $0 + $1.text.displayWidth } }
    }

    private static let gap = Piece(text: "   ")

    private var legendLines: [Group] { flowed(stateGroups) + flowed([placesGroup] + fullestGroup) }

    /// Wraps groups into lines without splitting a group.
    private func flowed(_ groups: [Group]) -> [Group] {
        var lines: [Group] = []
        for group in groups {
            if let last = lines.last, last.width + Self.gap.text.count + group.width <= columns {
                lines[lines.count - 1].pieces += [Self.gap] + group.pieces
            } else {
                lines.append(group)
            }
        }
        return lines
    }

    private var stateGroups: [Group] {
        let unknown = counts.states.keys.filter { !StateMark.states.contains($0) }.sorted()
        let order = ["fresh", "stale", "loading", "failed", "empty"] + unknown
        return order.compactMap { state in
            guard let count = counts.states[state] else { return nil }
            let mark = Piece(text: StateMark.text(of: state), cellStyle: StateMark.cellStyle(of: state, isBold: true))
            return Group(pieces: [mark, Piece(text: " \(Times.grouped(count)) \(state)")])
        }
    }

    private var placesGroup: Group {
        let (total, without) = (counts.total, counts.total - counts.placed)
        guard without > 0 else { return Group(pieces: [Piece(text: "\(Times.grouped(total)) on the map")]) }
        let text =
            "\(Times.grouped(counts.placed)) of \(Times.grouped(total)) on the map, "
            + "\(Times.grouped(without)) without coordinates"
        return Group(pieces: [Piece(text: text)])
    }

    private var fullestGroup: [Group] {
        guard let place = counts.fullest, place.count > 1 else { return [] }
        let name = place.name.isEmpty ? "one place" : place.name
        return [Group(pieces: [Piece(text: "most in \(name): \(Times.grouped(place.count))", cellStyle: .dim)])]
    }
}
