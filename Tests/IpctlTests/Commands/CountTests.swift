import Control
import TestSupport
import Testing
import Varlink

@testable import ipctl

/// `ipctl count` with the built program.
@Suite struct CountTests {
    private static let reply = OutgoingReply.message(
        Control.Count.Reply(
            groups: [.init(key: "DE", count: 1_200), .init(key: "", count: 30), .init(key: "A\u{1B}T", count: 1)],
            total: 1_234, others: 3))
    private static let none = OutgoingReply.message(Control.Count.Reply(groups: [], total: 0))

    private static func call(_ parameters: String) -> String {
        #"{"method":"io.iprecord.Control.Count","parameters":{\#(parameters)}}"#
    }

    @Test func `groups are a table, largest first`() throws {
        let server = try WireServer([Self.reply])
        let ended = try BuiltIpctl.run(server, "count", "--by", "countryCode", "--limit", "3", "--tag", "dns")
        let expected = """
            COUNTRYCODE  COUNT  SHARE
            DE           1,200   97 %
            (none)          30    2 %
            A\u{FFFD}T              1    0 %

            """
        #expect(ended == .init(status: 0, output: expected, errors: ""))
        #expect(server.calls == [Self.call(#""by":"countryCode","filter":{"tags":["dns"]},"limit":3"#)])
    }

    @Test(arguments: [["--format", "tsv"], []])
    func `a message says that groups are missing, unless there is a limit`(format: [String]) throws {
        let server = try WireServer([Self.reply])
        let command = ["--socket", server.path, "count", "--by", "countryCode", "--no-headers"] + format
        let ended = try BuiltIpctl.run(command)
        #expect(ended.status == 0 && ended.output.split(separator: "\n").count == 3 && ended.output.hasPrefix("DE"))
        #expect(ended.errors == "ipctl: 3 in other groups; use --limit to show more groups\n")
        let again = try WireServer([Self.reply])
        #expect(try BuiltIpctl.run(["--socket", again.path] + command.dropFirst(2) + ["--limit", "3"]).errors == "")
    }

    @Test func `on a terminal, bars show the sizes`() throws {
        let terminal = try #require(PseudoTerminal(columns: 60))
        let server = try WireServer([Self.reply])
        let ended = try BuiltIpctl.run(
            ["--socket", server.path, "count", "--by", "countryCode"], environment: ["TERM": "dumb"],
            terminal: terminal.far)
        #expect(ended.status == 0)
        let lines = try terminal.lines()
        #expect(lines[1].hasSuffix("97 %  " + String(repeating: "█", count: 24)))
        #expect(lines[2].hasSuffix("2 %  ▌"))
        #expect(lines[3].hasSuffix("0 %  ▏"))
    }

    @Test func `without a field, the number is printed`() throws {
        let server = try WireServer([Self.reply])
        let ended = try BuiltIpctl.run(server, "count", "--state", "stale")
        #expect(ended == .init(status: 0, output: "1234\n", errors: ""))
        #expect(server.calls == [Self.call(#""by":"state","filter":{"states":["stale"]}"#)])
        #expect(
            try BuiltIpctl.run(try WireServer([Self.none]), "count") == .init(status: 1, output: "0\n", errors: ""))
    }

    @Test func `without a match, an error says so`() throws {
        let ended = try BuiltIpctl.run(try WireServer([Self.none]), "count", "--by", "tag", "--pinned")
        #expect(ended == .init(status: 1, output: "", errors: "ipctl: no entry on the watch list matches\n"))
    }

    @Test func `rows and JSON are for programs`() throws {
        let csv = try BuiltIpctl.run(try WireServer([Self.reply]), "count", "--by", "countryCode", "--format", "csv")
        #expect(csv.output == "countryCode,count\r\nDE,1200\r\n,30\r\nA\u{1B}T,1\r\n")
        let json = try BuiltIpctl.run(try WireServer([Self.reply]), "count", "--by", "countryCode", "--json")
        #expect(json.output.hasPrefix(#"{"groups":[{"count":1200,"key":"DE"}"#))
    }

    @Test(
        arguments: [
            (["--by", "shoe"], "unknown field \"shoe\""), (["--limit", "5"], "require --by"),
            (["--format", "csv"], "require --by"), (["--by", "tag", "--limit", "0"], "from 1 to 10000"),
            (["--by", "tag", "--columns", "isp"], "expected one of: tag, count"),
        ] as [([String], String)])
    func `invalid arguments are usage errors`(arguments: [String], text: String) throws {
        let ended = try BuiltIpctl.run(["count"] + arguments)
        #expect(ended.status == 64)
        #expect(ended.errors.contains(text), "\(ended.errors)")
    }
}
