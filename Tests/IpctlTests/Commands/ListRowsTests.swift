import Control
import RecordKeeping
import TestSupport
import Testing

@testable import ipctl

/// `ipctl list` with the built program: output in rows.
@Suite struct ListRowsTests {
    private static func formatted(_ arguments: String...) throws -> BuiltIpctl.Ended {
        var second = try Sample.entry(
            .fresh, address: "2001:db8::1", watch: Watch(byClient: true, tags: ["dns", "prod"], note: "a\tb \"c\""),
            record: Sample.record, scanned: -1)
        second.record?.city = "Bad\nHomburg"
        let server = try WireServer([
            Sample.page([try Sample.entry(.loading, address: "192.0.2.1", watch: Watch(byClient: true)), second])
        ])
        return try BuiltIpctl.run(
            ["--socket", server.path, "list", "--columns", "address,tags,note,city,lat,proxy"] + arguments)
    }

    @Test func `columns can be chosen for a table`() throws {
        #expect(
            try Self.formatted().output == """
                ADDRESS      TAGS      NOTE     CITY         LAT   PROXY
                192.0.2.1
                2001:db8::1  dns,prod  a\u{FFFD}b "c"  Bad\u{FFFD}Homburg  52.5  true

                """)
    }

    @Test func `CSV quotes what must be quoted, and the header can be left out`() throws {
        let row = "2001:db8::1,\"dns,prod\",\"a\tb \"\"c\"\"\",\"Bad\nHomburg\",52.5,true\r\n"
        #expect(
            try Self.formatted("--format", "csv").output
                == "address,tags,note,city,lat,proxy\r\n192.0.2.1,,,,,\r\n" + row)
        #expect(try Self.formatted("--format", "csv", "--no-headers").output == "192.0.2.1,,,,,\r\n" + row)
    }

    @Test func `TSV has one line per entry`() throws {
        #expect(
            try Self.formatted("--format", "tsv", "--no-headers").output
                == "192.0.2.1\t\t\t\t\t\n2001:db8::1\tdns,prod\ta\\tb \"c\"\tBad\\nHomburg\t52.5\ttrue\n")
    }

    @Test func `a table has dates, and CSV has milliseconds`() throws {
        let entry = try Sample.entry(.fresh, record: Sample.record, scanned: -1)
        let scannedAt = try #require(entry.scannedAt)
        for (format, text) in [("table", "2027-"), ("csv", "\(scannedAt)")] {
            let server = try WireServer([Sample.page([entry])])
            let ended = try BuiltIpctl.run(
                ["--socket", server.path, "--utc", "list", "--columns", "scannedAt", "--format", format])
            #expect(ended.status == 0)
            #expect(ended.output.split(whereSeparator: \.isNewline).last?.hasPrefix(text) == true, "\(ended)")
        }
    }

    @Test func `the age has a unit in a table, and is in seconds otherwise`() throws {
        for (format, beginning) in [
            ("table", "AGE\n3 h\n"), ("csv", "age\r\n108"), ("tsv", "age\n108"), ("jsonl", #"{"age":108"#),
        ] {
            var entry = try Sample.entry(.fresh, record: Sample.record, scanned: -1)
            entry.scannedAt = Times.now - 10_800_000
            let server = try WireServer([Sample.page([entry, try Sample.entry(.loading)])])
            let ended = try BuiltIpctl.run(
                ["--socket", server.path, "list", "--columns", "age", "--format", format])
            #expect(ended.status == 0 && ended.output.hasPrefix(beginning), "\(ended)")
            if format == "jsonl" { #expect(ended.output.hasSuffix("{\"age\":null}\n"), "\(ended)") }
        }
    }

    @Test func `JSON Lines have the types of the interface, in the order of the columns`() throws {
        #expect(
            try Self.formatted("--format", "jsonl").output == """
                {"address":"192.0.2.1","tags":[],"note":null,"city":null,"lat":null,"proxy":null}
                {"address":"2001:db8::1","tags":["dns","prod"],"note":"a\\tb \\"c\\"","city":"Bad\\nHomburg","lat":52.5,"proxy":true}

                """)
    }

    @Test(arguments: [20, 40, 80, 200] as [UInt16])
    func `columns of wide and of right-to-left text are aligned, and no line is wider than the terminal`(
        columns: UInt16
    )
        throws
    {
        let terminal = try #require(PseudoTerminal(columns: columns))
        let names = ["東京電力ホールディングス", "بيانات الشبكة", "Telekom", "e\u{301}té 🇩🇪 👩‍👩‍👧", "", "a\u{202E}b"]
        let entries = try names.enumerated().map { number, name in
            var record = Sample.record
            record.isp = name
            return try Sample.entry(.fresh, address: "192.0.2.\(number)", record: record, scanned: -1)
        }
        let server = try WireServer([Sample.page(entries)])
        let ended = try BuiltIpctl.run(
            ["--socket", server.path, "list", "--columns", "isp,country"],
            environment: ["TERM": "dumb", "LC_ALL": "C.UTF-8"],
            terminal: terminal.far)
        #expect(ended.status == 0)
        let lines = try terminal.lines()
        #expect(lines.count == 1 + names.count)
        #expect(lines.allSatisfy { $0.displayWidth <= Int(columns) }, "\(lines)")
        // The text before the second column has the same width in all lines.
        let starts = lines.dropFirst().compactMap { line in
            line.firstRange(of: "Ger").map { String(line[..<$0.lowerBound]).displayWidth }
        }
        #expect(Set(starts).count <= 1, "\(lines)")
        #expect(columns < 40 || starts.count == names.count, "\(lines)")
        #expect(!lines.joined().unicodeScalars.contains("\u{202E}"))
    }

    @Test func `on a terminal, values have no control characters, and tabs separate them`() throws {
        let terminal = try #require(PseudoTerminal(columns: 200))
        var record = Sample.record
        record.isp = "a\u{1B}[2Jb"
        let entry = try Sample.entry(.fresh, address: "192.0.2.1", record: record, scanned: -1)
        let server = try WireServer([Sample.page([entry])])
        let columns = ["--columns", "address,isp", "--format", "tsv", "--no-headers"]
        let ended = try BuiltIpctl.run(
            ["--socket", server.path, "list"] + columns, environment: ["TERM": "dumb"], terminal: terminal.far)
        #expect(ended.status == 0)
        #expect(try terminal.lines().map { $0.split(separator: "\t") } == [["192.0.2.1", "a\u{FFFD}[2Jb"]])
    }
}
