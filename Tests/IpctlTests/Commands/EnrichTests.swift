import Control
import Foundation
import RecordKeeping
import TestSupport
import Testing
import Varlink

@testable import ipctl

/// `ipctl enrich` with the built program.
@Suite struct EnrichTests {
    private static func shown(_ entries: Interface.Entry...) -> [UInt8] { Sample.reply(["entries": entries]) }

    /// An entry that is fresh at the actual time.
    private static func fresh(_ address: String = Sample.address) throws -> Interface.Entry {
        var entry = try EnrichedStream.entry(.fresh, address)
        (entry.scannedAt, entry.expiresAt) = (Times.now - 1_000, Times.now + 299_000)
        return entry
    }

    private static func run(
        _ server: WireServer, _ arguments: String..., input: String = "from 192.0.2.1\n"
    ) throws -> BuiltIpctl.Ended {
        try BuiltIpctl.run(["--socket", server.path, "enrich"] + arguments, input: input)
    }

    private static let enriched =
        "from 192.0.2.1 [192.0.2.1 countryCode=DE city=Berlin asn=64500 isp=\"Example ISP\"]\n"

    @Test func `known addresses are read with one call that forbids lookups`() throws {
        let server = try WireServer([Self.shown(try Self.fresh())])
        let ended = try Self.run(server, input: "a\n203.0.113.1 192.0.2.1\nfrom 192.0.2.1")
        let first = "203.0.113.1 192.0.2.1" + Self.enriched.dropFirst("from 192.0.2.1".count)
        #expect(ended == .init(status: 0, output: "a\n" + first + Self.enriched.dropLast(), errors: ""))
        let parameters = #"{"addresses":["203.0.113.1","192.0.2.1"],"lookup":false}"#
        #expect(server.calls == [#"{"method":"io.iprecord.Control.Show","parameters":\#(parameters)}"#])
    }

    @Test(arguments: [
        (["--inline", "--template", "({countryCode}, {city})"], "from 192.0.2.1 (DE, Berlin)\n"),
        (
            ["--field", "city", "--field", "lat", "--field", "city"],
            "from 192.0.2.1 [192.0.2.1 city=Berlin lat=52.5]\n"
        ),
        (["--format", "logfmt", "--field", "city"], "from 192.0.2.1 address.city=Berlin\n"),
        (["--format", "jsonl"], "from 192.0.2.1\n"),
        (["--format", "csv", "--no-headers", "--field", "city"], "from 192.0.2.1,Berlin,fresh\n"),
    ])
    func `options select the fields and their form`(arguments: [String], output: String) throws {
        let server = try WireServer([Self.shown(try Self.fresh())])
        let ended = try BuiltIpctl.run(
            ["--socket", server.path, "enrich"] + arguments, input: "from 192.0.2.1\n")
        #expect(ended == .init(status: 0, output: output, errors: ""))
    }

    @Test func `files are read in order, and not joined`() throws {
        let folder = try TemporaryFolder()
        let files = [
            try folder.write("first", to: "a"), try folder.write("", to: "b"), try folder.write("x\n", to: "c"),
        ]
        let server = try WireServer([])
        let ended = try BuiltIpctl.run(["--socket", server.path, "enrich"] + files)
        #expect(ended == .init(status: 0, output: "first\nx\n", errors: ""))
    }

    @Test func `a file that cannot be read is reported before anything is printed`() throws {
        let folder = try TemporaryFolder()
        let (file, server) = (try folder.write("x\n", to: "a"), try WireServer([]))
        let ended = try BuiltIpctl.run(["--socket", server.path, "enrich", file, folder.file("none")])
        #expect(ended.status == 65 && ended.output == "")
        #expect(ended.errors == "ipctl: cannot read \(folder.file("none")): No such file or directory\n")
    }

    @Test func `a missing column of CSV is an error`() throws {
        let server = try WireServer([])
        let ended = try Self.run(server, "--format", "csv", "--column", "client", input: "a,b\n1,2\n")
        #expect(ended.status == 65)
        #expect(ended.errors == "ipctl: line 1 of standard input: no column \"client\" in the header\n")
        #expect(ended.output == "")
    }

    @Test func `lookups wait for the provider, and an unavailable record leaves the line unchanged`() throws {
        let server = try WireServer(connections: [
            [Self.shown()], [Self.shown(try Self.fresh(), try EnrichedStream.entry(.failed, "203.0.113.1"))],
        ])
        let ended = try Self.run(server, "--lookup", "--wait", "3s", input: "from 192.0.2.1\n203.0.113.1\n")
        #expect(ended == .init(status: 0, output: Self.enriched + "203.0.113.1\n", errors: ""))
        let parameters = #"{"addresses":["192.0.2.1","203.0.113.1"],"wait":3000}"#
        #expect(
            server.callsOfConnections.last == [#"{"method":"io.iprecord.Control.Show","parameters":\#(parameters)}"#])
    }

    @Test func `with a wait of zero, lookups begin although no line waits for them`() throws {
        let server = try WireServer(connections: [[Self.shown()], [Self.shown()]])
        let ended = try Self.run(server, "--lookup", "--wait", "0")
        #expect(ended == .init(status: 0, output: "from 192.0.2.1\n", errors: ""))
        let parameters = #"{"addresses":["192.0.2.1"],"wait":0}"#
        #expect(
            server.callsOfConnections.last == [#"{"method":"io.iprecord.Control.Show","parameters":\#(parameters)}"#])
    }

    @Test func `a refused lookup is reported once, and lines pass`() throws {
        let refused = #"{"error":"io.iprecord.Control.TooMany","parameters":{"limit":5,"resource":"lookups"}}"#
        let server = try WireServer(connections: [[Self.shown()], [Array(refused.utf8) + [0]]])
        let ended = try Self.run(server, "--lookup")
        #expect(ended.status == 75 && ended.output == "from 192.0.2.1\n")
        #expect(
            ended.errors
                == "ipctl: the request exceeds the limit of 5 lookups of addresses that are not watched; lines are "
                + "passed on\n")
    }

    @Test func `filters with changed fields read the history`() throws {
        var changed = try Self.fresh()
        changed.changedAt = Times.now - 60_000
        var other = changed
        other.address = "192.0.2.2"
        let changes = #"{"parameters":{"changes":[{"address":"192.0.2.2","at":0,"fields":[],"seq":1}]}}"#
        let server = try WireServer([
            Self.shown(changed, other, try Self.fresh("192.0.2.3")),
            Array(changes.utf8) + [0],
        ])
        let ended = try Self.run(
            server, "--changed-since", "1h", "--changed-field", "city", "--field", "city",
            input: "192.0.2.1\n192.0.2.2\n192.0.2.3\n")
        #expect(ended == .init(status: 0, output: "192.0.2.2 [192.0.2.2 city=Berlin]\n", errors: ""))
        #expect(server.calls.last?.contains(#""addresses":["192.0.2.1","192.0.2.2"],"fields":["city"]"#) == true)
    }

    @Test func `a line does not wait for the history longer than for the provider`() throws {
        var (old, new) = (try EnrichedStream.entry(.stale), try Self.fresh())
        (old.changedAt, new.changedAt) = (nil, Times.now - 60_000)
        // The daemon never replies to the last call, which reads the history.
        let server = try WireServer(connections: [[Self.shown(old)], [Self.shown(new), []]], staysOpen: true)
        let ended = try Self.run(
            server, "--lookup", "--wait", "2s", "--changed-since", "1h", "--changed-field", "city")
        #expect(ended == .init(status: 1, output: "", errors: "ipctl: no lines match\n"))
        #expect(server.callsOfConnections.last?.last?.contains(".History") == true, "\(server.calls)")
    }

    @Test func `a removed address is left out of the search in the history`() throws {
        var entry = try Self.fresh()
        entry.changedAt = Times.now - 60_000
        var other = entry
        other.address = "192.0.2.2"
        let changes = #"{"parameters":{"changes":[{"address":"192.0.2.2","at":0,"fields":[],"seq":1}]}}"#
        let server = try WireServer([
            Self.shown(entry, other), OutgoingReply.error(.notWatched("192.0.2.1")), Array(changes.utf8) + [0],
        ])
        let ended = try Self.run(
            server, "--changed-since", "1h", "--changed-field", "city", "--field", "city",
            input: "192.0.2.1\n192.0.2.2\n")
        #expect(ended == .init(status: 0, output: "192.0.2.2 [192.0.2.2 city=Berlin]\n", errors: ""))
        #expect(server.calls.last?.contains(#""addresses":["192.0.2.2"],"fields":["city"]"#) == true)
    }

    @Test func `a column that is given twice is a usage error`() throws {
        let server = try WireServer([])
        let ended = try Self.run(
            server, "--format", "csv", "--column", "a", "--column", "b", "--column", "a", input: "a,b\n")
        #expect(ended.status == 64 && ended.output == "", "\(ended)")
        #expect(ended.errorLines.first == "ipctl: the column \"a\" is given twice")
    }

    @Test func `the status is 1 if no line matches`() throws {
        let server = try WireServer([Self.shown(try Self.fresh())])
        let ended = try Self.run(server, "--country", "FR")
        #expect(ended == .init(status: 1, output: "", errors: "ipctl: no lines match\n"))
    }

    // MARK: Watching

    @Test func `addresses are watched for a time, and watching needs permission`() throws {
        let added = Sample.reply(["added": 1, "already": 0])
        var status = Sample.status()
        status.administrator = true
        let server = try WireServer(connections: [[Sample.reply(status), Self.shown()], [added]])
        let earliest = Times.now + 3_600_000
        #expect(try Self.run(server, "--watch", "1h", input: "8.8.8.8\n10.0.0.1\n").status == 0)
        let call = try #require(server.callsOfConnections.last?.first)
        #expect(call.contains(#""method":"io.iprecord.Control.Add","parameters":{"addresses":["8.8.8.8"],"until":"#))
        let until = try #require(call.firstMatch(of: /"until":(\d+)/).flatMap { Int64($0.1) })
        #expect(until >= earliest && until <= Times.now + 3_600_000)

        status.administrator = false
        let refusing = try WireServer([Sample.reply(status)])
        let ended = try Self.run(refusing, "--watch", "1h")
        #expect(ended.status == 77 && ended.output == "")
    }

    // MARK: The daemon is away

    @Test func `without the daemon, nothing is read`() throws {
        let ended = try BuiltIpctl.run(["--socket", "/nowhere/control.sock", "enrich"], input: "192.0.2.1\n")
        #expect(ended.status == 69 && ended.output == "")
    }

    @Test func `a line waits while the daemon restarts`() throws {
        let server = try WireServer(connections: [[[]], [Self.shown(try Self.fresh())]])
        let ended = try Self.run(server)
        #expect(ended.status == 0 && ended.output == Self.enriched)
        #expect(
            ended.errorLines == [
                "ipctl: the daemon at \(server.path) closed the connection; reconnecting", "ipctl: reconnected",
            ])
    }

    @Test func `lines pass unchanged while the daemon is away, and the status says so`() throws {
        let server = try WireServer(connections: [[[]]])
        let ended = try Self.run(server, input: "192.0.2.1\nb\n192.0.2.2\n")
        #expect(ended.status == 69)
        #expect(ended.output == "192.0.2.1\nb\n192.0.2.2\n")
        #expect(ended.errorLines.last == "ipctl: 2 lines passed on without the daemon's answers")
    }

    @Test func `lines that were read are written when the time limit passes`() throws {
        let server = try WireServer(connections: [[[]]], staysOpen: true)
        let ended = try BuiltIpctl.run(
            ["--socket", server.path, "enrich", "--timeout", "1s"], input: "192.0.2.1\nb")
        #expect(ended.status == 75 && ended.output == "192.0.2.1\nb", "\(ended)")
    }

    @Test func `a signal ends it while its reader stalls`() throws {
        let folder = try TemporaryFolder()
        // More than a pipe holds.
        let file = try folder.write(String(repeating: "no address\n", count: 100_000), to: "log")
        let server = try WireServer([])
        let program = try BuiltIpctl.start(["--socket", server.path, "enrich", file])
        let process = program.process
        process.awaitStall()
        #expect(process.isRunning)
        process.signal(SIGTERM)
        #expect(process.awaitEnd(within: 60) == .signal(SIGTERM))
        // Has no effect unless the program still runs.
        process.signal(SIGKILL)
        #expect(program.end().errors == "")
    }

    // MARK: Usage

    @Test(arguments: [
        (["--wait", "1s"], "--wait requires --lookup"),
        (["--inline", "--format", "csv"], "--inline and --template are for --format text"),
        (["--template", "{isp}", "--field", "isp"], "give --field or --template, not both"),
        (["--column", "a"], "--column and --no-headers require --format csv"),
        (["--column", "a", "--no-headers", "--format", "csv"], "--column requires a header"),
        (["--watch", "0"], "--watch must be longer than 0"),
        (["--format", "csv", "a", "b"], "give one CSV file at a time, because each has a header"),
        (["--json"], "enrich does not print the daemon's replies"),
    ])
    func `options that contradict each other are errors`(arguments: [String], message: String) throws {
        let ended = try BuiltIpctl.run(["--socket", "/nowhere", "enrich"] + arguments)
        #expect(ended.status == 64 && ended.output == "")
        #expect(ended.errorLines.first == "ipctl: \(message)")
    }

    @Test(arguments: [["--field", "shoe"], ["--template", "{shoe}"], ["--template", "x"], ["--format", "xml"]])
    func `unknown fields and formats are errors`(arguments: [String]) throws {
        let ended = try BuiltIpctl.run(["--socket", "/nowhere", "enrich"] + arguments)
        #expect(ended.status == 64 && ended.output == "", "\(ended)")
    }
}
