import Control
import RecordKeeping
import TestSupport
import Testing
import Varlink

@testable import ipctl

/// `ipctl history` of several addresses, and with conditions, with the built program.
@Suite struct ChangeSelectionTests {
    /// The pages of a history, one after the other.
    private static func pages(_ pages: Control.History.Reply...) throws -> WireServer {
        try WireServer(connections: [pages.map { Sample.reply($0) }])
    }

    private static func isp(_ seq: Int64, at seconds: Int64, of address: String) throws -> Interface.Change {
        var change = try HistoryTests.change(
            seq, at: seconds, FieldChange(field: "isp", old: "A, \"Inc.\"", new: nil),
            FieldChange(field: "city", old: nil, new: "Berlin"))
        change.address = address
        return change
    }

    private static func call(_ parameters: String) -> String {
        #"{"method":"io.iprecord.Control.History","parameters":{\#(parameters)}}"#
    }

    @Test func `the changes of several addresses have the address in each line`() throws {
        let changes = [
            try HistoryTests.change(9, at: 0, FieldChange(field: "city", old: nil, new: "Berlin")),
            try HistoryTests.change(7, at: -60, FieldChange(field: "isp", old: "A", new: "B")),
        ]
        let server = try Self.pages(.init(changes: changes))
        let ended = try BuiltIpctl.run(
            server, "history", "192.0.2.1", "192.0.2.2", "--field", "city", "--field", "isp",
            environment: ["TZ": "UTC0"])
        let expected = """
            2027-01-15T08:00:00Z  192.0.2.1  City: (none) → Berlin
            2027-01-15T07:59:00Z  192.0.2.1  Provider: A → B\n
            """
        #expect(ended == .init(status: 0, output: expected, errors: ""))
        let parameters = #""addresses":["192.0.2.1","192.0.2.2"],"fields":["city","isp"],"limit":101"#
        #expect(server.calls == [Self.call(parameters)])
    }

    @Test func `a block stands for its addresses`() throws {
        let change = try HistoryTests.change(9, at: 0, FieldChange(field: "city", old: nil, new: "Berlin"))
        let server = try Self.pages(.init(changes: [change]))
        let ended = try BuiltIpctl.run(server, "history", "192.0.2.0/31", environment: ["TZ": "UTC0"])
        let expected = "2027-01-15T08:00:00Z  192.0.2.1  City: (none) → Berlin\n"
        #expect(ended == .init(status: 0, output: expected, errors: ""))
        #expect(server.calls == [Self.call(#""addresses":["192.0.2.0","192.0.2.1"],"limit":101"#)])
        let one = try WireServer([Sample.reply(Control.History.Reply(changes: [change]))])
        #expect(try BuiltIpctl.run(one, "history", "192.0.2.1/32", "--limit", "1").status == 0)
        #expect(one.calls == [Self.call(#""address":"192.0.2.1","limit":1"#)])
    }

    @Test func `an invalid address is an error`() throws {
        let server = try Self.pages(.init(changes: []))
        let ended = try BuiltIpctl.run(server, "history", "192.0.2")
        #expect(ended.status == 65 && ended.errors.contains("\"192.0.2\" is not an IP address: "), "\(ended)")
        #expect(server.calls == [])
    }

    @Test func `each changed field is a row of CSV, within the period`() throws {
        let server = try Self.pages(.init(changes: [try Self.isp(8, at: -60, of: "192.0.2.1")]))
        let ended = try BuiltIpctl.run(
            server, "history", "192.0.2.1", "--since", "2027-01-15T07:55:00Z", "--until", "2027-01-15T07:59:30Z",
            "--columns", "address,field,old,new,seq", "--format", "csv")
        let expected =
            "address,field,old,new,seq\r\n192.0.2.1,isp,\"A, \"\"Inc.\"\"\",,8\r\n192.0.2.1,city,,Berlin,8\r\n"
        #expect(ended == .init(status: 0, output: expected, errors: ""))
        let parameters = #""addresses":["192.0.2.1"],"limit":101,"since":1799999700000,"until":1799999970000"#
        #expect(server.calls == [Self.call(parameters)])
    }

    @Test func `rows are sorted by a column; rows with the same value stay newest first`() throws {
        func rows(_ options: String...) throws -> [String] {
            let changes = try [Self.isp(9, at: 0, of: "192.0.2.10"), Self.isp(8, at: -60, of: "192.0.2.9")]
            let server = try Self.pages(.init(changes: changes))
            let ended = try BuiltIpctl.run(
                ["--socket", server.path, "history", "--columns", "address,field", "--format", "csv", "--no-headers"]
                    + options)
            return ended.output.split(separator: "\r\n").map(String.init)
        }
        let (newer, older) = (["192.0.2.10,isp", "192.0.2.10,city"], ["192.0.2.9,isp", "192.0.2.9,city"])
        #expect(try rows() == newer + older)
        #expect(try rows("--sort", "address") == older + newer)
        #expect(try rows("--sort", "field") == [newer[1], older[1], newer[0], older[0]])
        #expect(try rows("--sort", "field", "-r") == [newer[0], older[0], newer[1], older[1]])
    }

    @Test func `--sort prints rows, even for one address`() throws {
        let server = try Self.pages(.init(changes: [try Self.isp(8, at: -60, of: "192.0.2.1")]))
        let ended = try BuiltIpctl.run(server, "history", "192.0.2.1", "--sort", "field", environment: ["TZ": "UTC0"])
        let lines = ended.output.split(separator: "\n")
        #expect(ended.status == 0 && lines.count == 3 && lines.first?.hasPrefix("AT ") == true, "\(ended)")
        #expect(server.calls == [Self.call(#""addresses":["192.0.2.1"],"limit":101"#)])
    }

    @Test func `with filters, pages are read until the limit is reached or no more follow`() throws {
        let (first, second) = (try Self.isp(9, at: 0, of: "192.0.2.7"), try Self.isp(5, at: -9, of: "192.0.2.8"))
        let server = try Self.pages(
            .init(changes: [first], next: 9), .init(changes: [], next: 6), .init(changes: [second]))
        let ended = try BuiltIpctl.run(
            server, "--json", "history", "--tag", "prod", "--since", "2027-01-01T00:00:00Z", "--limit", "3")
        #expect(ended.status == 0 && ended.errors == "", "\(ended)")
        #expect(ended.output.split(separator: #""address":"#).count == 3)
        func parameters(_ before: Int64?, _ limit: Int) -> String {
            let cursor = before.map { #""before":\#($0),"# } ?? ""
            return Self.call(
                cursor + #""filter":{"tags":["prod"]},"limit":\#(limit),"since":1798761600000"#)
        }
        #expect(server.calls == [parameters(nil, 4), parameters(9, 3), parameters(6, 3)])
    }

    @Test func `the newest changes are shown up to the limit, and a note says that there are more`() throws {
        let changes = try (1...101).reversed().map { seq in
            try HistoryTests.change(seq, at: -seq, FieldChange(field: "isp", old: "A", new: "B"))
        }
        let server = try Self.pages(.init(changes: changes, next: 1))
        let ended = try BuiltIpctl.run(server, "history", "--columns", "seq", "--format", "csv", "--no-headers")
        #expect(ended.status == 0)
        #expect(ended.output.split(separator: "\r\n").map(String.init) == (2...101).reversed().map { "\($0)" })
        #expect(ended.errors == "ipctl: only the newest 100 changes are shown; --all shows the rest\n")
        #expect(server.calls == [Self.call(#""limit":101"#)])
    }

    @Test func `with --all, each page is printed, below one header`() throws {
        let (first, second) = (try Self.isp(9, at: 0, of: "192.0.2.7"), try Self.isp(5, at: -9, of: "192.0.2.8"))
        let server = try Self.pages(
            .init(changes: [first], next: 9), .init(changes: [], next: 6), .init(changes: [second]))
        let ended = try BuiltIpctl.run(
            server, "history", "--all", "--field", "isp", "--old", "A", "--new", "", "--columns", "address,field",
            "--format", "csv")
        let rows = ["192.0.2.7,isp", "192.0.2.7,city", "192.0.2.8,isp", "192.0.2.8,city"]
        let expected = (["address,field"] + rows).map { $0 + "\r\n" }.joined()
        #expect(ended == .init(status: 0, output: expected, errors: ""))
        let conditions = #""fields":["isp"],"limit":10000,"new":"","old":"A""#
        #expect(server.calls.first == Self.call(conditions))
        #expect(
            server.calls.dropFirst() == [
                Self.call(#""before":9,"# + conditions), Self.call(#""before":6,"# + conditions),
            ])
    }

    @Test func `with --all, the changes of one address are followed by its additions`() throws {
        let change = try HistoryTests.change(9, at: 0, FieldChange(field: "isp", old: "A", new: "B"))
        let server = try HistoryTests.history(change)
        let ended = try BuiltIpctl.run(server, "history", "192.0.2.1", "--all", environment: ["TZ": "UTC0"])
        let expected = """
            2027-01-15T08:00:00Z  Provider: A → B
            2027-01-13T08:00:00Z  now watching 192.0.2.1 (by root)\n
            """
        #expect(ended == .init(status: 0, output: expected, errors: ""))
    }

    @Test func `a limit can be that of a page`() throws {
        let change = try Self.isp(9, at: 0, of: "192.0.2.1")
        let server = try Self.pages(.init(changes: [change], next: 9), .init(changes: []))
        #expect(try BuiltIpctl.run(server, "history", "--limit", "10000").status == 0)
        #expect(server.calls == [Self.call(#""limit":10000"#), Self.call(#""before":9,"limit":10000"#)])
    }

    @Test(
        arguments: [
            ["192.0.2.1", "--tag", "a"], ["192.0.2.1", "--field", "shoe"], ["--sort", "city"], ["--reverse"],
            ["--json", "--sort", "at"], ["--all", "--limit", "5"],
        ])
    func `addresses exclude filters, and fields must exist`(arguments: [String]) throws {
        let ended = try BuiltIpctl.run(["--socket", "/nowhere", "history"] + arguments)
        #expect(ended.status == 64 && ended.output == "", "\(ended)")
    }

    @Test func `without a change in the period, the exit status is 1`() throws {
        let ended = try BuiltIpctl.run(try Self.pages(.init(changes: [])), "history", "192.0.2.1", "--since", "24h")
        #expect(ended == .init(status: 1, output: "", errors: "ipctl: no changes match\n"))
    }
}
