import Testing

@testable import ipctl

@Suite struct TopColumnsTests {
    private static func ranges(_ columns: TopColumns) -> [Range<Int>] {
        [
            columns.pin, columns.address, columns.mark, columns.state, columns.place, columns.network, columns.reverse,
            columns.tags, columns.bar, columns.refresh,
        ]
    }

    @Test func `columns are in order, with gaps, within the margins, at any width`() {
        for total in 0...260 {
            for address in [7, 15, 39] {
                let shown = Self.ranges(TopColumns(total: total, longestAddress: address)).filter { !$0.isEmpty }
                for (column, next) in zip(shown, shown.dropFirst()) {
                    #expect(column.upperBound < next.lowerBound, "\(total) columns: \(column) and \(next)")
                }
                if let first = shown.first, let last = shown.last {
                    #expect(first.lowerBound >= 1 && last.upperBound <= total - 1)
                }
            }
        }
    }

    @Test func `the sign of a mark is between the pin and the address`() {
        for total in 0...260 {
            let columns = TopColumns(total: total, longestAddress: 15)
            guard !columns.check.isEmpty else { continue }
            #expect(columns.pin.upperBound == columns.check.lowerBound)
            #expect(columns.check.upperBound == columns.address.lowerBound)
        }
        #expect(!TopColumns(total: 20, longestAddress: 15).check.isEmpty)
    }

    @Test func `the wider the screen, the more columns there are`() {
        let names = ["pin", "address", "mark", "state", "place", "network", "reverse", "tags", "bar", "refresh"]
        func shown(_ total: Int, _ address: Int = 15) -> [String] {
            let ranges = Self.ranges(TopColumns(total: total, longestAddress: address))
            return zip(names, ranges).filter { !$1.isEmpty }.map { $0.0 }
        }
        #expect(shown(10) == ["pin", "address"])
        #expect(shown(24) == ["pin", "address", "mark"])
        #expect(shown(32) == ["pin", "address", "mark", "refresh"])
        #expect(shown(40) == ["pin", "address", "mark", "state", "refresh"])
        #expect(shown(60) == ["pin", "address", "mark", "state", "place", "refresh"])
        #expect(shown(80) == ["pin", "address", "mark", "state", "place", "network", "refresh"])
        #expect(shown(80, 39) == ["pin", "address", "mark", "state", "place", "refresh"])
        #expect(shown(140) == ["pin", "address", "mark", "state", "place", "network", "reverse", "bar", "refresh"])
        #expect(shown(200) == names)
    }

    @Test func `the address has its full width, and is truncated only by the screen`() {
        #expect(TopColumns(total: 80, longestAddress: 7).address.count == 15)
        #expect(TopColumns(total: 80, longestAddress: 39).address.count == 39)
        #expect(TopColumns(total: 30, longestAddress: 39).address.count == 26)
    }
}
