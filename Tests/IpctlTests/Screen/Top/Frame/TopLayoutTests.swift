import Testing

@testable import ipctl

@Suite struct TopLayoutTests {
    @Test func `the layout uses all rows of the screen`() {
        for rows in 0...120 {
            for columns in [1, 40, 80, 200] {
                for gauges in 0...5 {
                    let layout = TopLayout(WindowSize(columns: columns, rows: rows), gauges: gauges)
                    let used = layout.head + layout.list + layout.events + 2
                    #expect(layout.list == 0 || used == rows)
                    #expect(layout.gaugesAcross * layout.gaugeRows >= (layout.head > 1 ? gauges : 0))
                    #expect(
                        layout.head <= 1
                            || layout.head == 1 + 2 * layout.padding + layout.factRows + layout.gaugeRows)
                }
            }
        }
    }

    @Test func `a filter has a row of its own`() {
        let layout = TopLayout(WindowSize(columns: 80, rows: 24), gauges: 4, hasFilter: true)
        #expect((layout.head, layout.firstListRow, layout.list, layout.events) == (7, 8, 10, 5))
        #expect(layout.textRows == 22)
        #expect(TopLayout(WindowSize(columns: 1, rows: 1), gauges: 4).textRows == 0)
    }

    @Test func `a screen of 24 rows has room for everything, and a low one for the most important parts`() {
        let usual = TopLayout(WindowSize(columns: 80, rows: 24), gauges: 4)
        #expect((usual.head, usual.list, usual.events) == (6, 11, 5))
        let large = TopLayout(WindowSize(columns: 200, rows: 60), gauges: 4)
        #expect((large.head, large.list, large.events) == (7, 40, 11))
        let low = TopLayout(WindowSize(columns: 80, rows: 16), gauges: 4)
        #expect((low.head, low.list, low.events) == (6, 8, 0))
        let narrow = TopLayout(WindowSize(columns: 40, rows: 24), gauges: 4)
        #expect((narrow.head, narrow.list, narrow.events) == (8, 9, 5))
        let lowest = TopLayout(WindowSize(columns: 80, rows: 8), gauges: 4)
        #expect((lowest.head, lowest.list, lowest.events) == (1, 5, 0))
    }
}
