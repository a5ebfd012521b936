import Control
import RecordKeeping
import Testing

@testable import ipctl

@Suite struct MapCountsTests {
    private static func counts(_ entries: Interface.Entry...) -> MapCounts {
        var counts = MapCounts(projection: Projection(columns: 80, rows: 21))
        counts.add(entries)
        return counts
    }

    @Test func `entries are counted by state, with or without coordinates`() throws {
        let counts = Self.counts(
            try Sample.placed(51.5, -0.1), try Sample.placed(51.6, -0.2, state: .stale),
            try Sample.placed(nil, nil, state: .failed), try Sample.placed(nil, nil, state: .failed))
        #expect(counts.states == ["fresh": 1, "stale": 1, "failed": 2])
        #expect(counts.total == 4)
        #expect(counts.placed == 2)
    }

    @Test func `a cell has the worst state, in any order of entries`() throws {
        let entries = [
            try Sample.placed(51.5, -0.1, city: "London"), try Sample.placed(51.5, -0.1, state: .stale, city: "London"),
            try Sample.placed(51.4, -0.2, city: "London"),
        ]
        for order in [[0, 1, 2], [1, 0, 2], [2, 0, 1]] {
            var counts = Self.counts()
            for index in order { counts.add([entries[index]]) }
            #expect(
                counts.spots == [
                    MapCounts.Cell(column: 39, row: 3): MapCounts.Spot(count: 3, worstState: "stale")
                ])
        }
    }

    @Test func `an unknown state is not worse than a known one`() throws {
        var strange = try Sample.placed(51.5, -0.1)
        strange.state = "haunted"
        #expect(Self.counts(strange).spots.values.map(\.worstState) == ["haunted"])
        #expect(Self.counts(strange, try Sample.placed(51.5, -0.1)).spots.values.map(\.worstState) == ["fresh"])
    }

    @Test(arguments: [(200.0, 0.0), (0, 999)]) func `invalid coordinates are ignored`(
        lat: Double, lon: Double
    ) throws {
        let counts = Self.counts(try Sample.placed(lat, lon))
        #expect(counts.placed == 0)
        #expect(counts.spots.isEmpty)
        #expect(counts.total == 1)
    }

    @Test func `places are counted independently of cells and of the order`() throws {
        let entries = [
            try Sample.placed(52.5, 13.4, city: "Berlin"), try Sample.placed(52.4, 13.1, city: "Potsdam"),
            try Sample.placed(52.4, 13.1, city: "Potsdam"), try Sample.placed(52.4, 13.1, city: "Potsdam"),
            try Sample.placed(52.5, 13.4, city: "Berlin"),
        ]
        for columns in [8, 20, 80, 200, 400] {
            for order in [entries, entries.reversed()] {
                var counts = MapCounts(projection: Projection(columns: columns, rows: columns / 4))
                counts.add(order)
                #expect(counts.fullest?.name == "Potsdam, Germany", "\(columns)")
                #expect(counts.fullest?.count == 3)
            }
        }
    }

    @Test func `cities of one name in two countries are two places`() throws {
        var other = try Sample.placed(42.9, -81.2, city: "London")
        other.record?.country = "Canada"
        let london = try Sample.placed(51.5, -0.1, city: "London")
        #expect(Self.counts(other, london, other).fullest == .init(name: "London, Canada", count: 2))
    }

    @Test func `a place is counted over all states, and the first name of several is the fullest`() throws {
        let (berlin, sydney) = (
            try Sample.placed(52.5, 13.4, city: "Berlin"), try Sample.placed(-33.9, 151.2, city: "Sydney")
        )
        let stale = try Sample.placed(-33.9, 151.2, state: .stale, city: "Sydney")
        #expect(Self.counts(sydney, berlin, stale).fullest == .init(name: "Sydney, Germany", count: 2))
        #expect(Self.counts(sydney, berlin).fullest?.name == "Berlin, Germany")
        #expect(Self.counts(try Sample.placed(nil, nil)).fullest == nil)
    }

    @Test func `a place without a city has the name of its country, short and printable`() throws {
        #expect(Self.counts(try Sample.placed(1, 1)).fullest?.name == "Germany")
        let long = try Sample.placed(1, 1, city: "\u{1B}[2J" + String(repeating: "x", count: 1_000_000))
        let place = try #require(Self.counts(long).fullest?.name)
        #expect(place.displayWidth == 40)
        #expect(!place.contains("\u{1B}"))
    }
}
