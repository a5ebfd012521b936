import Control
import Foundation
import RecordKeeping
import TestSupport
import Testing
import Varlink

@testable import ipctl

/// The cursor of a filtered `ipctl monitor` while no event matches its filter.
@Suite struct QuietCursorTests {
    private static func event(_ seq: Int64, _ kind: PublishedEvent.Kind, _ address: String? = Sample.address) throws
        -> [UInt8]
    {
        var event = try Sample.event(kind, address: address)
        (event.seq, event.at) = (seq, seq * 1_000)
        return OutgoingReply.message(Control.Monitor.Reply(event: event), continues: true)
    }

    private static func status(_ lastSeq: Int64) -> [UInt8] { Sample.reply(Sample.status { $0.lastSeq = lastSeq }) }

    /// A page of the list with the addresses of the entries that match a filter.
    private static func page(_ addresses: [String], next: String? = nil) -> [UInt8] {
        let entries = addresses.map { #"{"address":"\#($0)"}"# }.joined(separator: ",")
        let rest = next.map { #","next":"\#($0)""# } ?? ""
        return Array(#"{"parameters":{"entries":[\#(entries)]\#(rest)}}"#.utf8) + [0]
    }

    /// Runs a filtered monitor from event 6 on and returns the cursor file that it leaves.
    ///
    /// - Parameter pages: the pages of the entries that match the filter.
    private static func cursor(
        _ filter: [String], pages: [[UInt8]] = [], after others: [[UInt8]], last: Int64
    ) throws -> String {
        let folder = try TemporaryFolder()
        let file = try folder.write("6\n", to: "cursor")
        let server = try WireServer(
            connections: [[status(last), []], [status(last)] + pages + [others.flatMap { $0 }]], staysOpen: true)
        let arguments = ["monitor", "--cursor-file", file, "--timeout", "3s"] + filter
        let ended = try BuiltIpctl.run(["--socket", server.path] + arguments)
        #expect(ended.status == 75, "\(ended.errors)")
        #expect(ended.output == "")
        return try folder.text("cursor")
    }

    @Test func `the cursor moves past events that do not match`() throws {
        let others = try [Self.event(7, .added), Self.event(8, .removed), Self.event(9, .added)]
        #expect(try Self.cursor(["--kind", "networkLost"], after: others, last: 9) == "9 9000\n")
    }

    @Test func `the cursor stays before an event that matches and has not been printed`() throws {
        let others = try [Self.event(7, .added), Self.event(8, .networkLost, nil), Self.event(9, .added)]
        #expect(try Self.cursor(["--kind", "networkLost"], after: others, last: 9) == "6\n")
    }

    @Test func `the cursor stays if not all events could be read`() throws {
        let others = try [Self.event(7, .added)]
        #expect(try Self.cursor(["--kind", "networkLost"], after: others, last: 9) == "6\n")
        let gone = OutgoingReply.error(.eventsGone(oldest: 8))
        #expect(try Self.cursor(["--kind", "networkLost"], after: [gone], last: 9) == "6\n")
    }

    @Test func `the cursor moves past events whose entries do not match a filter for entries`() throws {
        let others = try [Self.event(7, .added, "192.0.2.7"), Self.event(8, .removed, "192.0.2.8")]
        let pages = [Self.page(["192.0.2.1"], next: "192.0.2.1"), Self.page(["192.0.2.2"])]
        #expect(try Self.cursor(["--tag", "x"], pages: pages, after: others, last: 8) == "8 8000\n")
        let none = [Self.page([])]
        #expect(try Self.cursor(["--tag", "x"], pages: none, after: others, last: 8) == "8 8000\n")
    }

    /// The daemon sends such events only to listeners without a filter for entries.
    @Test func `the cursor moves past events of host names if there is a filter for entries`() throws {
        var failed = try Sample.event(.nameFailed, address: nil)
        (failed.seq, failed.at, failed.name) = (7, 7_000, "www.example.com")
        let event = OutgoingReply.message(Control.Monitor.Reply(event: failed), continues: true)
        #expect(try Self.cursor(["--tag", "x"], pages: [Self.page([])], after: [event], last: 7) == "7 7000\n")
    }

    @Test func `the cursor stays before an event whose entry matches, and before an event without an entry`() throws {
        let pages = [Self.page(["192.0.2.1"], next: "192.0.2.1"), Self.page(["192.0.2.7"])]
        let added = try [Self.event(7, .added, "192.0.2.7")]
        #expect(try Self.cursor(["--tag", "x"], pages: pages, after: added, last: 7) == "6\n")
        let lost = try [Self.event(7, .networkLost, nil)]
        #expect(try Self.cursor(["--tag", "x"], pages: pages, after: lost, last: 7) == "6\n")
    }

    /// The event may be about an entry that matched when the daemon sent it.
    @Test(arguments: [true, false])
    func `a filter for entries does not move the cursor while the listener has something to read`(
        hasInput: Bool
    ) throws {
        let server = try WireServer(
            connections: [[Self.status(7), Self.page([]), Self.event(7, .added)]], staysOpen: true)
        let folder = try TemporaryFolder()
        var filter = Interface.Filter()
        filter.tags = ["x"]
        let settings = MonitorSession.Settings(
            entries: filter, cursor: CursorFile(path: folder.file("cursor")))
        var times = QuietTimes(at: server.path, settings)
        times.beginIfDue(after: 6)
        let listener = Pipe()
        if hasInput { try listener.fileHandleForWriting.write(contentsOf: [0]) }
        var cursor: CursorFile.Cursor?
        while let descriptor = times.descriptor {
            var polled = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            try #require(poll(&polled, 1, 60_000) == 1)
            cursor = times.receive(listener: listener.fileHandleForReading.fileDescriptor, isIdle: true)
        }
        #expect(cursor == (hasInput ? nil : CursorFile.Cursor(seq: 7, at: 7_000)))
    }

    @Test func `a quiet session checks repeatedly from its current position`() throws {
        let folder = try TemporaryFolder()
        let cursor = CursorFile(path: folder.file("cursor"))
        let server = try WireServer(
            connections: [
                [[]], [Self.status(8), Self.event(7, .added) + Self.event(8, .added)],
                [Self.status(9), Self.event(9, .removed)], [Self.status(10), Self.event(10, .added)],
            ], staysOpen: true)
        let limits = TimeLimits(silence: nil, deadline: Deadline(in: .seconds(6)))
        let connection = try DaemonConnection(path: server.path, limits: limits)
        let settings = MonitorSession.Settings(
            kinds: ["networkLost"], cursor: cursor, reconnects: false, quietInterval: .milliseconds(300))
        let session = MonitorSession(on: connection, Output(isJSON: true), after: .init(seq: 6), settings)
        let commandError = #expect(throws: CommandError.self) { try session.run() }
        #expect(commandError?.isTimeout == true)
        #expect(try folder.text("cursor") == "10 10000\n")
        let after = server.callsOfConnections.compactMap { calls in
            calls.last?.firstMatch(of: /"after":(\d+)/).map { String($0.1) }
        }
        #expect(after.prefix(4) == ["6", "6", "8", "9"])
    }
}
