import Control
import Testing
import Varlink

@testable import RecordKeeping

/// `ipctl monitor`, as the built program.
@Suite struct MonitorTests {
    private static func event(_ seq: Int?, _ kind: String) -> String {
        let number = seq.map { #","seq":\#($0)"# } ?? ""
        return #"{"continues":true,"parameters":{"event":{"address":"192.0.2.1","at":0,"kind":"\#(kind)"\#(number)}}}"#
    }

    /// Events that come at once, after one call.
    private static func server(_ events: String...) throws -> WireServer {
        try WireServer([events.flatMap { (event: String) -> [UInt8] in Array(event.utf8) + [0] }])
    }

    /// As to `History`, of an address that is watched.
    private static let watched = Sample.reply(Control.History.Reply(changes: []))

    @Test func `events are printed as they come, until the daemon ends`() throws {
        let events = [Self.event(1, "added"), Self.event(nil, "refreshed")]
        let server = try WireServer([Self.watched, events.flatMap { Array($0.utf8) + [0] }])
        let ended = try BuiltIpctl.run(
            ["--socket", server.path, "monitor", "--kind", "added", "--kind", "refreshed", "192.0.2.1"],
            environment: ["TZ": "UTC0"])
        #expect(
            ended.output == """
                1970-01-01 00:00:00  192.0.2.1 is watched now
                1970-01-01 00:00:00  192.0.2.1 has a new record\n
                """)
        #expect(ended.status == 69)
        #expect(
            ended.errorLines.first?.contains("ended the connection") == true, "it is watched, and nothing else is said")
        let parameters = #"{"addresses":["192.0.2.1"],"kinds":["added","refreshed"]}"#
        #expect(
            server.calls.dropFirst() == [
                #"{"method":"io.iprecord.Control.Monitor","more":true,"parameters":\#(parameters)}"#
            ])
    }

    @Test func `an address that nobody watches is told once, and listened for all the same`() throws {
        let server = try WireServer([
            OutgoingReply.error(.notWatched("192.0.2.1")), Self.watched, Array(Self.event(1, "added").utf8) + [0],
        ])
        let ended = try BuiltIpctl.run(server, "--json", "monitor", "192.0.2.1", "::1")
        #expect(
            ended.errorLines.first
                == "ipctl: 192.0.2.1 is not on the watch list: there are events of it only once it is "
                + "(ipctl add 192.0.2.1)")
        #expect(ended.errorLines.filter { $0.contains("watch list") }.count == 1)
        #expect(ended.output.hasPrefix(#"{"event":{"address":"192.0.2.1""#))
        #expect(server.calls.map { $0.contains("Control.History") } == [true, true, false])
    }

    @Test func `times are those of the place`() throws {
        let server = try Self.server(Self.event(1, "added"))
        let ended = try BuiltIpctl.run(["--socket", server.path, "monitor"], environment: ["TZ": "IST-5:30"])
        #expect(ended.output == "1970-01-01 05:30:00  192.0.2.1 is watched now\n")
    }

    @Test func `the cursor is where the last kept event was, and the next run goes on there`() throws {
        let folder = try TemporaryFolder()
        let cursor = folder.file("cursor")
        let events = [Self.event(7, "added"), Self.event(8, "removed"), Self.event(nil, "refreshed")]
        let first = try WireServer([Sample.statusReply { $0.lastSeq = 6 }, events.flatMap { Array($0.utf8) + [0] }])
        let ended = try BuiltIpctl.run(["--json", "--socket", first.path, "monitor", "--cursor-file", cursor])
        #expect(ended.output.split(separator: "\n").count == 3)
        #expect(ended.output.hasPrefix(#"{"event":{"address":"192.0.2.1","at":0,"kind":"added","seq":7}}"#))
        #expect(first.calls.last?.contains(#""parameters":{"after":6}"#) == true, "what happens from now on")
        for (arguments, after) in [([], 8), (["--after", "3"], 3)] as [([String], Int)] {
            let next = try Self.server(Self.event(9, "added"))
            _ = try BuiltIpctl.run(["--socket", next.path, "monitor", "--cursor-file", cursor] + arguments)
            #expect(next.calls.first?.contains(#""parameters":{"after":\#(after)}"#) == true)
            try folder.write("8\n", to: "cursor")
        }
    }

    @Test func `a cursor that is none ends it before anything is asked`() throws {
        let folder = try TemporaryFolder()
        let server = try Self.server(Self.event(9, "added"))
        let cursor = try folder.write("soon", to: "cursor")
        let ended = try BuiltIpctl.run(["--socket", server.path, "monitor", "--cursor-file", cursor])
        #expect(ended.status == 65)
        #expect(server.calls == [])
    }

    @Test func `a cursor that cannot be written ends it before anything is asked`() throws {
        let folder = try TemporaryFolder()
        let server = try Self.server(Self.event(9, "added"))
        let cursor = folder.file("no/cursor")
        let ended = try BuiltIpctl.run(["--socket", server.path, "monitor", "--cursor-file", cursor])
        let told = "ipctl: cannot write \(cursor): No such file or directory\n"
        #expect(ended == .init(status: 65, output: "", errors: told))
        #expect(server.calls == [])
    }

    @Test func `a cursor of another database is told, and stays as it is`() throws {
        let folder = try TemporaryFolder()
        let cursor = try folder.write("99\n", to: "cursor")
        let server = try WireServer([OutgoingReply.error(.invalidCursor)])
        let ended = try BuiltIpctl.run(["--socket", server.path, "monitor", "--cursor-file", cursor])
        #expect(ended.status == 65)
        #expect(ended.output == "")
        #expect(ended.errorLines.first?.hasPrefix("ipctl: the cursor is of another database") == true)
        #expect(try folder.text("cursor") == "99\n")
        #expect(!folder.has("cursor.new"))
    }
}
