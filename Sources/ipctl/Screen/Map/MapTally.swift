import Control

/// What is known of a list, as far as a map shows it: how many there are, by cell and by state.
///
/// It takes room for the cells of the map only, however long the list is.
struct MapTally: Hashable {
    /// What is in one cell.
    struct Spot: Hashable {
        var count: Int
        var worstState: String
        /// Where the first of them is.
        let place: String
    }

    struct Cell: Hashable {
        let column: Int
        let row: Int
    }

    let projection: Projection
    private(set) var spots: [Cell: Spot] = [:]
    private(set) var states: [String: Int] = [:]
    private(set) var placed = 0

    /// A city's name that is longer is cut.
    private static let placeColumns = 40

    init(projection: Projection) {
        self.projection = projection
    }

    var total: Int { states.values.reduce(0, +) }

    /// The cell with the most entries; of several the northernmost, then the westernmost.
    var fullest: Spot? {
        let order = spots.sorted { ($0.key.row, $0.key.column) < ($1.key.row, $1.key.column) }
        return order.reduce(nil as Spot?) { best, next in
            best.map { next.value.count > $0.count } ?? true ? next.value : best
        }
    }

    mutating func count(_ entry: Interface.Entry) {
        states[entry.state, default: 0] += 1
        guard let lat = entry.record?.lat, let lon = entry.record?.lon,
            let (column, row) = projection.cell(lat: lat, lon: lon)
        else { return }
        placed += 1
        let cell = Cell(column: column, row: row)
        if var spot = spots[cell] {
            spot.count += 1
            if StateMark.isWorse(entry.state, than: spot.worstState) { spot.worstState = entry.state }
            spots[cell] = spot
        } else {
            let place = entry.record?.city ?? entry.record?.country ?? ""
            let shown = place.printable.cut(to: Self.placeColumns)
            spots[cell] = Spot(count: 1, worstState: entry.state, place: shown)
        }
    }
}
