import Control
import RecordKeeping
import Testing

@testable import ipctl

@Suite struct MapTallyTests {
    private static func tally(_ entries: Interface.Entry...) -> MapTally {
        var tally = MapTally(projection: Projection(columns: 80, rows: 21))
        for entry in entries { tally.count(entry) }
        return tally
    }

    @Test func `entries are counted by state, whether they have a place or not`() throws {
        let tally = Self.tally(
            try Sample.placed(51.5, -0.1), try Sample.placed(51.6, -0.2, state: .stale),
            try Sample.placed(nil, nil, state: .failed), try Sample.placed(nil, nil, state: .failed))
        #expect(tally.states == ["fresh": 1, "stale": 1, "failed": 2])
        #expect(tally.total == 4)
        #expect(tally.placed == 2)
    }

    @Test func `in one cell the worst state wins, in whichever order they come`() throws {
        let entries = [
            try Sample.placed(51.5, -0.1, city: "London"), try Sample.placed(51.5, -0.1, state: .stale, city: "London"),
            try Sample.placed(51.4, -0.2, city: "London"),
        ]
        for order in [[0, 1, 2], [1, 0, 2], [2, 0, 1]] {
            var tally = Self.tally()
            for index in order { tally.count(entries[index]) }
            #expect(
                tally.spots == [
                    MapTally.Cell(column: 39, row: 3): MapTally.Spot(count: 3, worstState: "stale")
                ])
        }
    }

    @Test func `a state that is not known is no worse than one that is`() throws {
        var strange = try Sample.placed(51.5, -0.1)
        strange.state = "haunted"
        #expect(Self.tally(strange).spots.values.map(\.worstState) == ["haunted"])
        #expect(Self.tally(strange, try Sample.placed(51.5, -0.1)).spots.values.map(\.worstState) == ["fresh"])
    }

    @Test(arguments: [(200.0, 0.0), (0, 999)]) func `coordinates of no place on earth are none`(
        lat: Double, lon: Double
    ) throws {
        let tally = Self.tally(try Sample.placed(lat, lon))
        #expect(tally.placed == 0)
        #expect(tally.spots.isEmpty)
        #expect(tally.total == 1)
    }

    @Test func `a place counts by itself, whatever the map shows in one cell, in whichever order they come`() throws {
        let entries = [
            try Sample.placed(52.5, 13.4, city: "Berlin"), try Sample.placed(52.4, 13.1, city: "Potsdam"),
            try Sample.placed(52.4, 13.1, city: "Potsdam"), try Sample.placed(52.4, 13.1, city: "Potsdam"),
            try Sample.placed(52.5, 13.4, city: "Berlin"),
        ]
        for columns in [8, 20, 80, 200, 400] {
            for order in [entries, entries.reversed()] {
                var tally = MapTally(projection: Projection(columns: columns, rows: columns / 4))
                for entry in order { tally.count(entry) }
                #expect(tally.fullest?.name == "Potsdam", "\(columns)")
                #expect(tally.fullest?.count == 3)
            }
        }
    }

    @Test func `cities of one name in two countries are two places, and so are two without a name`() throws {
        var other = try Sample.placed(42.9, -81.2, city: "London")
        other.record?.country = "Canada"
        let london = try Sample.placed(51.5, -0.1, city: "London")
        #expect(Self.tally(other, london, other).fullest?.count == 2)
        let nameless = try [(1.0, 1.0), (2, 2), (2, 2)].map { lat, lon in
            var entry = try Sample.placed(lat, lon)
            entry.record?.country = nil
            return entry
        }
        let fullest = Self.tally(nameless[0], nameless[1], nameless[2]).fullest
        #expect(fullest?.name == "")
        #expect(fullest?.count == 2)
    }

    @Test func `the fullest place is told, the northernmost of several`() throws {
        let (berlin, sydney) = (
            try Sample.placed(52.5, 13.4, city: "Berlin"), try Sample.placed(-33.9, 151.2, city: "Sydney")
        )
        #expect(Self.tally(sydney, berlin, sydney, berlin).fullest?.name == "Berlin")
        #expect(Self.tally(sydney, berlin, sydney).fullest?.name == "Sydney")
        #expect(Self.tally(try Sample.placed(nil, nil)).fullest == nil)
    }

    @Test func `a place without a city is told by its country, in a short and harmless text`() throws {
        #expect(Self.tally(try Sample.placed(1, 1)).fullest?.name == "Germany")
        let long = try Sample.placed(1, 1, city: "\u{1B}[2J" + String(repeating: "x", count: 1_000_000))
        let place = try #require(Self.tally(long).fullest?.name)
        #expect(place.displayWidth == 40)
        #expect(!place.contains("\u{1B}"))
    }
}
