import Control
import RecordKeeping

/// The numbers of entries by map cell, by place and by state.
///
/// The size of this value depends on the number of cells and places, not on the number of entries.
struct MapCounts: Hashable {
    /// The entries in a cell.
    struct Spot: Hashable {
        var count: Int
        var worstState: String
    }

    /// The entries in a city.
    struct Place: Hashable {
        /// The name as the daemon writes it: the city and the country, or one of them; empty if only the coordinates
        /// are known.
        let name: String
        fileprivate(set) var count: Int
    }

    struct Cell: Hashable {
        let column: Int
        let row: Int
    }

    let projection: Projection
    private(set) var spots: [Cell: Spot] = [:]
    private var places: [String: Int] = [:]
    private(set) var states: [String: Int] = [:]
    private(set) var placed = 0

    /// Maximum width of the name of a place.
    private static let placeColumns = 40

    init(projection: Projection) {
        self.projection = projection
    }

    var total: Int { states.values.reduce(0) { $0.clampedAdding($1) } }

    /// The place with the most entries; nil if no place is known.
    var fullest: Place? {
        places.min { ($1.value, $0.key) < ($0.value, $1.key) }.map { Place(name: $0.key, count: $0.value) }
    }

    /// Adds entries with the same state, counted by place. Entries in places beyond the limit of a reply have no
    /// coordinates.
    mutating func add(_ counted: Control.Count.Reply, of state: String) {
        states[state] = (states[state] ?? 0).clampedAdding(counted.total)
        for group in counted.groups {
            guard let lat = group.lat, let lon = group.lon, let (column, row) = projection.cell(lat: lat, lon: lon)
            else { continue }
            placed = placed.clampedAdding(group.count)
            var spot = spots[Cell(column: column, row: row)] ?? Spot(count: 0, worstState: state)
            spot.count = spot.count.clampedAdding(group.count)
            if StateMark.isWorse(state, than: spot.worstState) { spot.worstState = state }
            spots[Cell(column: column, row: row)] = spot
            let name = group.key.printable.cut(to: Self.placeColumns)
            places[name] = (places[name] ?? 0).clampedAdding(group.count)
        }
    }
}
