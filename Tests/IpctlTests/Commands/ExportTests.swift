import Control
import Foundation
import MMDBReading
import RecordKeeping
import TestSupport
import Testing
import Varlink

/// `ipctl export` with the built program.
@Suite struct ExportTests {
    private static func server() throws -> WireServer {
        let end = WallTime(milliseconds: 1_900_000_000_000)
        let first = Watch(
            byClient: true, isPinned: true, end: WatchEnd(until: end, elapsed: .seconds(1)), tags: ["dns", "prod"],
            note: "a, \"b\"")
        let second = Watch(byClient: false, byFile: true)
        return try WireServer([
            Sample.page([try Sample.entry(.loading, watch: first)], next: "c", total: 2),
            Sample.page([try Sample.entry(.loading, address: "2001:db8::1", watch: second)], total: 2),
        ])
    }

    private static let json = """
        {"address":"192.0.2.1","note":"a, \\"b\\"","pinned":true,"tags":["dns","prod"],"watchedUntil":1900000000000}
        {"address":"2001:db8::1","note":null,"pinned":false,"tags":[]}\n
        """
    private static let csv =
        "address,tags,note,pinned,watchedUntil\r\n192.0.2.1,dns prod,\"a, \"\"b\"\"\",true,1900000000000\r\n"
        + "2001:db8::1,,,false,\r\n"

    @Test func `all entries are printed, one per line, whatever their origin`() throws {
        let server = try Self.server()
        #expect(try BuiltIpctl.run(server, "export") == .init(status: 0, output: Self.json, errors: ""))
        let call = #"{"method":"io.iprecord.Control.List","parameters":{"#
        #expect(server.calls == [call + #""limit":1000}}"#, call + #""after":"c","limit":1000}}"#])
        let csv = try BuiltIpctl.run(try Self.server(), "export", "--format", "csv", "--file", "-")
        #expect(csv == .init(status: 0, output: Self.csv, errors: ""))
    }

    @Test func `a file is replaced atomically, and its name determines the format`() throws {
        let folder = try TemporaryFolder()
        for (name, text) in [("a.jsonl", Self.json), ("a.csv", Self.csv), ("a.CSV", Self.csv), ("a", Self.json)] {
            try folder.write("old", to: name)
            let ended = try BuiltIpctl.run(try Self.server(), "export", "--file", folder.file(name))
            #expect(ended == .init(status: 0, output: "2 addresses written to \(folder.file(name))\n", errors: ""))
            #expect(try folder.text(name) == text)
            #expect(try folder.names.contains { $0.hasSuffix(".new") } == false)
        }
    }

    @Test func `after a failure, the old file is unchanged`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("old", to: "a")
        let server = try WireServer([
            Sample.page([try Sample.entry(.loading)], next: "c"), OutgoingReply.error(.storeFailed("disk full")),
        ])
        #expect(try BuiltIpctl.run(server, "export", "--file", file).status == 75)
        #expect(try folder.text("a") == "old")
        #expect(try folder.names == ["a"])
        let nowhere = try BuiltIpctl.run(try Self.server(), "export", "--file", folder.file("no/a"))
        let expectedText = "ipctl: cannot write \(folder.file("no/a")): No such file or directory\n"
        #expect(nowhere == .init(status: 65, output: "", errors: expectedText))
    }

    /// - Parameter received: the bytes of the second page that arrive before the restart.
    @Test(arguments: [0, 100]) func `a daemon that restarts between two pages is asked again`(received: Int) throws {
        let pages = [
            Sample.page([try Sample.entry(.loading)], next: "c", total: 2),
            Sample.page([try Sample.entry(.loading, address: "2001:db8::1")], total: 2),
        ]
        let first = received == 0 ? [pages[0]] : [pages[0], Array(pages[1].prefix(received))]
        let server = try WireServer(connections: [first, [pages[1]]])
        let ended = try BuiltIpctl.run(server, "export", "--format", "csv")
        #expect(ended.status == 0)
        #expect(
            ended.output.split(separator: "\r\n").map { $0.prefix { $0 != "," } } == [
                "address", "192.0.2.1", "2001:db8::1",
            ])
    }

    @Test func `a database is written to a file, but not to a terminal`() throws {
        let folder = try TemporaryFolder()
        let written = try BuiltIpctl.run(try Self.server(), "export", "--file", folder.file("a.mmdb"))
        #expect(written == .init(status: 0, output: "2 addresses written to \(folder.file("a.mmdb"))\n", errors: ""))
        let database = try MMDBTestReader([UInt8](Data(contentsOf: URL(fileURLWithPath: folder.file("a.mmdb")))))
        let value = database?.lookUp(0xC000_0201).value
        #expect(value == #"{iprecord={state="loading",tags=["dns","prod"]}}"#)
        let (terminal, server) = (try #require(PseudoTerminal(columns: 80)), try Self.server())
        let shown = try BuiltIpctl.run(
            ["--socket", server.path, "export", "--format", "mmdb"], environment: ["TERM": "dumb"],
            terminal: terminal.far)
        #expect(shown.status == 64)
        #expect(shown.errorLines.first == "ipctl: an MMDB file is binary: use --file, or redirect the output")
        #expect(try terminal.lines() == [])
        let json = try BuiltIpctl.run(try Self.server(), "export", "--json", "--format", "mmdb")
        #expect(json.errorLines == ["ipctl: give --json or --format mmdb, not both"])
    }

    @Test func `a device is written to and not replaced`() throws {
        let full = try BuiltIpctl.run(try Self.server(), "export", "--file", "/dev/full")
        #expect(
            full == .init(status: 70, output: "", errors: "ipctl: cannot write /dev/full: No space left on device\n"))
        #expect(try BuiltIpctl.run(try Self.server(), "export", "--file", "/dev/null").status == 0)
    }

    @Test func `an empty list is a file without entries`() throws {
        let json = try BuiltIpctl.run(try WireServer([Sample.page([])]), "export")
        #expect(json == .init(status: 0, output: "", errors: ""))
        let csv = try BuiltIpctl.run(try WireServer([Sample.page([])]), "export", "--format", "csv")
        #expect(csv == .init(status: 0, output: "address,tags,note,pinned,watchedUntil\r\n", errors: ""))
    }

    @Test func `--json equals the default format`() throws {
        let printed = try BuiltIpctl.run(try Self.server(), "export", "--json")
        #expect(printed == .init(status: 0, output: Self.json, errors: ""))
        let folder = try TemporaryFolder()
        let written = try BuiltIpctl.run(try Self.server(), "--json", "export", "--file", folder.file("a.csv"))
        #expect(written == .init(status: 0, output: "", errors: ""))
        #expect(try folder.text("a.csv") == Self.json)
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGKILL]) func `an interrupted export leaves only the old file`(
        signal: Int32
    ) throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("old", to: "a")
        let pages = try ["c", "d"].map { Sample.page([try Sample.entry(.loading)], next: $0, total: 3) }
        let server = try WireServer(connections: [[pages[0], pages[1], []]], staysOpen: true)
        let running = try BuiltIpctl.start(["--socket", server.path, "export", "--file", file])
        #expect(server.isCalled(3), "the first page is written before the third is requested")
        running.process.signal(signal)
        #expect(running.end().status == -signal)
        #expect(try folder.names == ["a"])
        #expect(try folder.text("a") == "old")
    }

    @Test func `the new file keeps the permissions of the old one`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("old", to: "a", mode: 0o600)
        #expect(try BuiltIpctl.run(try Self.server(), "export", "--file", file).status == 0)
        let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test func `contradicting options are a usage error`() throws {
        let json = try BuiltIpctl.run(try Self.server(), "export", "--json", "--format", "csv")
        #expect(json.status == 64)
        #expect(json.errorLines == ["ipctl: give --json or --format csv, not both"])
        #expect(try BuiltIpctl.run(try Self.server(), "export", "--format", "xml").status == 64)
    }
}
