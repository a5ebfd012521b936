import Control
import RecordKeeping
import Testing

@testable import ipctl

@Suite struct TableTests {
    private static var table: Table {
        var table = Table(columns: [
            Table.Column(title: "NAME"), Table.Column(title: "TEXT", shrinksTo: 4),
            Table.Column(title: "COUNT", isNumber: true),
            Table.Column(title: "END", shrinksTo: 3),
        ])
        table.rows = [
            [.init("a"), .init("東京 is a city"), .init("5"), .init("x")],
            [.init("bc"), .init(""), .init("12345"), .init("")],
            [.init(""), .init("e\u{301}"), .init("100"), .init("some words")],
        ]
        return table
    }

    @Test func `columns are aligned with their titles, numbers to the right`() {
        #expect(
            Self.table.lines(on: .pipe) == [
                "NAME  TEXT            COUNT  END", "a     東京 is a city      5  x", "bc                    12345",
                "      e\u{301}                 100  some words",
            ])
    }

    @Test func `a narrow terminal truncates the widest shrinkable column`() {
        let lines = Self.table.lines(on: .wide(30))
        #expect(
            lines == [
                "NAME  TEXT     COUNT  END", "a     東京 i…      5  x", "bc             12345",
                "      e\u{301}          100  some wo…",
            ])
    }

    @Test(arguments: 1...60) func `no line is wider than the terminal, and none ends in blanks`(columns: Int) {
        for line in Self.table.lines(on: .wide(columns)) {
            #expect(line.displayWidth <= columns)
            #expect(line.last != " ")
        }
    }

    private static func withRemark(_ remark: String, end: String = "") -> Table {
        var table = Table(columns: [
            Table.Column(title: "NAME"), Table.Column(title: "TEXT", shrinksTo: 4),
            Table.Column(title: "MORE", shrinksTo: 4), Table.Column(title: "END"),
        ])
        table.rows = [
            [.init("a"), .init("some place"), .init("some network"), .init("x")],
            [.init("b"), .remark(remark), .init(""), .init(end)],
        ]
        return table
    }

    @Test func `a remark extends over empty cells, and to the edge if nothing follows`() {
        let remark = "the provider answered nonsense"
        let rows = Self.withRemark(remark, end: "y").lines(on: .wide(80))
        #expect(rows[1].hasPrefix("a     some place                some network  x"))
        #expect(rows[2] == "b     \(remark)          y")
        #expect(Self.withRemark(remark).lines(on: .wide(36)).last == "b     \(remark)")
        #expect(Self.withRemark(remark).lines(on: .wide(30)).last == "b     the provider answered n…")
    }

    @Test func `a long remark does not widen the table, and a pipe has all of it`() {
        let remark = String(repeating: "word ", count: 40) + "end"
        for end in ["", "y"] {
            let lines = Self.withRemark(remark, end: end).lines(on: .wide(60))
            #expect(lines[1] == "a     some place                some network  x")
            #expect(lines[2].displayWidth <= 60 && lines[2].contains("…"))
        }
        let piped = Self.withRemark(remark, end: "y").lines(on: .pipe)
        #expect(piped[1] == "a     some place                some network  x")
        #expect(piped[2] == "b     \(remark)  y")
    }

    @Test(arguments: 1...60) func `no line with a remark is wider than the terminal`(columns: Int) {
        let table = Self.withRemark(String(repeating: "words ", count: 30), end: columns % 2 == 0 ? "y" : "")
        for line in table.lines(on: .wide(columns)) { #expect(line.displayWidth <= columns) }
    }

    @Test func `a table without rows has its titles`() {
        #expect(Table(columns: [Table.Column(title: "A"), Table.Column(title: "B")]).lines(on: .wide(80)) == ["A  B"])
    }

    @Test func `colours take no columns`() {
        var table = Table(columns: [Table.Column(title: "A"), Table.Column(title: "B"), Table.Column(title: "C")])
        table.rows = [[.init("one", .good), .init("", .bad), .init("3", .dim)]]
        let lines = table.lines(on: Terminal(hasColor: true, columns: 80))
        #expect(
            lines == [
                "\u{1B}[1mA\u{1B}[0m    \u{1B}[1mB\u{1B}[0m  \u{1B}[1mC\u{1B}[0m",
                "\u{1B}[32mone\u{1B}[0m     \u{1B}[2m3\u{1B}[0m",
            ])
    }

    @Test func `a cell's text cannot change the terminal`() {
        var table = Table(columns: [Table.Column(title: "A")])
        table.rows = [[.init("a\u{1B}[2J\nb")]]
        #expect(table.lines(on: .pipe) == ["A", "a\u{FFFD}[2J\u{FFFD}b"])
    }
}

/// Tables of several entries.
@Suite struct EntriesTableTests {
    private static func entries() throws -> [Interface.Entry] {
        [
            try Sample.entry(.fresh, record: Sample.record, scanned: -60, expires: 240),
            try Sample.entry(.empty, address: "10.0.0.1", scanned: -1, expires: 299, reason: "private range"),
            try Sample.entry(.failed, address: "2001:db8:1111:2222:3333:4444:5555:6666", failure: .timeout),
            try Sample.entry(.loading, address: "192.0.2.2"),
        ]
    }

    @Test func `several entries are a table in the given order`() throws {
        let lines = Entries(entries: try Self.entries(), now: Sample.now).lines(on: .pipe)
        let cells = lines.map { $0.split(separator: /\ {2,}/).map(String.init) }
        #expect(
            cells == [
                ["ADDRESS", "STATE", "PLACE", "NETWORK", "REVERSE NAME", "FLAGS", "SCANNED", "PROBLEM"],
                ["192.0.2.1", "fresh", "Berlin, DE", "AS64500 Example", "host.example", "proxy, hosting", "60 s ago"],
                ["10.0.0.1", "empty", "private range", "1 s ago"],
                ["2001:db8:1111:2222:3333:4444:5555:6666", "failed", "it went wrong"], ["192.0.2.2", "loading"],
            ])
    }

    @Test func `all problems are in one column, below its title`() throws {
        let entries = [
            try Sample.entry(.failed, failure: .timeout),
            try Sample.entry(.stale, address: "192.0.2.2", record: Sample.record, scanned: -600, failure: .timeout),
        ]
        var table = EntryTable(hasLabels: true, hasProblems: true, now: Sample.now)
        let lines = table.nextLines(entries, on: .pipe, isWhole: true)
        let columns = lines.map { line in
            line.firstRange(of: line == lines[0] ? "PROBLEM" : "it went wrong").map {
                line.distance(from: line.startIndex, to: $0.lowerBound)
            }
        }
        #expect(columns[0] != nil && Set(columns).count == 1, "\(lines)")
    }

    @Test func `on a narrow terminal, empty columns are dropped before those with text`() throws {
        var table = EntryTable(hasLabels: true, hasProblems: true, now: Sample.now)
        let lines = table.nextLines(
            [try Sample.entry(.failed, failure: .timeout)], on: .wide(50), isWhole: true)
        #expect(lines[0].contains("PROBLEM") && lines[1].contains("it went wrong"), "\(lines)")
        #expect(!lines[0].contains("REVERSE NAME"), "\(lines)")
    }

    @Test func `a problem is shown on 80 columns beside a complete record`() throws {
        let entries = [
            try Sample.entry(.fresh, address: "203.0.113.100", record: Sample.record, scanned: -60, expires: 240),
            try Sample.entry(.failed, failure: .timeout),
        ]
        for hasLabels in [false, true] {
            var table = EntryTable(hasLabels: hasLabels, hasPins: true, hasProblems: true, now: Sample.now)
            let lines = table.nextLines(entries, on: .wide(80), isWhole: true)
            #expect(lines[2].contains("it went wrong"), "\(lines)")
        }
    }

    @Test func `a column without text stays if more rows may follow, and if there are no rows`() throws {
        let columns = ["A", "LONG TITLE", "OTHER"].map { Table.Column(title: $0, shrinksTo: 4) }
        let row = ["text", "", "more text"].map { Table.Cell($0) }
        var table = Table(columns: columns)
        #expect(table.nextLines([row], on: .wide(14), isWhole: false)[0].contains("LONG"))
        var whole = Table(columns: columns)
        #expect(whole.nextLines([row], on: .wide(16), isWhole: true) == ["A     OTHER", "text  more text"])
        var empty = Table(columns: columns)
        #expect(empty.nextLines([], on: .wide(16), isWhole: true)[0].split(separator: " ").count > 1)
    }

    @Test(arguments: [20, 40, 60, 80, 100, 200]) func `it fits the terminal, and each address is in its line`(
        columns: Int
    ) throws {
        let lines = Entries(entries: try Self.entries(), now: Sample.now).lines(on: .wide(columns))
        #expect(lines.count == 5)
        #expect(lines.allSatisfy { $0.displayWidth <= columns })
        if columns >= 40 { #expect(lines[3].hasPrefix("2001:db8:1111:2222:3333:4444:5555:6666")) }
    }

    @Test func `no entries are a table without rows`() {
        #expect(Entries(entries: [], now: Sample.now).lines(on: .pipe).count == 1)
    }
}
