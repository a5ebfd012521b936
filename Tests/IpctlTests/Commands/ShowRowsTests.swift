import Control
import RecordKeeping
import TestSupport
import Testing
import Varlink

@testable import ipctl

/// `ipctl show` with the built program: output in rows, and limits on the age of records.
@Suite struct ShowRowsTests {
    private static func run(
        _ entries: [Interface.Entry], _ options: String..., arguments: [String] = []
    ) throws -> BuiltIpctl.Ended {
        let server = try WireServer([OutgoingReply.message(["entries": entries])])
        return try BuiltIpctl.run(
            ["--socket", server.path, "show", "--wait", "0"] + entries.map(\.address) + options + arguments,
            environment: ["TZ": "UTC0"])
    }

    /// - Parameter age: the age of the record in seconds; nil for an entry without a record.
    private static func entry(_ state: EntryState, _ address: String, age: Int64?) throws -> Interface.Entry {
        var entry = try Sample.entry(
            state, address: address, record: age == nil ? nil : Sample.record, scanned: age.map { -$0 })
        entry.scannedAt = age.map { Times.now - $0 * 1_000 }
        return entry
    }

    private static func three() throws -> [Interface.Entry] {
        [
            try entry(.fresh, "192.0.2.1", age: 60), try entry(.stale, "192.0.2.2", age: 7_000),
            try entry(.loading, "192.0.2.3", age: nil),
        ]
    }

    @Test func `several fields of several addresses are one line each`() throws {
        let ended = try Self.run(try Self.three(), "--field", "address", "--field", "city", "--field", "state")
        let lines = "192.0.2.1\tBerlin\tfresh\n192.0.2.2\tBerlin\tstale\n192.0.2.3\t\tloading\n"
        #expect(ended == .init(status: 75, output: lines, errors: ""))
        let one = try Self.run([try Self.entry(.fresh, "192.0.2.1", age: 60)], "--field", "address", "--field", "city")
        #expect(one == .init(status: 0, output: "192.0.2.1\nBerlin\n", errors: ""))
    }

    @Test func `columns can be printed as CSV`() throws {
        let ended = try Self.run(try Self.three(), "--columns", "address,city,state", "--format", "csv")
        let rows = "address,city,state\r\n192.0.2.1,Berlin,fresh\r\n192.0.2.2,Berlin,stale\r\n192.0.2.3,,loading\r\n"
        #expect(ended == .init(status: 75, output: rows, errors: ""))
    }

    @Test(
        arguments: [
            (["--sort", "age"], [1, 2, 3]), (["--sort", "age", "--reverse"], [2, 1, 3]),
            (["--sort", "address", "-r"], [3, 2, 1]), (["--sort", "state"], [1, 3, 2]),
            (["--sort", "city"], [1, 2, 3]),
        ] as [([String], [Int])])
    func `several entries are sorted by a field, those without a value last`(
        options: [String], order: [Int]
    ) throws {
        let lines = order.map { "192.0.2.\($0)" }
        let fields = try Self.run(try Self.three(), "--field", "address", arguments: options)
        #expect(fields.output.split(separator: "\n").map(String.init) == lines, "\(fields)")
        let rows = try Self.run(
            try Self.three(), "--columns", "address", "--format", "csv", "--no-headers", arguments: options)
        #expect(rows.output.split(separator: "\r\n").map(String.init) == lines, "\(rows)")
        let table = try Self.run(try Self.three(), "--no-headers", arguments: options)
        let first = table.output.split(separator: "\n").map { $0.prefix { $0 != " " } }
        #expect(first.map(String.init) == lines, "\(table)")
    }

    @Test func `addresses are sorted as in the list, and numbers by their values`() throws {
        let addresses = ["192.0.2.10", "2001:db8::1", "192.0.2.9", "10.0.0.1", "2001:db8::a"]
        let entries = try zip(addresses, [0, -12_600, 3_600, 36_000, nil] as [Int?]).map { address, offset in
            var entry = try Self.entry(.fresh, address, age: 60)
            entry.record?.offset = offset
            return entry
        }
        func sorted(_ options: String...) throws -> [String] {
            try Self.run(entries, "--field", "address", arguments: options).output.split(separator: "\n").map(
                String.init)
        }
        #expect(
            try sorted("--sort", "address") == ["10.0.0.1", "192.0.2.9", "192.0.2.10", "2001:db8::1", "2001:db8::a"])
        let offsets = ["2001:db8::1", "192.0.2.10", "192.0.2.9", "10.0.0.1", "2001:db8::a"]
        #expect(try sorted("--sort", "offset") == offsets)
        #expect(try sorted("--sort", "offset", "--reverse") == offsets.dropLast().reversed() + ["2001:db8::a"])
    }

    @Test func `with --fresh, other records are not printed, and a message says why`() throws {
        let ended = try Self.run(try Self.three(), "--fresh", "--field", "address")
        let errors = """
            ipctl: 192.0.2.2: the last record was scanned 116 min ago
            ipctl: 192.0.2.3: no record yet

            """
        #expect(ended.status == 75 && ended.output == "192.0.2.1\n")
        #expect(ended.errors == errors)
        let json = try Self.run(try Self.three(), "--fresh", "--json")
        #expect(json.status == 75 && json.errors == errors)
        #expect(json.output.contains("192.0.2.1") && !json.output.contains("192.0.2.2"), "\(json.output)")
        let alone = try Self.run([try Self.entry(.fresh, "192.0.2.1", age: 60)], "--fresh", "--field", "city")
        #expect(alone == .init(status: 0, output: "Berlin\n", errors: ""))
    }

    @Test func `the reason in the message is that of the entry`() throws {
        var stale = try Self.entry(.stale, "192.0.2.2", age: 7_000)
        stale.failure = try Sample.failure(.offline, "no route to ip-api.com: no route", nextAttemptIn: nil)
        let ended = try Self.run([stale], "--fresh")
        let reason = "no route to ip-api.com: no route; next try when the network is back"
        let errors = "ipctl: 192.0.2.2: the last record was scanned 116 min ago: \(reason)\n"
        #expect(ended == .init(status: 75, output: "", errors: errors))
    }

    @Test(arguments: [("2h", 0, 2), ("30m", 75, 1), ("30s", 75, 0)] as [(String, Int32, Int)])
    func `--max-age limits the age of fresh and stale records alike`(limit: String, status: Int32, count: Int) throws {
        let entries = Array(try Self.three().dropLast())
        let ended = try Self.run(entries, "--max-age", limit, "--field", "address")
        #expect(ended.status == status)
        #expect(ended.output.split(separator: "\n").count == count, "\(ended)")
    }

    @Test func `an answer without a record has an age too`() throws {
        var empty = try Sample.entry(.empty, scanned: -1, reason: "reserved range")
        empty.scannedAt = Times.now - 60_000
        // The exit status says that the provider has no record.
        #expect(try Self.run([empty], "--fresh", "--field", "state").status == 1)
        #expect(try Self.run([empty], "--max-age", "30s", "--field", "state").status == 75)
        // A special-purpose address is never looked up.
        empty.scannedAt = nil
        #expect(try Self.run([empty], "--fresh", "--max-age", "30s", "--field", "state").status == 1)
    }

    @Test(
        arguments: [
            (["--max-age", "old"], "expected a duration"), (["--columns", "shoe"], "unknown field \"shoe\""),
            (["--columns", "city", "--field", "city"], "give --field, or --format and --columns, not both"),
            (["--format", "xml"], "format"), (["--sort", "shoe"], "unknown field to sort by \"shoe\""),
            (["--reverse"], "--reverse requires --sort, such as: --sort address --reverse"),
            (["--json", "--sort", "city"], "give --json or --sort, not both"),
        ] as [([String], String)])
    func `invalid arguments are usage errors`(arguments: [String], text: String) throws {
        let ended = try BuiltIpctl.run(["show", "192.0.2.1"] + arguments)
        #expect(ended.status == 64)
        #expect(ended.errors.contains(text), "\(ended.errors)")
    }
}
