import Control
import TestSupport
import Testing

@testable import ipctl

/// `ipctl outages` with the built program.
@Suite struct OutagesTests {
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

    @Test func `outages are sorted by a column, as a table and in rows`() throws {
        let outages = [
            Interface.Outage(since: 3_000, until: nil, cause: "network", message: "c", deferred: 9),
            Interface.Outage(since: 2_000, until: 2_500, cause: "provider", message: "b", deferred: 100),
            Interface.Outage(since: 1_000, until: 1_500, cause: "network", message: "a", deferred: 9),
        ]
        func messages(_ arguments: String...) throws -> [String] {
            let server = try WireServer([Sample.reply(Control.Outages.Reply(outages: outages))])
            let ended = try BuiltIpctl.run(["--socket", server.path, "outages", "--no-headers"] + arguments)
            return ended.output.split(separator: "\n").map { $0.suffix(1) }.map(String.init)
        }
        #expect(try messages() == ["c", "b", "a"])
        #expect(try messages("--sort", "deferred") == ["c", "a", "b"])
        #expect(try messages("--sort", "deferred", "--reverse", "--columns", "message") == ["b", "c", "a"])
        // An outage that lasts has no end.
        #expect(try messages("--sort", "until", "--format", "tsv", "--columns", "message") == ["a", "b", "c"])
        #expect(try messages("--sort", "until", "-r", "--format", "tsv", "--columns", "message") == ["b", "a", "c"])
    }

    @Test(
        arguments: [
            (["--sort", "city"], "unknown field to sort by \"city\""),
            (["--reverse"], "--reverse requires --sort, such as: "),
            (["--json", "--sort", "since"], "give --json or --sort, not both"),
        ])
    func `invalid orders are usage errors`(arguments: [String], text: String) throws {
        let ended = try BuiltIpctl.run(["--socket", "/nowhere", "outages"] + arguments)
        #expect(ended.status == 64 && ended.errors.contains(text), "\(ended)")
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
