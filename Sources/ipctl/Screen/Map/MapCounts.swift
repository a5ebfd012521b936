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

    /// The entries in a city, or in a country if the city is unknown. Places do not depend on the size of the map.
    struct Place: Hashable {
        /// The name; empty if only the coordinates are known.
        let name: String
        fileprivate(set) var count: Int
        /// The northernmost latitude of the entries.
        fileprivate var lat: Double
    }

    /// The identity of a place among places with the same name.
    private struct PlaceKey: Hashable {
        let city: String?
        let region: String?
        let country: String?
        /// The coordinates of a place without a name.
        var coordinates: [Double] = []
    }

    struct Cell: Hashable {
        let column: Int
        let row: Int
    }

    let projection: Projection
    private(set) var spots: [Cell: Spot] = [:]
    private var places: [PlaceKey: Place] = [:]
    private(set) var states: [String: Int] = [:]
    private(set) var placed = 0

    /// The maximum width of a city's name.
    private static let placeColumns = 40

    init(projection: Projection) {
        self.projection = projection
    }

    var total: Int { states.values.reduce(0, +) }

    /// The place with the most entries; if there are several, the northernmost of them.
    var fullest: Place? {
        places.values.min { ($1.count, $1.lat, $0.name) < ($0.count, $0.lat, $1.name) }
    }

    mutating func add(_ entry: Interface.Entry) {
        states[entry.state, default: 0] += 1
        guard let lat = entry.record?.lat, let lon = entry.record?.lon,
            let (column, row) = projection.cell(lat: lat, lon: lon)
        else { return }
        placed += 1
        let cell = Cell(column: column, row: row)
        var spot = spots[cell] ?? Spot(count: 0, worstState: entry.state)
        spot.count += 1
        if StateMark.isWorse(entry.state, than: spot.worstState) { spot.worstState = entry.state }
        spots[cell] = spot
        countPlace(of: entry.record, lat: lat, lon: lon)
    }

    private mutating func countPlace(of record: Record?, lat: Double, lon: Double) {
        func short(_ text: String?) -> String? { text.map { $0.printable.cut(to: Self.placeColumns) } }
        let (city, country) = (short(record?.city), short(record?.country))
        var key = PlaceKey(city: city, region: city == nil ? nil : short(record?.regionName), country: country)
        if city == nil, country == nil { key.coordinates = [lat, lon] }
        var place = places[key] ?? Place(name: city ?? country ?? "", count: 0, lat: lat)
        place.count += 1
        place.lat = max(place.lat, lat)
        places[key] = place
    }
}
