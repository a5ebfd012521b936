import RecordKeeping
import Testing

@testable import RecordStore

/// The rows of shared values are found by the bytes of the values, within and across transactions.
@Suite struct SharedRowsTests {
    private static func place(_ city: String) -> Interned<Place> {
        var place = Place()
        place.city = city
        return Interned(place)
    }

    /// Collects the rows that are added to a table.
    private struct Table {
        var shared: SharedRows<Place>
        private(set) var added: [Int64] = []

        init(_ shared: SharedRows<Place>) { self.shared = shared }

        mutating func ids(of cities: String...) -> [Int64] {
            cities.map { city in
                var new: [Int64] = []
                let id = shared.id(of: SharedRowsTests.place(city)) { new.append($0) }
                added += new
                return id
            }
        }
    }

    private struct Refusal: Error {}

    @Test func `equal values get one row, whose id follows the largest id in the table`() {
        var table = Table(SharedRows(lastID: 7))
        let ids = table.ids(of: "Ulm", "Aalen", "Ulm", "Aalen", "Köln")
        #expect(ids == [8, 9, 8, 9, 10])
        #expect(table.added == [8, 9, 10])
    }

    @Test func `known rows are used, and ids of unreadable rows are not given to other values`() {
        let known: [Int64: Interned<Place>] = [2: Self.place("Ulm"), 5: Self.place("Aalen")]
        var table = Table(SharedRows(known, lastID: 9, used: 2))
        let ids = table.ids(of: "Ulm", "Köln", "Aalen")
        #expect(ids == [2, 10, 5])
        #expect(table.added == [10])
    }

    @Test(arguments: [("\u{E9}", "e\u{301}"), ("e\u{301}", "\u{E9}"), ("\u{212B}", "\u{C5}")])
    func `canonically equivalent values get different rows`(first: String, second: String) {
        #expect(first == second && Self.place(first) == Self.place(second))
        var table = Table(SharedRows())
        let ids = table.ids(of: first, second, first)
        #expect(ids[0] != ids[1] && ids[2] == ids[0])
        #expect(table.added.count == 2)
    }

    @Test func `each of several canonically equivalent known values gets a row with its bytes`() {
        let (one, other) = ("\u{E9}", "e\u{301}")
        // The order of the rows in the dictionary varies.
        for _ in 0..<20 {
            var table = Table(SharedRows([2: Self.place(one), 5: Self.place(other)], lastID: 5, used: 2))
            let ids = table.ids(of: one, other)
            #expect(ids == [2, 6] || ids == [6, 5])
        }
    }

    @Test func `a value that is equal to a deleted one gets a row with its own bytes`() {
        let (one, other) = ("\u{E9}", "e\u{301}")
        var table = Table(SharedRows([2: Self.place(one)], lastID: 2, used: 1))
        table.shared.swept([2])
        #expect(table.ids(of: other) == [3])
        table.shared.committed()
        #expect(table.ids(of: one, other) == [4, 3])
    }

    @Test func `a row that cannot be added is not known`() {
        var shared = SharedRows<Place>(lastID: 3)
        #expect(throws: Refusal.self) { try shared.id(of: Self.place("Ulm")) { _ in throw Refusal() } }
        var table = Table(shared)
        let ids = table.ids(of: "Ulm")
        #expect(ids == [4] && table.added == [4])
    }

    // MARK: Transactions

    @Test func `the rows of a failed transaction are forgotten, and those of earlier ones are kept`() {
        var table = Table(SharedRows())
        let kept = table.ids(of: "Ulm", "Aalen")
        table.shared.committed()
        let failed = table.ids(of: "Köln", "Ulm")
        table.shared.rolledBack()
        let again = table.ids(of: "Ulm", "Aalen", "Köln")
        #expect(again[..<2] == kept[...] && failed[1] == kept[0])
        #expect(table.added == kept + [failed[0], again[2]], "the value gets a row again")
        table.shared.committed()
        table.shared.rolledBack()
        let last = table.ids(of: "Köln")
        #expect(last == [again[2]])
    }

    @Test func `a failed transaction does not affect an equivalent value`() {
        var table = Table(SharedRows())
        let kept = table.ids(of: "\u{E9}")
        table.shared.committed()
        let failed = table.ids(of: "e\u{301}")
        table.shared.rolledBack()
        let again = table.ids(of: "\u{E9}")
        #expect(again == kept && table.added == kept + failed)
    }

    // MARK: Unused rows

    @Test(arguments: [0, 1, 500])
    func `a sweep is needed once the rows exceed twice the used ones plus 10,000`(used: Int) {
        let count = 2 * used + 10_000
        let known = Dictionary(uniqueKeysWithValues: (1...count).map { (Int64($0), Self.place("city \($0)")) })
        var table = Table(SharedRows(known, lastID: Int64(count), used: used))
        #expect(!table.shared.needsSweep)
        let found = table.ids(of: "city 1")
        #expect(found == [1] && !table.shared.needsSweep, "no row was added")
        let added = table.ids(of: "Ulm")[0]
        table.shared.committed()
        #expect(table.shared.needsSweep)

        let unused = Set(known.keys.filter { $0 > 10 })
        table.shared.swept(unused)
        table.shared.rolledBack()
        #expect(table.shared.needsSweep, "the rows are still there")
        let kept = table.ids(of: "city 11")
        #expect(kept == [11])

        table.shared.swept(unused)
        let again = table.ids(of: "city 12")
        #expect(again == [added + 1], "a row that was deleted in the transaction is not found")
        table.shared.committed()
        #expect(!table.shared.needsSweep)
        let ids = table.ids(of: "Ulm", "city 10", "city 11")
        #expect(ids == [added, 10, added + 2], "the id of a deleted row is not used again")
    }

    @Test func `after a sweep that deletes nothing, all rows count as used`() {
        let known = Dictionary(uniqueKeysWithValues: (1...10_001).map { (Int64($0), Self.place("city \($0)")) })
        var table = Table(SharedRows(known, lastID: 10_001, used: 0))
        #expect(table.shared.needsSweep)
        table.shared.swept([])
        table.shared.committed()
        #expect(!table.shared.needsSweep)
        for number in 1...30_000 where !table.shared.needsSweep {
            _ = table.ids(of: "new \(number)")
            table.shared.committed()
        }
        #expect(table.added.count == 10_001 + 10_000 + 1)
    }
}
