import Control
import Foundation
import RecordKeeping
import TestSupport
import Testing
import Varlink

@testable import ipctl

/// Commands that keep running while the daemon is restarted.
@Suite struct ReconnectTests {
    private static func event(_ seq: Int64, _ kind: PublishedEvent.Kind, _ address: String? = Sample.address) throws
        -> [UInt8]
    {
        let fields = kind == .changed ? [FieldChange(field: "isp", old: "A", new: "B")] : []
        var event = try Sample.event(kind, address: address, fields: fields)
        event.seq = seq
        return OutgoingReply.message(Control.Monitor.Reply(event: event), continues: true)
    }

    private static func status(_ lastSeq: Int64) -> [UInt8] { Sample.reply(Sample.status { $0.lastSeq = lastSeq }) }

    // MARK: monitor

    @Test(arguments: [false, true])
    func `monitor continues after the last event that it printed`(hasCursor: Bool) throws {
        let folder = try TemporaryFolder()
        let start = hasCursor ? ["--cursor-file", try folder.write("6\n", to: "cursor")] : []
        let server = try WireServer(connections: [
            [Self.status(6), Self.event(7, .added) + Self.event(8, .removed)],
            // The event at the position proves that it is the same database.
            [Self.status(9), Self.event(9, .added)], [Self.event(8, .removed)],
        ])
        let ended = try BuiltIpctl.run(["--socket", server.path, "--json", "monitor", "--timeout", "6s"] + start)
        #expect(ended.status == 75)
        let seqs = ended.output.matches(of: /"seq":(\d+)/).map { String($0.1) }
        #expect(seqs == ["7", "8", "9"], "\(ended)")
        #expect(
            Array(ended.errorLines.prefix(2)) == [
                "ipctl: the daemon at \(server.path) closed the connection; reconnecting",
                "ipctl: reconnected; continuing after event 8",
            ])
        let resumed = server.callsOfConnections[1]
        #expect(resumed.last?.contains(#""method":"io.iprecord.Control.Monitor""#) == true)
        #expect(resumed.last?.contains(#""after":8"#) == true)
        if hasCursor { #expect(try folder.text("cursor").hasPrefix("9 ")) }
    }

    @Test func `monitor without an event yet continues where it began`() throws {
        let server = try WireServer(connections: [[Self.status(6), []], [Self.status(7), Self.event(7, .added)]])
        let ended = try BuiltIpctl.run(["--socket", server.path, "--json", "monitor", "--timeout", "6s"])
        #expect(ended.output.contains(#""seq":7"#))
        #expect(server.callsOfConnections.compactMap(\.last).allSatisfy { $0.contains(#""after":6"#) })
    }

    @Test func `monitor ends with 65 for another database`() throws {
        let server = try WireServer(
            connections: [[Self.status(6), Self.event(7, .added)], [Self.status(5)]])
        let ended = try BuiltIpctl.run(["--socket", server.path, "--json", "monitor", "--timeout", "60s"])
        #expect(ended.status == 65)
        #expect(ended.errors.contains("another database"), "\(ended.errors)")
    }

    @Test(arguments: [["monitor"], ["wait", "online"]])
    func `with --no-reconnect the command ends with 69`(arguments: [String]) throws {
        let offline = Sample.reply(Sample.status { $0.isOnline = false })
        let server = try WireServer(connections: [[offline, []], [offline]])
        let ended = try BuiltIpctl.run(["--socket", server.path] + arguments + ["--no-reconnect"])
        #expect(ended.status == 69)
        #expect(ended.errorLines.first == "ipctl: the daemon at \(server.path) closed the connection")
    }

    // MARK: wait

    @Test func `wait changed sees a change that happened while the daemon was away`() throws {
        let shown = Sample.reply([
            "entries": [try Sample.entry(.fresh, watch: Watch(byClient: true), record: Sample.record, scanned: -1)]
        ])
        let watched = Sample.reply(Control.History.Reply(changes: []))
        let server = try WireServer(connections: [
            [Self.status(6), []], [watched, shown],
            [Self.status(7), Self.status(7), Self.event(7, .changed)], [watched, shown],
        ])
        let ended = try BuiltIpctl.run(["--socket", server.path, "wait", "changed", "192.0.2.1", "--timeout", "60s"])
        #expect(ended.status == 0, "\(ended)")
        #expect(ended.output.contains("192.0.2.1 changed: provider A → B"))
        #expect(
            ended.errorLines == [
                "ipctl: the daemon at \(server.path) closed the connection; reconnecting", "ipctl: reconnected",
            ])
        let calls = server.callsOfConnections.joined().filter { $0.contains("Control.Monitor") }
        #expect(calls.last?.contains(#""after":6"#) == true)
    }

    @Test func `wait online queries the status again after the daemon has returned`() throws {
        let offline = Sample.reply(Sample.status { $0.isOnline = false })
        let online = Sample.reply(Sample.status())
        let server = try WireServer(connections: [
            [offline, []], [offline], [online, online, []], [online],
        ])
        let ended = try BuiltIpctl.run(["--socket", server.path, "wait", "online", "--timeout", "60s"])
        #expect(ended.status == 0, "\(ended)")
        #expect(ended.output.hasPrefix("online since "))
    }

    // MARK: top

    private static func live(_ city: String, in folder: TemporaryFolder) throws -> LiveServer {
        let entries = [try Sample.placed(1, 1, city: city, address: "192.0.2.1")]
        return try LiveServer(
            [
                "Status": OutgoingReply.message(Sample.status()),
                "List": OutgoingReply.message(Control.List.Reply(entries: entries, next: nil, total: 1)),
            ], in: folder)
    }

    @Test func `top shows that the daemon is disconnected, and the list after it has returned`() throws {
        let folder = try TemporaryFolder()
        let first = try Self.live("Berlin", in: folder)
        let session = try #require(TerminalSession(["--socket", first.path, "top"]))
        try session.start()
        try session.awaitText("Berlin")
        first.stop()
        try session.awaitText("daemon disconnected, reconnecting")
        let second = try Self.live("Paris", in: folder)
        try session.awaitText("Paris")
        #expect(second.listenersSoFar == 1)
        session.type("q")
        #expect(try session.awaitEnd() == .init(status: 0, signal: nil, errors: ""))
    }

    @Test func `top can be ended while the daemon is disconnected`() throws {
        let folder = try TemporaryFolder()
        let server = try Self.live("Berlin", in: folder)
        let session = try #require(TerminalSession(["--socket", server.path, "top"]))
        try session.start()
        try session.awaitText("Berlin")
        server.stop()
        try session.awaitText("daemon disconnected, reconnecting")
        session.type("q")
        #expect(try session.awaitEnd() == .init(status: 0, signal: nil, errors: ""))
    }
}
