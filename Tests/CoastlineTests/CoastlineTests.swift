import Coastline
import Testing

@Suite struct CoastlineTests {
    typealias Place = (name: String, lat: Double, lon: Double)

    @Test func `every outline encloses an area, at valid coordinates`() {
        #expect(Coastline.outlines.count > 100)
        for outline in Coastline.outlines {
            #expect(outline.count >= 3)
            #expect(Set(outline).count == outline.count, "an outline meets itself")
            for point in outline {
                #expect((-180...180).contains(point.lon) && (-90...90).contains(point.lat), "\(point)")
            }
        }
    }

    @Test func `no coastline crosses another`() {
        // Sorted by their westernmost points, so that only segments whose longitudes overlap are compared.
        let segments = CoastSegment.all.map { (west: min($0.start.lon, $0.end.lon), segment: $0) }
            .sorted { $0.west < $1.west }
        for (index, (_, segment)) in segments.enumerated() {
            let east = max(segment.start.lon, segment.end.lon)
            for (_, other) in segments[(index + 1)...].prefix(while: { $0.west <= east }) where segment.crosses(other) {
                Issue.record("\(segment) crosses \(other)")
            }
        }
    }

    /// The map leaves out borders: each line occurs once.
    @Test func `no line is a border between countries`() {
        let lines = Set(CoastSegment.all.map { [$0.start, $0.end] })
        #expect(lines.count == CoastSegment.all.count)
        #expect(lines.allSatisfy { !lines.contains($0.reversed()) })
    }

    private static let ports: [Place] = [
        ("London", 51.5, -0.13), ("Cape Town", -33.9, 18.4), ("Sydney", -33.9, 151.2),
        ("New York", 40.7, -74), ("Tokyo", 35.7, 139.7), ("Rio de Janeiro", -22.9, -43.2),
        ("Mumbai", 19.1, 72.9), ("Singapore", 1.35, 103.8), ("Los Angeles", 34, -118.2),
        ("Reykjavik", 64.1, -21.9), ("Anchorage", 61.2, -149.9), ("Dublin", 53.35, -6.3),
        ("Hong Kong", 22.3, 114.2), ("Lagos", 6.5, 3.4), ("Dakar", 14.7, -17.4),
        ("Auckland", -36.85, 174.8), ("Honolulu", 21.3, -157.9), ("Murmansk", 69, 33.1),
        ("Vladivostok", 43.1, 131.9), ("Lima", -12, -77), ("Buenos Aires", -34.6, -58.4),
        ("Lisbon", 38.7, -9.1), ("Istanbul", 41, 29), ("Athens", 38, 23.7), ("Venice", 45.4, 12.3),
        ("Dubai", 25.2, 55.3), ("Karachi", 24.9, 67), ("Colombo", 6.9, 79.9), ("Jakarta", -6.2, 106.8),
        ("Manila", 14.6, 121), ("Shanghai", 31.2, 121.5), ("Seoul", 37.6, 127), ("Taipei", 25, 121.5),
        ("Perth", -31.95, 115.9), ("Melbourne", -37.8, 145), ("Wellington", -41.3, 174.8),
        ("Nuuk", 64.2, -51.7), ("Havana", 23.1, -82.4), ("Miami", 25.8, -80.2),
        ("San Francisco", 37.8, -122.4), ("Seattle", 47.6, -122.3), ("Vancouver", 49.3, -123.1),
        ("Halifax", 44.6, -63.6), ("St. John's", 47.6, -52.7), ("Panama City", 9, -79.5),
        ("Mombasa", -4, 39.7), ("Durban", -29.9, 31), ("Luanda", -8.8, 13.2), ("Casablanca", 33.6, -7.6),
        ("Alexandria", 31.2, 29.9), ("Tunis", 36.8, 10.2), ("Nome", 64.5, -165.4), ("Tiksi", 71.6, 128.9),
        ("Ushuaia", -54.8, -68.3), ("Baku", 40.4, 49.9), ("Odessa", 46.5, 30.7), ("Oslo", 59.9, 10.7),
        ("Stockholm", 59.3, 18.1), ("Helsinki", 60.2, 24.9), ("Saint Petersburg", 59.9, 30.3),
        ("Osaka", 34.7, 135.5), ("Anadyr", 64.7, 177.5), ("Darwin", -12.5, 130.8),
        ("Port Moresby", -9.5, 147.2), ("Churchill", 58.8, -94.2), ("Marseille", 43.3, 5.4),
        ("Guayaquil", -2.2, -79.9), ("Quebec", 46.8, -71.2), ("Hobart", -42.9, 147.3),
    ]

    @Test(arguments: ports) func `a port is by the sea`(port: Place) {
        let distance = CoastSegment.all.map { $0.degrees(from: Coastline.Point(lon: port.lon, lat: port.lat)) }.min()
        #expect((distance ?? .infinity) < 0.8, "\(port.name) is \(distance ?? 0) degrees from the coast")
    }

    private static let inland: [Place] = [
        ("Madrid", 40.4, -3.7), ("Moscow", 55.8, 37.6), ("Denver", 39.7, -105), ("Brasilia", -15.8, -47.9),
        ("Nairobi", -1.3, 36.8), ("Alice Springs", -23.7, 133.9), ("Delhi", 28.6, 77.2),
        ("Ulaanbaatar", 47.9, 106.9), ("Winnipeg", 49.9, -97.1), ("Yakutsk", 62, 129.7),
        ("Paris", 48.86, 2.35), ("Antananarivo", -18.9, 47.5), ("Birmingham", 52.5, -1.9),
        ("Athlone", 53.4, -7.9), ("Ankara", 39.9, 32.9), ("Riyadh", 24.7, 46.7), ("Bogota", 4.7, -74.1),
        ("La Paz", -16.5, -68.1), ("Mexico City", 19.4, -99.1), ("Nagano", 36.6, 138.2),
        ("Kandy", 7.3, 80.6), ("Hamilton", -37.8, 175.3), ("Kampala", 0.3, 32.6), ("Kinshasa", -4.3, 15.3),
        ("Timbuktu", 16.8, -3), ("Wuhan", 30.6, 114.3), ("Bilibino", 68.05, 166.4),
        ("Fairbanks", 64.8, -147.7), ("Krakow", 50.1, 19.9), ("Ostersund", 63.2, 14.6),
        ("Tampere", 61.5, 23.8), ("Ljubljana", 46.05, 14.5), ("Palangkaraya", -2.2, 113.9),
        ("Goroka", -6.1, 145.4), ("Bandung", -6.9, 107.6), ("Chiang Mai", 18.8, 99),
        ("Cordoba", -31.4, -64.2), ("Calgary", 51, -114.1), ("Dhaka", 23.8, 90.4),
    ]

    @Test(arguments: inland) func `an inland town is on land`(town: Place) {
        #expect(CoastSegment.isLand(Coastline.Point(lon: town.lon, lat: town.lat)), "\(town.name)")
    }

    private static let seas: [Place] = [
        ("the Atlantic", 30, -40), ("the Pacific", 10, -140), ("the South Pacific", -40, -120),
        ("the Indian Ocean", -20, 80), ("the Black Sea", 43.3, 34), ("the Caspian Sea", 42, 51),
        ("Hudson Bay", 60, -85), ("the Gulf of Mexico", 25, -90), ("the Mediterranean", 35, 18),
        ("the Tyrrhenian Sea", 40, 12), ("the Adriatic", 43, 15.5), ("the Baltic", 57.5, 19.5),
        ("the Gulf of Bothnia", 62, 20), ("the North Sea", 56, 3), ("the Red Sea", 20, 38),
        ("the Persian Gulf", 26.5, 52), ("the Bay of Bengal", 15, 88), ("the South China Sea", 12, 115),
        ("the Sea of Japan", 40, 135), ("the Sea of Okhotsk", 55, 150), ("the Bering Sea", 58, -175),
        ("the Tasman Sea", -38, 160), ("the Gulf of Carpentaria", -14, 139), ("the Coral Sea", -17, 152),
        ("the Java Sea", -5, 112), ("the Bay of Biscay", 45.5, -4), ("the Irish Sea", 53.8, -4.9),
        ("the Caribbean", 15, -75), ("Baffin Bay", 72, -65), ("Davis Strait", 65, -57),
        ("the Mozambique Channel", -19, 41), ("the Gulf of Guinea", 2, 2), ("the Yellow Sea", 36, 123),
        ("the White Sea", 65.3, 38), ("the Aegean", 38.5, 25), ("the Gulf of California", 26.3, -110.5),
        ("Bass Strait", -40, 146), ("Cook Strait", -40.8, 174.5), ("the Sea of Azov", 46.2, 36.8),
    ]

    @Test(arguments: seas) func `a sea is not on land`(sea: Place) {
        #expect(!CoastSegment.isLand(Coastline.Point(lon: sea.lon, lat: sea.lat)), "\(sea.name)")
    }
}
