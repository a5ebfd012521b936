import Testing

@testable import ipctl

@Suite struct ProjectionTests {
    /// The projections for a standard terminal and a large one, without legend and prompt.
    private static let usual = Projection(columns: 80, rows: 21)
    private static let large = Projection(columns: 200, rows: 57)

    @Test func `the map is as wide as the terminal if its height allows it, and keeps its shape`() {
        #expect((Self.usual.columns, Self.usual.rows) == (80, 19))
        #expect((Self.large.columns, Self.large.rows) == (200, 48))
        let low = Projection(columns: 200, rows: 21)
        #expect((low.columns, low.rows) == (88, 21))
        let narrow = Projection(columns: 20, rows: 50)
        #expect((narrow.columns, narrow.rows) == (20, 5))
    }

    @Test func `the map fits a terminal of any size`() {
        for columns in -1...120 {
            for rows in -3...60 {
                let map = Projection(columns: columns, rows: rows)
                #expect((1...max(1, columns)).contains(map.columns) && (1...max(1, rows)).contains(map.rows))
            }
        }
    }

    /// Longitude times cells by 360 degrees; latitude from 78 north, four fifths of that by 4 dots for 2.
    @Test(
        arguments: [
            ("London", 51.5, -0.1, (39, 3), (99, 9)), ("Berlin", 52.5, 13.4, (42, 3), (107, 8)),
            ("Ashburn", 39.0, -77.5, (22, 5), (56, 13)), ("Sydney", -33.9, 151.2, (73, 15), (184, 38)),
            ("Cape Town", -33.9, 18.4, (44, 15), (110, 38)), ("Tokyo", 35.7, 139.7, (71, 5), (177, 14)),
            ("Ushuaia", -54.8, -68.3, (24, 18), (62, 46)), ("Null Island", 0.0, 0.0, (40, 10), (100, 27)),
        ] as [(String, Double, Double, (Int, Int), (Int, Int))])
    func `a city is in the expected cell`(city: String, lat: Double, lon: Double, usual: (Int, Int), large: (Int, Int))
        throws
    {
        let cell = try #require(Self.usual.cell(lat: lat, lon: lon))
        #expect(cell == usual, "\(city)")
        let fine = try #require(Self.large.cell(lat: lat, lon: lon))
        #expect(fine == large, "\(city)")
    }

    @Test func `a place beyond the map is at its edge`() throws {
        for (lat, row) in [(90.0, 0), (78.3, 0), (-58.1, 18), (-77.8, 18), (-90.0, 18)] {
            #expect(try #require(Self.usual.cell(lat: lat, lon: 0)) == (40, row))
        }
        #expect(try #require(Self.usual.cell(lat: 0, lon: -180)).column == 0)
        #expect(try #require(Self.usual.cell(lat: 0, lon: 180)).column == 79)
    }

    @Test(arguments: [(90.1, 0.0), (-91, 0), (0, 180.1), (0, -1e300), (.nan, 0), (0, .infinity)])
    func `invalid coordinates have no cell`(lat: Double, lon: Double) {
        #expect(Self.usual.cell(lat: lat, lon: lon) == nil)
    }

    @Test func `every cell of the map can be reached`() {
        var met = Set<[Int]>()
        for lat in stride(from: Projection.south, through: Projection.north, by: 0.5) {
            for lon in stride(from: -180.0, through: 180, by: 0.5) {
                if let cell = Self.usual.cell(lat: lat, lon: lon) { met.insert([cell.column, cell.row]) }
            }
        }
        #expect(met.count == Self.usual.columns * Self.usual.rows)
    }
}
