import Coastline

/// An equirectangular projection onto the cells of a map.
///
/// A degree of longitude is four fifths as long as a degree of latitude, as it is at 37° north and south. Thus the
/// middle latitudes, where most addresses are, have familiar shapes.
struct Projection: Hashable {
    let columns: Int
    let rows: Int
    private let dotsPerDegreeEast: Double
    private let dotsPerDegreeNorth: Double

    /// The latitudes of the map's edges, which leave out Antarctica and the north of Greenland.
    static let north = 78.0
    static let south = -58.0
    private static let stretch = 0.8

    /// Creates the projection for the largest map that fits.
    ///
    /// - Parameters:
    ///   - columns: available columns; at least one is used.
    ///   - rows: available rows; at least one is used.
    init(columns: Int, rows: Int) {
        let dotsAcross = DotGrid.dotsAcross * max(1, columns)
        let dotsDown = DotGrid.dotsDown * max(1, rows)
        let widthPerHeight = 360 * Self.stretch / (Self.north - Self.south)
        let byHeight = Int(Double(dotsDown) * widthPerHeight) / DotGrid.dotsAcross * DotGrid.dotsAcross
        let width = max(DotGrid.dotsAcross, min(dotsAcross, byHeight))
        dotsPerDegreeEast = Double(width) / 360
        dotsPerDegreeNorth = dotsPerDegreeEast / Self.stretch
        let height = ((Self.north - Self.south) * dotsPerDegreeNorth).rounded(.up)
        self.columns = width / DotGrid.dotsAcross
        self.rows = max(1, (Int(height) + DotGrid.dotsDown - 1) / DotGrid.dotsDown)
    }

    /// - Parameter point: any point; a point north of the edge has a dot above the map.
    func dot(of point: Coastline.Point) -> DotGrid.Dot {
        DotGrid.Dot(
            x: Int(((point.lon + 180) * dotsPerDegreeEast).rounded(.down)),
            y: Int(((Self.north - point.lat) * dotsPerDegreeNorth).rounded(.down)))
    }

    /// Returns the cell of a place, clamped to the map; nil for invalid coordinates.
    func cell(lat: Double, lon: Double) -> (column: Int, row: Int)? {
        guard (-90...90).contains(lat), (-180...180).contains(lon) else { return nil }
        let shown = min(max(lat, Self.south), Self.north)
        let dot = dot(of: Coastline.Point(lon: lon, lat: shown))
        return (
            min(dot.x / DotGrid.dotsAcross, columns - 1), min(dot.y / DotGrid.dotsDown, rows - 1)
        )
    }
}
