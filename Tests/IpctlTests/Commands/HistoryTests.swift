import Control
import RecordKeeping
import TestSupport
import Testing
import Varlink

@testable import ipctl

/// `ipctl history` with the built program.
@Suite struct HistoryTests {
    static func change(_ seq: Int64, at seconds: Int64, _ fields: FieldChange...) throws -> Interface.Change {
        let event = PublishedEvent(
            seq: seq, at: Sample.wall(seconds), kind: .changed, address: try IPAddress(Sample.address), fields: fields)
        return try #require(Interface.Change(event))
    }

    /// A daemon whose last event is the addition of the address by root.
    static func history(_ changes: Interface.Change...) throws -> WireServer {
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

    @Test(arguments: [[], ["--all"]])
    func `a removed address has the events of its additions and removals`(options: [String]) throws {
        let removed = try Self.event(99, .removed, user: 0)
        let events = try Self.event(60, .added, user: 0) + removed
        let connections = [
            [OutgoingReply.error(.notWatched("192.0.2.1")), Sample.statusReply()], [removed], [events],
        ]
        func run(_ arguments: String...) throws -> PipedProgram.Ended {
            let server = try WireServer(connections: connections)
            return try BuiltIpctl.run(
                ["--socket", server.path] + arguments + ["192.0.2.1"] + options, environment: ["TZ": "UTC0"])
        }
        let ended = try run("history")
        let lines = """
            2027-01-15T08:01:39Z  no longer watching 192.0.2.1 (by root)
            2027-01-15T08:01:00Z  now watching 192.0.2.1 (by root)\n
            """
        #expect(ended.status == 1 && ended.output == lines, "\(ended)")
        #expect(ended.errorLines.first == "ipctl: 192.0.2.1 is not on the watch list")
        let json = try run("--json", "history")
        #expect(json.status == 1 && json.output == "", "\(json)")
    }

    @Test func `a note says that an address has more changes`() throws {
        let change = try Self.change(9, at: 0, FieldChange(field: "isp", old: "A", new: "B"))
        func errors(_ options: String...) throws -> String {
            let history = Sample.reply(Control.History.Reply(changes: Array(repeating: change, count: 100), next: 9))
            let server = try WireServer([history])
            return try BuiltIpctl.run(["--socket", server.path, "history", "192.0.2.1"] + options).errors
        }
        #expect(try errors() == "ipctl: only the newest 100 changes are shown; --all shows the rest\n")
        #expect(try errors("--limit", "100") == "")
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
        #expect(
            ended.errorLines.first == expectedText + "expected a whole number from 1 to 10000"
                + (command.count == 2 ? ", or use --all" : ""))
    }
}
