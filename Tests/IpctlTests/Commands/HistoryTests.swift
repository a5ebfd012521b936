import Control
import RecordKeeping
import TestSupport
import Testing
import Varlink

@testable import ipctl

/// `ipctl history` and `outages` with the built program.
@Suite struct HistoryTests {
    private static func change(_ seq: Int64, at seconds: Int64, _ fields: FieldChange...) throws -> Interface.Change {
        let event = PublishedEvent(
            seq: seq, at: Sample.wall(seconds), kind: .changed, address: try IPAddress(Sample.address), fields: fields)
        return try #require(Interface.Change(event))
    }

    /// A daemon whose last event is the addition of the address by root.
    private static func history(_ changes: Interface.Change...) throws -> WireServer {
        let history = Sample.reply(Control.History.Reply(changes: changes))
        let event = PublishedEvent(
            seq: 99, at: Sample.wall(-172_800), kind: .added, address: try IPAddress(Sample.address), user: 0)
        let added = OutgoingReply.message(publishing: event, nil)
        return try WireServer(connections: [[history, Sample.statusReply()], [added], [added]])
    }

    @Test func `each changed fact has one line with its time, its old and its new value`() throws {
        let server = try Self.history(
            try Self.change(
                9, at: 0, FieldChange(field: "country", old: "France", new: "Germany"),
                FieldChange(field: "countryCode", old: "FR", new: "DE"),
                FieldChange(field: "city", old: nil, new: "Berlin"), FieldChange(field: "lat", old: nil, new: "52.5"),
                FieldChange(field: "lon", old: nil, new: "13.4"), FieldChange(field: "isp", old: "A", new: "B")),
            try Self.change(3, at: -86_400, FieldChange(field: "reverse", old: "a.example\u{7}", new: nil)))
        let ended = try BuiltIpctl.run(server, "history", "192.0.2.1", environment: ["TZ": "UTC0"])
        let expected = """
            2027-01-15T08:00:00Z  Country: France (FR) → Germany (DE)
            2027-01-15T08:00:00Z  City: (none) → Berlin
            2027-01-15T08:00:00Z  Coordinates: (none) → 52.5, 13.4
            2027-01-15T08:00:00Z  Provider: A → B
            2027-01-14T08:00:00Z  Reverse name: a.example\u{FFFD} → (none)
            2027-01-13T08:00:00Z  now watching 192.0.2.1 (by root)\n
            """
        #expect(ended == .init(status: 0, output: expected, errors: ""))
        let parameters = #"{"address":"192.0.2.1","limit":100}"#
        #expect(server.calls.first == #"{"method":"io.iprecord.Control.History","parameters":\#(parameters)}"#)
    }

    // MARK: Several addresses

    /// The replies to `History` for addresses, one after the other.
    private static func replies(_ changes: [Interface.Change]...) throws -> WireServer {
        try WireServer(connections: [changes.map { Sample.reply(Control.History.Reply(changes: $0)) }])
    }

    private static func isp(_ seq: Int64, at seconds: Int64, of address: String) throws -> Interface.Change {
        var change = try change(
            seq, at: seconds, FieldChange(field: "isp", old: "A, \"Inc.\"", new: nil),
            FieldChange(field: "city", old: nil, new: "Berlin"))
        change.address = address
        return change
    }

    @Test func `the changes of several addresses are in one order, with the address in each line`() throws {
        let server = try Self.replies(
            [try Self.isp(9, at: 0, of: "192.0.2.1"), try Self.isp(3, at: -600, of: "192.0.2.1")],
            [try Self.isp(7, at: -60, of: "192.0.2.2")])
        let ended = try BuiltIpctl.run(
            server, "history", "192.0.2.1", "192.0.2.2", "--field", "city", environment: ["TZ": "UTC0"])
        let expected = """
            2027-01-15T08:00:00Z  192.0.2.1  City: (none) → Berlin
            2027-01-15T07:59:00Z  192.0.2.2  City: (none) → Berlin
            2027-01-15T07:50:00Z  192.0.2.1  City: (none) → Berlin\n
            """
        #expect(ended == .init(status: 0, output: expected, errors: ""))
    }

    @Test func `each changed field is a row of CSV, within the period`() throws {
        let server = try Self.replies([
            try Self.isp(9, at: 0, of: "192.0.2.1"), try Self.isp(8, at: -60, of: "192.0.2.1"),
            try Self.isp(3, at: -600, of: "192.0.2.1"),
        ])
        let ended = try BuiltIpctl.run(
            server, "history", "192.0.2.1", "--since", "2027-01-15T07:55:00Z", "--until", "2027-01-15T07:59:30Z",
            "--columns", "address,field,old,new,seq", "--format", "csv")
        let expected =
            "address,field,old,new,seq\r\n192.0.2.1,isp,\"A, \"\"Inc.\"\"\",,8\r\n192.0.2.1,city,,Berlin,8\r\n"
        #expect(ended == .init(status: 0, output: expected, errors: ""))
    }

    @Test func `with filters, only entries that changed in the period are asked for their history`() throws {
        let page = Sample.page([try Sample.entry(.loading, address: "192.0.2.7")])
        let history = Sample.reply(
            Control.History.Reply(changes: [try Self.isp(9, at: 0, of: "192.0.2.7")]))
        let server = try WireServer(connections: [[page, history]])
        let ended = try BuiltIpctl.run(
            server, "--json", "history", "--tag", "prod", "--since", "2027-01-01T00:00:00Z", "--field", "isp")
        #expect(ended.status == 0 && ended.errors == "", "\(ended)")
        #expect(ended.output.contains(#""address":"192.0.2.7""#) && !ended.output.contains("city"))
        let filter = #""filter":{"changedFields":["isp"],"changedSince":1798761600000,"tags":["prod"]}"#
        #expect(server.calls.first?.contains(filter) == true, "\(server.calls)")
        #expect(server.calls.last?.contains(#""address":"192.0.2.7""#) == true, "\(server.calls)")
    }

    @Test func `the newest changes are shown up to the limit, and a note says that there are more`() throws {
        let changes = try (1...150).reversed().map { try Self.isp($0, at: -$0, of: "192.0.2.1") }
        let ended = try BuiltIpctl.run(
            try Self.replies(changes), "history", "192.0.2.1", "--columns", "seq", "--format", "csv", "--field", "isp",
            "--no-headers")
        #expect(ended.status == 0)
        #expect(ended.output.split(separator: "\r\n").map(String.init) == (51...150).reversed().map { "\($0)" })
        #expect(ended.errors == "ipctl: only the newest 100 changes are shown; --limit shows more\n")
    }

    @Test(arguments: [[], ["192.0.2.1", "--tag", "a"], ["192.0.2.1", "--field", "shoe"]])
    func `addresses or filters are required, and fields must exist`(arguments: [String]) throws {
        let ended = try BuiltIpctl.run(["--socket", "/nowhere", "history"] + arguments)
        #expect(ended.status == 64 && ended.output == "", "\(ended)")
    }

    @Test func `without a change in the period, the exit status is 1`() throws {
        let ended = try BuiltIpctl.run(try Self.replies([]), "history", "192.0.2.1", "--since", "24h")
        #expect(ended == .init(status: 1, output: "", errors: "ipctl: no changes match\n"))
    }

    private static func event(
        _ seq: Int64, _ kind: PublishedEvent.Kind, _ address: String = Sample.address, user: UInt32? = nil
    ) throws -> [UInt8] {
        let event = PublishedEvent(
            seq: seq, at: Sample.wall(seq), kind: kind, address: try IPAddress(address), user: user)
        return OutgoingReply.message(publishing: event, nil)
    }

    @Test func `additions and removals are searched for up to the last event, past deleted events`() throws {
        let last = try Self.event(99, .failed, "192.0.2.9")
        let additions =
            try Self.event(60, .added, user: 0) + Self.event(70, .added, "192.0.2.9", user: 0)
            + Self.event(75, .removed, user: 0) + Self.event(80, .added, user: .max) + last
        let changes = [try Self.change(9, at: 0, FieldChange(field: "isp", old: "A", new: "B"))]
        let server = try WireServer(connections: [
            [Sample.reply(Control.History.Reply(changes: changes)), Sample.statusReply()], [last],
            [OutgoingReply.error(.eventsGone(oldest: 50))], [additions],
        ])
        let ended = try BuiltIpctl.run(server, "history", "192.0.2.1", environment: ["TZ": "UTC0"])
        #expect(ended.errors == "")
        let lines = """
            2027-01-15T08:01:20Z  now watching 192.0.2.1 (by user 4294967295)
            2027-01-15T08:01:15Z  no longer watching 192.0.2.1 (by root)
            2027-01-15T08:01:00Z  now watching 192.0.2.1 (by root)\n
            """
        #expect(ended.output.hasSuffix("  Provider: A → B\n" + lines), "\(ended.output)")
        let filter = #""addresses":["192.0.2.1","192.0.2.9"],"after""#
        #expect(server.calls.dropFirst(3).map { $0.contains(filter) } == [true, true])
        #expect(server.calls.last?.contains(#""after":49,"kinds":["added","removed","failed"]"#) == true)
    }

    @Test func `the limit includes additions and removals, of which the newest are shown`() throws {
        let last = try Self.event(99, .added, user: 0)
        let events = try Self.event(60, .added, user: 0) + Self.event(75, .removed, user: 0) + last
        let changes = [try Self.change(9, at: 0, FieldChange(field: "isp", old: "A", new: "B"))]
        let server = try WireServer(connections: [
            [Sample.reply(Control.History.Reply(changes: changes)), Sample.statusReply()], [last], [events],
        ])
        let ended = try BuiltIpctl.run(server, "history", "192.0.2.1", "--limit", "3", environment: ["TZ": "UTC0"])
        let lines = """
            2027-01-15T08:01:39Z  now watching 192.0.2.1 (by root)
            2027-01-15T08:01:15Z  no longer watching 192.0.2.1 (by root)\n
            """
        #expect(ended.output.hasSuffix("  Provider: A → B\n" + lines), "\(ended.output)")
    }

    @Test func `a removed address has the events of its additions and removals`() throws {
        let removed = try Self.event(99, .removed, user: 0)
        let events = try Self.event(60, .added, user: 0) + removed
        let connections = [
            [OutgoingReply.error(.notWatched("192.0.2.1")), Sample.statusReply()], [removed], [events],
        ]
        let ended = try BuiltIpctl.run(
            try WireServer(connections: connections), "history", "192.0.2.1", environment: ["TZ": "UTC0"])
        let lines = """
            2027-01-15T08:01:39Z  no longer watching 192.0.2.1 (by root)
            2027-01-15T08:01:00Z  now watching 192.0.2.1 (by root)\n
            """
        #expect(ended.status == 1 && ended.output == lines, "\(ended)")
        #expect(ended.errorLines.first == "ipctl: 192.0.2.1 is not on the watch list")
        let json = try BuiltIpctl.run(try WireServer(connections: connections), "--json", "history", "192.0.2.1")
        #expect(json.status == 1 && json.output == "", "\(json)")
    }

    @Test func `the addition is not shown below a part of the changes`() throws {
        let change = try Self.change(9, at: 0, FieldChange(field: "isp", old: "A", new: "B"))
        let server = try WireServer([Sample.reply(Control.History.Reply(changes: [change]))])
        let ended = try BuiltIpctl.run(server, "history", "192.0.2.1", "--limit", "1")
        #expect(ended.status == 0 && ended.output.hasSuffix("  Provider: A → B\n") && ended.errors == "")
    }

    @Test func `without changes, the exit status is 1`() throws {
        let server = try Self.history()
        let ended = try BuiltIpctl.run(server, "history", "192.0.2.1", "--limit", "7")
        #expect(ended.status == 1 && ended.errors == "ipctl: no changes recorded for 192.0.2.1\n")
        #expect(ended.output.hasSuffix("  now watching 192.0.2.1 (by root)\n"))
        #expect(server.calls.first?.contains(#""limit":7"#) == true)
        let json = try BuiltIpctl.run(try Self.history(), "--json", "history", "192.0.2.1")
        #expect(json == .init(status: 1, output: #"{"changes":[]}"# + "\n", errors: ""))
    }

    @Test func `an unwatched address has no history`() throws {
        // The server closes the connection after its reply, so the events cannot be read.
        let server = try WireServer([OutgoingReply.error(.notWatched("192.0.2.1"))])
        let ended = try BuiltIpctl.run(server, "history", "192.0.2.1")
        #expect(ended.status == 1)
        let note = "ipctl: the additions and removals of 192.0.2.1 cannot be read: "
        #expect(ended.errorLines.first?.hasPrefix(note) == true)
        #expect(ended.errorLines.contains("ipctl: 192.0.2.1 is not on the watch list"))
    }

    @Test(arguments: [["history", "192.0.2.1"], ["outages"]], ["0", "1000000000", "many"])
    func `an invalid limit is a usage error`(command: [String], limit: String) throws {
        let ended = try BuiltIpctl.run(["--socket", try Self.history().path] + command + ["--limit", limit])
        #expect(ended.status == 64)
        let expectedText = "ipctl: the value '\(limit)' is invalid for '--limit <number>': "
        #expect(ended.errorLines.first == expectedText + "expected a whole number from 1 to 10000")
    }

    // MARK: Outages

    @Test func `each outage has a line, and a current one is marked`() throws {
        let outages = [
            Interface.Outage(
                since: Times.now - 90_500, until: nil, cause: "network", message: "no route to ip-api.com",
                deferred: 0),
            Interface.Outage(
                since: Sample.now - 7_200_000, until: Sample.now, cause: "provider", message: "timed out \u{1B}",
                deferred: 12_345),
        ]
        let server = try WireServer([Sample.reply(Control.Outages.Reply(outages: outages))])
        let ended = try BuiltIpctl.run(server, "outages", environment: ["TZ": "UTC0"])
        #expect(ended.status == 0)
        let lines = ended.output.split(separator: "\n").map(String.init)
        #expect(
            lines.first
                == "FROM                  UNTIL                 LASTED  CAUSE     DEFERRED  MESSAGE")
        #expect(
            lines[1].contains(/^\d{4}-\d\d-\d\dT[\d:]{8}Z  ongoing               9\d s    network          0  no route/)
        )
        let last = "2027-01-15T06:00:00Z  2027-01-15T08:00:00Z  2 h     provider    12,345  timed out \u{FFFD}"
        #expect(lines.dropFirst(2) == [last])
        #expect(server.calls == [#"{"method":"io.iprecord.Control.Outages","parameters":{"limit":100}}"#])
    }

    @Test func `outages can be printed in rows for programs`() throws {
        let outages = [
            Interface.Outage(since: 1_000, until: nil, cause: "network", message: "no route", deferred: 0),
            Interface.Outage(since: 1_000, until: 2_000, cause: "provider", message: "timed out, twice", deferred: 12),
        ]
        func run(_ arguments: String...) throws -> BuiltIpctl.Ended {
            let server = try WireServer([Sample.reply(Control.Outages.Reply(outages: outages))])
            return try BuiltIpctl.run(["--socket", server.path, "outages"] + arguments)
        }
        let csv = """
            since,until,cause,message,deferred\r
            1000,,network,no route,0\r
            1000,2000,provider,"timed out, twice",12\r

            """
        #expect(try run("--format", "csv") == .init(status: 0, output: csv, errors: ""))
        let rows = try run("--format", "jsonl", "--columns", "cause,until")
        #expect(
            rows.output == #"{"cause":"network","until":null}"# + "\n" + #"{"cause":"provider","until":2000}"# + "\n")
        let plain = try run("--columns", "cause,deferred", "--no-headers")
        #expect(plain.output == "network   0\nprovider  12\n")
    }

    @Test func `without outages, the exit status is 1, as for the other lists`() throws {
        let none = Sample.reply(Control.Outages.Reply(outages: []))
        let server = try WireServer([none])
        #expect(
            try BuiltIpctl.run(server, "outages", "--limit", "7")
                == .init(status: 1, output: "", errors: "ipctl: no outages recorded\n"))
        #expect(server.calls.first?.contains(#""limit":7"#) == true)
        let json = try BuiltIpctl.run(try WireServer([none]), "outages", "--json")
        #expect(json == .init(status: 1, output: #"{"outages":[]}"# + "\n", errors: ""))
        let terminal = try #require(PseudoTerminal(columns: 80))
        let silent = try WireServer([none])
        _ = try BuiltIpctl.run(["--socket", silent.path, "outages"], terminal: terminal.far)
        #expect(try terminal.lines() == [])
    }
}
