/// A list on the map of the world, with a legend below it.
struct WorldMap {
    private let tally: MapTally
    private let columns: Int

    /// Entries in one cell from which on it is drawn bright.
    static let many = 10
    /// Rows that the legend takes in a terminal that is not narrow.
    static let legendRows = 2

    /// - Parameter columns: of the terminal, at least as many as those of the map.
    init(_ tally: MapTally, columns: Int) {
        self.tally = tally
        self.columns = columns
    }

    var canvas: Canvas {
        let legend = legendLines
        let projection = tally.projection
        var canvas = Canvas(columns: columns, rows: projection.rows + legend.count)
        let margin = (columns - projection.columns) / 2
        draw(Self.coast(on: projection), onto: &canvas, margin: margin)
        for (cell, spot) in tally.spots {
            let look = StateMark.look(of: spot.worstState, isBold: spot.count >= Self.many)
            canvas.put(StateMark.text(of: spot.worstState), look, column: margin + cell.column, row: cell.row)
        }
        let isNarrow = legend.contains { $0.width > projection.columns }
        for (index, line) in legend.enumerated() {
            var column = isNarrow ? 0 : margin
            for piece in line.pieces {
                column = canvas.put(piece.text, piece.look, column: column, row: projection.rows + index)
            }
        }
        return canvas
    }

    static func coast(on projection: Projection) -> DotGrid {
        var grid = DotGrid(columns: projection.columns, rows: projection.rows)
        for outline in Coast.outlines {
            let dots = outline.points.map { projection.dot(of: $0) }
            for (start, end) in zip(dots, dots.dropFirst() + dots.prefix(1)) { grid.line(from: start, to: end) }
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
        var look = Look.plain
    }

    /// Pieces that stand beside each other.
    private struct Group {
        var pieces: [Piece]
        var width: Int { pieces.reduce(0) { $0 + $1.text.displayWidth } }
    }

    private static let gap = Piece(text: "   ")

    private var legendLines: [Group] { flowed(stateGroups) + flowed([placesGroup] + fullestGroup) }

    /// Groups in lines, none torn apart where a line is full.
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
        let unknown = tally.states.keys.filter { !StateMark.states.contains($0) }.sorted()
        let order = ["fresh", "stale", "loading", "failed", "empty"] + unknown
        return order.compactMap { state in
            guard let count = tally.states[state] else { return nil }
            let mark = Piece(text: StateMark.text(of: state), look: StateMark.look(of: state, isBold: true))
            return Group(pieces: [mark, Piece(text: " \(Times.grouped(count)) \(state)")])
        }
    }

    private var placesGroup: Group {
        let (total, without) = (tally.total, tally.total - tally.placed)
        guard without > 0 else { return Group(pieces: [Piece(text: "\(Times.grouped(total)) on the map")]) }
        let text =
            "\(Times.grouped(tally.placed)) of \(Times.grouped(total)) on the map, \(Times.grouped(without)) without a place"
        return Group(pieces: [Piece(text: text)])
    }

    private var fullestGroup: [Group] {
        guard let place = tally.fullest, place.count > 1 else { return [] }
        let name = place.name.isEmpty ? "one place" : place.name
        return [Group(pieces: [Piece(text: "most in \(name): \(Times.grouped(place.count))", look: .dim)])]
    }
}
