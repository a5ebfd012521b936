import Control
import TestSupport
import Testing
import Varlink

@testable import RecordKeeping

/// `ipctl monitor` with the built program.
@Suite struct MonitorTests {
    private static func event(_ seq: Int?, _ kind: String, at: Int64 = 0) -> String {
        let number = seq.map { #","seq":\#($0)"# } ?? ""
        let event = #"{"address":"192.0.2.1","at":\#(at),"kind":"\#(kind)"\#(number)}"#
        return #"{"continues":true,"parameters":{"event":\#(event)}}"#
    }

    /// A mock daemon with its last event, the event at the cursor if it is requested, and new events.
    private static func server(last: Int64, atCursor: [UInt8], _ events: String...) throws -> WireServer {
        let expectedText = events.flatMap { (event: String) -> [UInt8] in bytes(event) }
        return try WireServer(connections: [[Sample.statusReply { $0.lastSeq = last }, expectedText], [atCursor]])
    }

    private static func bytes(_ message: String) -> [UInt8] { Array(message.utf8) + [0] }

    private static func ran(_ server: WireServer, _ cursor: String, _ more: String...) throws -> BuiltIpctl.Ended {
        try BuiltIpctl.run(["--socket", server.path, "monitor", "--no-reconnect", "--cursor-file", cursor] + more)
    }

    /// A mock daemon with its last event and events that are sent at once.
    private static func server(_ events: String...) throws -> WireServer {
        try WireServer([Sample.statusReply(), events.flatMap { (event: String) -> [UInt8] in Array(event.utf8) + [0] }])
    }

    /// The reply to `History` for a watched address.
    private static let watched = Sample.reply(Control.History.Reply(changes: []))

    @Test func `the daemon selects events by fields and by entries`() throws {
        let server = try Self.server(Self.event(1, "changed"))
        let ended = try BuiltIpctl.run(
            [
                "--socket", server.path, "monitor", "--no-reconnect", "--field", "country", "--tag", "dns", "-t",
                "prod", "--not-country", "de", "--pinned",
            ])
        #expect(ended.status == 69)
        let filter = #"{"notCountryCodes":["DE"],"pinned":true,"tags":["dns","prod"]}"#
        let parameters = #"{"after":99,"fields":["country"],"filter":\#(filter)}"#
        #expect(
            server.calls.last
                == #"{"method":"io.iprecord.Control.Monitor","more":true,"parameters":\#(parameters)}"#)
    }

    @Test(arguments: [true, false])
    func `--after takes precedence over a cursor, and a message says so`(hasCursor: Bool) throws {
        let folder = try TemporaryFolder()
        let cursor = folder.file("cursor")
        if hasCursor { try folder.write("90\n", to: "cursor") }
        let ended = try Self.ran(try Self.server(Self.event(6, "added", at: 1)), cursor, "--after", "5")
        let message = "ipctl: --after takes precedence over the event number in \(cursor)"
        #expect(ended.errorLines.contains(message) == hasCursor, "\(ended)")
        #expect(ended.output.contains("192.0.2.1"), "\(ended)")
        #expect(try folder.text("cursor") == "6 1\n")
    }

    @Test func `an unknown field, an invalid tag and a filter by changes are usage errors`() throws {
        for arguments in [["--field", "shoe"], ["--tag", "two words"], ["--changed-since", "1h"]] {
            let ended = try BuiltIpctl.run(["--socket", "/nowhere", "monitor"] + arguments)
            #expect(ended.status == 64 && ended.output == "", "\(ended)")
        }
    }

    @Test func `events are printed as they come, until the daemon ends`() throws {
        let events = [Self.event(1, "added"), Self.event(nil, "refreshed")]
        let server = try WireServer([Self.watched, Sample.statusReply(), events.flatMap { Array($0.utf8) + [0] }])
        let ended = try BuiltIpctl.run(
            [
                "--socket", server.path, "monitor", "--no-reconnect", "--kind", "added", "--kind", "refreshed",
                "192.0.2.1",
            ],
            environment: ["TZ": "UTC0"])
        #expect(
            ended.output == """
                1970-01-01T00:00:00Z  now watching 192.0.2.1
                1970-01-01T00:00:00Z  192.0.2.1 has a new record\n
                """)
        #expect(ended.status == 69)
        #expect(
            ended.errorLines.first?.contains("closed the connection") == true, "it is watched, and nothing else is said"
        )
        let parameters = #"{"addresses":["192.0.2.1"],"after":99,"kinds":["added","refreshed"]}"#
        #expect(
            server.calls.dropFirst(2) == [
                #"{"method":"io.iprecord.Control.Monitor","more":true,"parameters":\#(parameters)}"#
            ])
    }

    @Test func `an unwatched address is reported once, and still subscribed to`() throws {
        let server = try WireServer([
            OutgoingReply.error(.notWatched("192.0.2.1")), Self.watched, Sample.statusReply(),
            Array(Self.event(1, "added").utf8) + [0],
        ])
        let ended = try BuiltIpctl.run(server, "--json", "monitor", "--no-reconnect", "192.0.2.1", "::1")
        #expect(
            ended.errorLines.first
                == "ipctl: 192.0.2.1 is not on the watch list, so it has no events; "
                + "add it with: ipctl add 192.0.2.1")
        #expect(ended.errorLines.filter { $0.contains("watch list") }.count == 1)
        #expect(ended.output.hasPrefix(#"{"event":{"address":"192.0.2.1""#))
        #expect(server.calls.map { $0.contains("Control.History") } == [true, true, false, false])
    }

    @Test func `an unwatched host name is reported, and still subscribed to`() throws {
        let watch = WatchedName(addresses: [IPAddress(v4: 0xC000_0201)], answeredAt: Sample.wall(0))
        let watched = NameView(name: try HostName("a.example"), state: .fresh, watch: watch, nextAt: nil)
        let server = try WireServer([
            OutgoingReply.message(Control.Names.Reply(names: [Interface.Name(watched)])),
            OutgoingReply.error(.nameNotWatched("b.example")), Self.watched, Sample.statusReply(),
            Array(Self.event(1, "added").utf8) + [0],
        ])
        let ended = try BuiltIpctl.run(
            server, "--json", "monitor", "--no-reconnect", "a.example", "b.example", "192.0.2.1")
        #expect(
            ended.errorLines.first
                == "ipctl: the host name b.example is not watched, so it has no events; "
                + "add it with: ipctl add b.example")
        #expect(ended.errorLines.filter { $0.contains("not watched") }.count == 1, "\(ended)")
        #expect(server.calls.last?.contains(#""names":["a.example","b.example"]"#) == true, "\(server.calls)")
    }

    @Test func `blocks and ranges select their addresses, without a warning about each`() throws {
        let server = try WireServer([
            Self.watched, Sample.statusReply { $0.lastSeq = 9 }, Array(Self.event(10, "added").utf8) + [0],
        ])
        let ended = try BuiltIpctl.run(
            server, "--json", "monitor", "--no-reconnect", "192.0.2.0/31", "::ffff:198.51.100.1",
            "198.51.100.1-198.51.100.2")
        #expect(ended.output.hasPrefix(#"{"event":{"address":"192.0.2.1""#), "\(ended)")
        #expect(!ended.errors.contains("watch list"))
        #expect(server.calls.first?.contains(#""address":"198.51.100.1""#) == true)
        let addresses = #"["192.0.2.0","192.0.2.1","198.51.100.1","198.51.100.2"]"#
        #expect(
            server.calls.dropFirst(2) == [
                #"{"method":"io.iprecord.Control.Monitor","more":true,"#
                    + #""parameters":{"addresses":\#(addresses),"after":9}}"#
            ])
    }

    @Test(arguments: [
        (["192.0.2", "8.8.8.8/33"], "\"192.0.2\" is not an IP address: "),
        (["192.0.2.1/24"], "\"192.0.2.1/24\" does not begin at a block boundary; use 192.0.2.0/24"),
        (["10.0.0.0/8"], "\"10.0.0.0/8\" has 16,777,216 addresses; "),
    ])
    func `invalid addresses and blocks that are too large are errors`(arguments: [String], text: String) throws {
        let server = try WireServer("{}")
        let ended = try BuiltIpctl.run(["--socket", server.path, "monitor"] + arguments)
        #expect(ended.status == 65 && ended.output == "")
        #expect(ended.errors.hasPrefix("ipctl: \(text)"), "\(ended)")
        #expect(server.calls == [])
    }

    @Test func `the addresses of all arguments are bounded`() throws {
        let server = try WireServer("{}")
        let ended = try BuiltIpctl.run(server, "monitor", "10.0.0.0/16", "2001:db8::/112")
        #expect(ended.status != 0 && ended.errors.contains("100,000"), "\(ended)")
        #expect(server.calls == [])
    }

    @Test func `a number beyond the last event is reported with the last number`() throws {
        let server = try WireServer([Sample.statusReply { $0.lastSeq = 99 }])
        let ended = try BuiltIpctl.run(server, "monitor", "--after", "99999")
        #expect(ended.status == 65)
        #expect(ended.output == "")
        #expect(ended.errorLines.first == "ipctl: event 99999 does not exist yet: the last event is 99")
    }

    @Test func `times are local, with their offset`() throws {
        let server = try Self.server(Self.event(1, "added"))
        let ended = try BuiltIpctl.run(
            ["--socket", server.path, "monitor", "--no-reconnect"], environment: ["TZ": "IST-5:30"])
        #expect(ended.output == "1970-01-01T05:30:00+05:30  now watching 192.0.2.1\n")
    }

    @Test func `the cursor is the last kept event, and the next run continues there`() throws {
        let folder = try TemporaryFolder()
        let cursor = folder.file("cursor")
        let first = try Self.server(
            last: 6, atCursor: Self.bytes(Self.event(6, "added")), Self.event(7, "added"),
            Self.event(8, "removed", at: 1_000), Self.event(nil, "refreshed"))
        let ended = try BuiltIpctl.run([
            "--json", "--socket", first.path, "monitor", "--cursor-file", cursor, "--no-reconnect",
        ])
        #expect(ended.output.split(separator: "\n").count == 3)
        #expect(ended.output.hasPrefix(#"{"event":{"address":"192.0.2.1","at":0,"kind":"added","seq":7}}"#))
        #expect(
            first.callsOfConnections[0].last?.contains(#""parameters":{"after":6}"#) == true, "what happens from now")
        #expect(try folder.text("cursor") == "8 1000\n")

        let next = try Self.server(
            last: 9, atCursor: Self.bytes(Self.event(8, "removed", at: 1_000)), Self.event(9, "added", at: 2_000))
        _ = try Self.ran(next, cursor)
        #expect(next.callsOfConnections[0].last?.contains(#""parameters":{"after":8}"#) == true)
        #expect(next.callsOfConnections[1].last?.contains(#""parameters":{"after":7}"#) == true)
        #expect(try folder.text("cursor") == "9 2000\n")

        let other = try Self.server(Self.event(4, "added"))
        _ = try Self.ran(other, cursor, "--after", "3")
        #expect(other.calls.last?.contains(#""parameters":{"after":3}"#) == true, "what is said counts")
    }

    @Test(arguments: ["8\n", "8 1000\n"]) func `a cursor may have no time, and its event may have been deleted`(
        text: String
    ) throws {
        let folder = try TemporaryFolder()
        let cursor = try folder.write(text, to: "cursor")
        let gone = OutgoingReply.error(.eventsGone(oldest: 9))
        let server = try Self.server(last: 8, atCursor: gone, Self.event(9, "added", at: 2_000))
        let ended = try Self.ran(server, cursor)
        #expect(ended.output.contains("now watching 192.0.2.1"), "\(ended.errors)")
        #expect(server.callsOfConnections[0].last?.contains(#""parameters":{"after":8}"#) == true)
        #expect(try folder.text("cursor") == "9 2000\n")
    }

    @Test(arguments: [(7, 1_000), (8, 2_000)] as [(Int64, Int64)])
    func `a cursor of another database is reported with its file and left unchanged`(last: Int64, at: Int64) throws {
        let folder = try TemporaryFolder()
        let cursor = try folder.write("8 1000\n", to: "cursor")
        let server = try Self.server(last: last, atCursor: Self.bytes(Self.event(8, "added", at: at)))
        let ended = try Self.ran(server, cursor)
        #expect(ended.status == 65)
        #expect(ended.output == "")
        #expect(ended.errors.hasPrefix("ipctl: the cursor in \(cursor) belongs to another database: "))
        #expect(ended.errors.contains(at == 2_000 ? "event 8 has a different time there" : "the last event is 7"))
        #expect(try folder.names == ["cursor"])
        #expect(try folder.text("cursor") == "8 1000\n")
    }

    @Test func `deleted events are reported with the cursor's file`() throws {
        let folder = try TemporaryFolder()
        let cursor = try folder.write("8\n", to: "cursor")
        let server = try WireServer([
            Sample.statusReply { $0.lastSeq = 99 }, OutgoingReply.error(.eventsGone(oldest: 50)),
        ])
        let ended = try Self.ran(server, cursor)
        #expect(ended.status == 65)
        #expect(
            ended.errorLines == [
                "ipctl: some events after the cursor in \(cursor) were deleted; the oldest kept event is 50",
                "To continue from there, run once with --after 49 and --cursor-file.",
            ])
        #expect(try folder.text("cursor") == "8\n")
    }

    @Test func `an invalid cursor is an error before any call`() throws {
        let folder = try TemporaryFolder()
        let server = try Self.server(Self.event(9, "added"))
        let cursor = try folder.write("soon", to: "cursor")
        let ended = try BuiltIpctl.run(["--socket", server.path, "monitor", "--cursor-file", cursor])
        #expect(ended.status == 65)
        #expect(server.calls == [])
    }

    @Test func `a cursor that cannot be written is an error before any call`() throws {
        let folder = try TemporaryFolder()
        let server = try Self.server(Self.event(9, "added"))
        let cursor = folder.file("no/cursor")
        let ended = try BuiltIpctl.run(["--socket", server.path, "monitor", "--cursor-file", cursor])
        let expectedText = "ipctl: cannot write \(cursor): No such file or directory\n"
        #expect(ended == .init(status: 65, output: "", errors: expectedText))
        #expect(server.calls == [])
    }
}
