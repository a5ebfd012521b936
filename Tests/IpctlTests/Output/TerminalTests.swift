import Control
import Foundation
import RecordKeeping
import TestSupport
import Testing
import Varlink

@testable import ipctl

@Suite struct TerminalTests {
    @Test func `a style is an escape sequence, only with colours`() {
        let terminal = Terminal(hasColor: true, columns: nil)
        #expect(terminal.styled("a", .bad) == "\u{1B}[31ma\u{1B}[0m")
        #expect(terminal.styled("a", nil) == "a")
        #expect(terminal.styled("", .bad) == "")
        #expect(Terminal.pipe.styled("a", .bad) == "a")
    }

    /// The output of the built program on a terminal.
    private static func printed(_ environment: [String: String], columns: UInt16 = 80) throws -> [String] {
        let entry = try Sample.entry(.fresh, record: Sample.record, scanned: -1)
        let entries = [entry, try Sample.entry(.fresh, address: "192.0.2.2", record: Sample.record, scanned: -1)]
        let server = try WireServer([OutgoingReply.message(["entries": entries])])
        let terminal = try #require(PseudoTerminal(columns: columns))
        let ended = try BuiltIpctl.run(
            ["--socket", server.path, "show", "192.0.2.1", "192.0.2.2"], environment: environment,
            terminal: terminal.far)
        #expect(ended.status == 0)
        return try terminal.lines()
    }

    @Test(arguments: [["TERM": "xterm"], ["TERM": "xterm", "NO_COLOR": ""]])
    func `a terminal with colours has colours`(environment: [String: String]) throws {
        let lines = try Self.printed(environment)
        #expect(lines.first?.hasPrefix("\u{1B}[1mADDRESS\u{1B}[0m") == true)
    }

    // no-color.org: NO_COLOR is present and not empty, whatever its value.
    @Test(arguments: [["TERM": "xterm", "NO_COLOR": "1"], ["TERM": "xterm", "NO_COLOR": "0"], ["TERM": "dumb"], [:]])
    func `NO_COLOR and dumb terminals disable colours`(environment: [String: String]) throws {
        let lines = try Self.printed(environment)
        #expect(lines.count == 3)
        #expect(!lines.joined().contains("\u{1B}"))
    }

    @Test(arguments: [53, 62, 80]) func `lines are as wide as the terminal at most`(columns: UInt16) throws {
        let lines = try Self.printed(["TERM": "dumb"], columns: columns)
        #expect(lines.allSatisfy { $0.displayWidth <= Int(columns) })
        #expect(lines.joined().contains("…"))
    }

    @Test func `a pipe has no colours, and nothing is truncated`() throws {
        let entries = [try Sample.entry(.loading), try Sample.entry(.loading, address: "192.0.2.2")]
        let server = try WireServer([OutgoingReply.message(["entries": entries])])
        let ended = try BuiltIpctl.run(
            ["--socket", server.path, "show", "192.0.2.1", "192.0.2.2"],
            environment: ["TERM": "xterm", "COLUMNS": "10"])
        #expect(ended.output.hasPrefix("ADDRESS    STATE    PLACE "))
        #expect(
            ended.output.contains("REVERSE NAME  FLAGS  SCANNED  PROBLEM\n192.0.2.1  loading  ")
                && !ended.output.contains("…"))
    }
}
