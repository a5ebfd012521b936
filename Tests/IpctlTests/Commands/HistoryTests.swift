import Control
import RecordKeeping
import Testing
import Varlink

@testable import ipctl

/// `ipctl history` and `outages`, as the built program.
@Suite struct HistoryTests {
    private static func change(_ seq: Int64, at seconds: Int64, _ fields: FieldChange...) throws -> Interface.Change {
        let notice = Notice(
            seq: seq, at: Sample.wall(seconds), kind: .changed, address: try IPAddress(Sample.address), fields: fields)
        return try #require(Interface.Change(notice))
    }

    private static func history(_ changes: Interface.Change...) throws -> WireServer {
        try WireServer([Sample.reply(Control.History.Reply(changes: changes))])
    }

    @Test func `each field has a line with its time, what it was and what it is since`() throws {
        let server = try Self.history(
            try Self.change(
                9, at: 0, FieldChange(field: "isp", old: "A", new: "B"),
                FieldChange(field: "city", old: nil, new: "Berlin")),
            try Self.change(3, at: -86_400, FieldChange(field: "reverse", old: "a.example\u{7}", new: nil)))
        let ended = try BuiltIpctl.run(server, "history", "192.0.2.1", environment: ["TZ": "UTC0"])
        let expected = """
            2027-01-15 08:00:00  isp: A → B
            2027-01-15 08:00:00  city: nothing → Berlin
            2027-01-14 08:00:00  reverse: a.example\u{FFFD} → nothing\n
            """
        #expect(ended == .init(status: 0, output: expected, errors: ""))
        let parameters = #"{"address":"192.0.2.1","limit":100}"#
        #expect(server.calls == [#"{"method":"io.iprecord.Control.History","parameters":\#(parameters)}"#])
    }

    @Test func `where nothing has changed it ends with 1`() throws {
        let server = try Self.history()
        let ended = try BuiltIpctl.run(server, "history", "192.0.2.1", "--limit", "7")
        #expect(ended == .init(status: 1, output: "", errors: "ipctl: no change of 192.0.2.1 is known\n"))
        #expect(server.calls.first?.contains(#""limit":7"#) == true)
        let json = try BuiltIpctl.run(try Self.history(), "--json", "history", "192.0.2.1")
        #expect(json == .init(status: 1, output: #"{"changes":[]}"# + "\n", errors: ""))
    }

    @Test func `who is not watched has no history`() throws {
        let server = try WireServer([OutgoingReply.error(.notWatched("192.0.2.1"))])
        let ended = try BuiltIpctl.run(server, "history", "192.0.2.1")
        #expect(ended.status == 1)
        #expect(ended.errorLines.first == "ipctl: 192.0.2.1 is not on the watch list")
    }

    @Test(arguments: [["history", "192.0.2.1"], ["outages"]], ["0", "1000000000", "many"])
    func `a limit that makes no sense is a usage error`(command: [String], limit: String) throws {
        let ended = try BuiltIpctl.run(["--socket", try Self.history().path] + command + ["--limit", limit])
        #expect(ended.status == 64)
        let told = "ipctl: the value '\(limit)' is invalid for '--limit <number>': "
        #expect(ended.errorLines.first == told + "a whole number from 1 to 10000 would be right")
    }

    // MARK: Outages

    @Test func `each outage is a line, and one that lasts says so`() throws {
        let outages = [
            Interface.Outage(
                since: Times.now - 90_500, until: nil, cause: "network", message: "no way to ip-api.com", deferred: 0),
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
                == "FROM                 UNTIL                LASTED  CAUSE     DEFERRED  MESSAGE")
        #expect(
            lines[1].contains(/^\d{4}-\d\d-\d\d [\d:]{8}  still                9\d s    network          0  no way/))
        let last = "2027-01-15 06:00:00  2027-01-15 08:00:00  2 h     provider    12,345  timed out \u{FFFD}"
        #expect(lines.dropFirst(2) == [last])
        #expect(server.calls == [#"{"method":"io.iprecord.Control.Outages","parameters":{"limit":100}}"#])
    }

    @Test func `that there was no outage is no error, and is told, in a pipe beside the output`() throws {
        let none = Sample.reply(Control.Outages.Reply(outages: []))
        let server = try WireServer([none])
        #expect(
            try BuiltIpctl.run(server, "outages", "--limit", "7")
                == .init(status: 0, output: "", errors: "ipctl: no outage is known\n"))
        #expect(server.calls.first?.contains(#""limit":7"#) == true)
        let json = try BuiltIpctl.run(try WireServer([none]), "outages", "--json")
        #expect(json == .init(status: 0, output: #"{"outages":[]}"# + "\n", errors: ""))
        let terminal = try #require(PseudoTerminal(columns: 80))
        let silent = try WireServer([none])
        _ = try BuiltIpctl.run(["--socket", silent.path, "outages"], terminal: terminal.far)
        #expect(try terminal.lines() == ["no outage is known"])
    }
}
