import Control
import RecordKeeping
import Testing

@testable import ipctl

@Suite struct WorldMapTests {
    private static func counts(_ entries: [Interface.Entry], columns: Int = 80, rows: Int = 21) -> MapCounts {
        var counts = MapCounts(projection: Projection(columns: columns, rows: rows))
        counts.add(entries)
        return counts
    }

    private static func lines(
        _ entries: [Interface.Entry], columns: Int = 80, rows: Int = 21, hasColor: Bool = false
    ) -> [String] {
        let terminal = Terminal(hasColor: hasColor, columns: columns)
        return WorldMap(counts: counts(entries, columns: columns, rows: rows), columns: columns).canvas.lines(
            on: terminal)
    }

    private static var oneOfEach: [Interface.Entry] {
        get throws {
            [
                try Sample.placed(52.5, 13.4, city: "Berlin"), try Sample.placed(-33.9, 151.2, state: .stale),
                try Sample.placed(nil, nil, state: .loading), try Sample.placed(nil, nil, state: .failed),
                try Sample.placed(nil, nil, state: .empty),
            ]
        }
    }

    @Test func `a usual terminal shows the world, the entries and a legend`() throws {
        #expect(
            Self.lines(try Self.oneOfEach).joined(separator: "\n") == #"""
                ⣀   ⢀⣀⡀     ⣔⣿⡿⣿⣶⣿⣿⣿⣿⠿⡯⣄⡙⠓⠒⢢⡀     ⣠⡿       ⠉⠉⣁⡀    ⣠⡶⠝⢛⣥⣤⣠⡤⠖⠒⠊⠉⠉⠿⠧⠤⠤⢤⣀⣒⡶⣒⣂⣀⡀   ⢀
                ⣶⣦⣴⣮⡅⠈⠉⠉⠉⠛⠉⠉⠉⠉⠛⠓⠓⠛⠛⢙⣻⣽⣹⣷⣸⣷⠄⠈⣟ ⢀⠤⠔⠒⢩⣥⣤     ⡠⠒⣩⣥⠈⢭⣵⠶⠶⠚⠛⠛⠙⠣⠟            ⠁     ⠉⠉⠙⠉⣉
                 ⠈⠹⠯⣥⣤⡶⠖⠢⢤⡀       ⠰⣏⡈⠉⢻⠉⠻⠽⡀ ⠈⠒⠋    ⠈  ⢠⣄ ⢯⣄⢸⢚⡶⠆                       ⢀⡠⠤⠤⢔⡲⡿⠴⠒⠉
                   ⠊⠉     ⠺⣦⡀       ⠈⠹⠯  ⣀⣩⣷⡀        ⠰⢽⣟⡦⠚●⠛⠋                         ⠓⣶  ⠸⠞⠁
                            ⡟           ⡫⡽⠟⠙⠃        ⢀⣈⣹⢀⣠⡴⣄⡀ ⡴⣶⢶⡀⢔⣶                ⢀⣀⠔⡽⡅
                            ⢳⡀        ⠰⡟⠁            ⠸⢧⣴⡯⠼⡯⠿⢳⣿⢭⣥⡍⠁⠸⠿⠁             ⣾⠷⣾⣀⡤⡟
                             ⠙⣶⡀  ⣠⢤⡤⢴⡋              ⣰⠁   ⠙⠢⠖⠒⠶⣿⠁ ⢠⡄              ⢸⡆⠙⠟⠉
                    ⣠⡀        ⠈⠿⢦ ⡇⢀⣀⣼⣿⡀            ⡜          ⠸⣧ ⠈⠛⢻⡖⠲⣄⡀  ⣀⣄  ⢀⣀⡤⢾⠂
                     ⠉          ⠈⠲⠼⢎⣮⣄⠘⠛⠛⠂          ⡇           ⠻⣧⣀⡤⠚   ⢇⢠⠞⠁⠸⢶⡀⠹⡏ ⢰⣆
                                    ⠙⢷⣦⠞⠟⠒⠦⣀        ⠹⣄  ⣀        ⠙⢛⠇    ⠘⢼⡄  ⢸⣟⠶⠃⢀⡞⣿⡄
                                      ⡼    ⠉⢹⣀       ⠈⠉⠉⠁⢙⡆      ⣠⠎      ⠈   ⠻⣿⡆⡴⠋⣧⣬⣤⣀
                                     ⠰⡇      ⠁⠉⠣⡄         ⢣     ⢸⠁            ⠙⣵⣽⣚⣻⡗⡛⢻⢫⣑⣦⠽⢦⣀
                                      ⠱⡄       ⡴⠁         ⢸⠆    ⢘⡄⣠⡄             ⠉⠙⢋⣡⠶⡎⣽⡈⠓ ⠙⠂⡀
                ⠁                      ⠈⡇     ⢠⠇          ⠸⡀   ⢰⠊⢸⢱⠁             ⣠⠤⠋  ⠉⠃⠳⡄  ⢤⡁ ⠛
                                        ⡇   ⢀⡎⠉            ⢇  ⢀⡞ ⠘⠊              ⣇       ⠘⡆
                                       ⢀⠇  ⡤⠎              ⠘⠧⠤⠊                  ⠸⠤⠔⠊⠓⢴⡀ ◐⠁   ⢤⡀
                                       ⣸ ⢰⠏⠁                                           ⠉⣿⠁   ⣀⡾⠟
                                       ⡟⢐⠇⢀⡀                           ⠤                     ⠛⠁
                                       ⠙⠻⠖⠉⠁
                ● 1 fresh   ◐ 1 stale   ◌ 1 loading   ✖ 1 failed   ○ 1 empty
                2 of 5 on the map, 3 without coordinates
                """#)
    }

    @Test(arguments: [(80, 24), (200, 60), (200, 24), (40, 24), (20, 10), (7, 3), (1, 1)])
    func `no line is wider than the terminal, and the map fits if it can`(columns: Int, rows: Int)
        throws
    {
        for hasColor in [false, true] {
            let entries = try Self.oneOfEach
            let counts = Self.counts(entries, columns: columns, rows: rows - WorldMap.legendRows - 1)
            let canvas = WorldMap(counts: counts, columns: columns).canvas
            #expect(canvas.columns == columns)
            if columns >= 66 { #expect(canvas.rows < rows) }
            let lines = canvas.lines(on: Terminal(hasColor: hasColor, columns: columns))
            #expect(lines.allSatisfy { PlainText.text($0).displayWidth <= columns })
        }
    }

    @Test func `a map narrower than the terminal is centred, with its legend`() throws {
        let lines = Self.lines(
            [try Sample.placed(0, -180, city: "A"), try Sample.placed(0, 180, city: "B")], columns: 200, rows: 21)
        let equator = lines[11]
        #expect(equator.prefix { $0 == " " }.count == 56)
        #expect(equator.count == 56 + 88)
        #expect(
            lines.suffix(2) == [
                String(repeating: " ", count: 56) + "● 2 fresh",
                String(repeating: " ", count: 56) + "2 on the map",
            ])
    }

    @Test func `an entry hides only the coast in its own cell`() throws {
        let bare = Self.lines([try Sample.placed(nil, nil)])
        let marked = Self.lines([try Sample.placed(40.7, -74.0)])
        for row in 0..<19 {
            let (before, after) = (Array(bare[row]), Array(marked[row]))
            #expect(before.count == after.count)
            for (column, pair) in zip(before, after).enumerated() {
                #expect(column == 23 && row == 5 ? pair.1 == "●" : pair.0 == pair.1)
            }
        }
    }

    @Test func `the coast is dim, an entry has the colour of its state, and many entries are bright`() throws {
        let few = try Sample.placed(-20, 80, state: .stale)
        let canvas = WorldMap(counts: Self.counts(Array(repeating: few, count: 9)), columns: 80).canvas
        let (column, row) = try #require(Projection(columns: 80, rows: 21).cell(lat: -20, lon: 80))
        #expect(canvas[column: column, row: row] == Canvas.Cell(text: "◐", cellStyle: CellStyle(style: .caution)))
        let many = WorldMap(counts: Self.counts(Array(repeating: few, count: 10)), columns: 80).canvas
        #expect(
            many[column: column, row: row]
                == Canvas.Cell(text: "◐", cellStyle: CellStyle(style: .caution, isBold: true)))
        #expect(canvas[column: 0, row: 0] == Canvas.Cell(text: "⣀", cellStyle: .dim))
    }

    @Test func `the legend shows counts by state, entries without coordinates, and the fullest place`() throws {
        #expect(
            Self.lines(try Self.oneOfEach).suffix(2) == [
                "● 1 fresh   ◐ 1 stale   ◌ 1 loading   ✖ 1 failed   ○ 1 empty",
                "2 of 5 on the map, 3 without coordinates",
            ])
        let berlin = try Sample.placed(52.5, 13.4, city: "Berlin")
        #expect(
            Self.lines(Array(repeating: berlin, count: 1_234)).suffix(2) == [
                "● 1,234 fresh", "1,234 on the map   most in Berlin, Germany: 1,234",
            ])
    }

    @Test func `a wide legend is wrapped`() throws {
        #expect(
            Self.lines(try Self.oneOfEach, columns: 40).suffix(3) == [
                "● 1 fresh   ◐ 1 stale   ◌ 1 loading", "✖ 1 failed   ○ 1 empty",
                "2 of 5 on the map, 3 without coordinates",
            ])
    }

    @Test func `an unknown state of a newer daemon is shown`() throws {
        var strange = try Sample.placed(52.5, 13.4)
        strange.state = "haunted"
        #expect(Self.lines([strange]).suffix(2).first == "? 1 haunted")
    }
}
