import Control
import Foundation
import RecordKeeping
import TestSupport
import Testing
import Varlink

@testable import ipctl

/// Times on a terminal and off it, and the options --utc and --no-pager.
@Suite struct TimeFormatTests {
    private static let outage = Interface.Outage(
        since: Sample.now - 7_200_000, until: Sample.now, cause: "network", message: "no route", deferred: 3)

    private static func outages(_ arguments: String..., zone: String, terminal: PseudoTerminal? = nil) throws
        -> BuiltIpctl.Ended
    {
        let server = try WireServer([Sample.reply(Control.Outages.Reply(outages: [outage]))])
        return try BuiltIpctl.run(
            ["--socket", server.path, "outages"] + arguments, environment: ["TZ": zone, "TERM": "dumb"],
            terminal: terminal?.far)
    }

    @Test(arguments: [
        ("UTC0", "2027-01-15T06:00:00Z"), ("XST-5:30", "2027-01-15T11:30:00+05:30"),
        ("XST3", "2027-01-15T03:00:00-03:00"),
    ])
    func `off a terminal, times have a date and an offset`(zone: String, time: String) throws {
        #expect(try Self.outages(zone: zone).output.contains("\n\(time)  "))
        #expect(try Self.outages("--utc", zone: zone).output.contains("\n2027-01-15T06:00:00Z  2027-01-15T08:00:00Z"))
    }

    @Test func `on a terminal, times are for people, in UTC with --utc`() throws {
        let terminal = try #require(PseudoTerminal(columns: 120))
        _ = try Self.outages("--utc", zone: "XST-5:30", terminal: terminal)
        #expect(try terminal.lines().last?.hasPrefix("2027-01-15 06:00:00  2027-01-15 08:00:00  2 h") == true)
    }

    @Test func `a monitored event has a date and an offset off a terminal`() throws {
        let event = try Sample.event(.networkLost, address: nil, message: "no route")
        let server = try WireServer([Sample.statusReply(), OutgoingReply.message(["event": event], continues: true)])
        let ended = try BuiltIpctl.run(
            ["--socket", server.path, "monitor", "--no-reconnect"], environment: ["TZ": "UTC0"])
        #expect(ended.output == "2027-01-15T08:00:00Z  network lost: no route\n")
    }

    @Test func `with --no-pager, a long list is not paged`() throws {
        let entries = try (1...30).map { try Sample.entry(.loading, address: "192.0.2.\($0)") }
        let folder = try TemporaryFolder()
        let terminal = try #require(PseudoTerminal(columns: 80))
        let server = try WireServer([Sample.page(entries)])
        let environment = ["TERM": "xterm", "PATH": "/usr/bin:/bin", "PAGER": "cat > \(folder.file("p"))"]
        let ended = try BuiltIpctl.run(
            ["--socket", server.path, "--no-pager", "list"], environment: environment, terminal: terminal.far)
        #expect(ended.status == 0)
        #expect(try terminal.lines().count == 31)
        #expect(!folder.has("p"))
    }
}
