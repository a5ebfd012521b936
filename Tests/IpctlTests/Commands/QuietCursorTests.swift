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

    /// Runs a filtered monitor from event 6 on and returns the cursor file that it leaves.
    private static func cursor(_ filter: [String], after others: [[UInt8]], last: Int64) throws -> String {
        let folder = try TemporaryFolder()
        let file = try folder.write("6\n", to: "cursor")
        let server = try WireServer(
            connections: [[status(last), []], [status(last), others.flatMap { $0 }]], staysOpen: true)
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

    @Test func `a quiet session checks repeatedly from its current position`() throws {
        let folder = try TemporaryFolder()
        let cursor = CursorFile(path: folder.file("cursor"))
        let server = try WireServer(
            connections: [
                [[]], [Self.status(8), Self.event(7, .added) + Self.event(8, .added)],
                [Self.status(9), Self.event(9, .removed)], [Self.status(9), []],
            ], staysOpen: true)
        let limits = TimeLimits(silence: nil, deadline: Deadline(in: .seconds(6)))
        let connection = try DaemonConnection(path: server.path, limits: limits)
        let settings = MonitorSession.Settings(
            kinds: ["networkLost"], cursor: cursor, reconnects: false, quietInterval: .milliseconds(300))
        let session = MonitorSession(on: connection, Output(isJSON: true), after: .init(seq: 6), settings)
        let commandError = #expect(throws: CommandError.self) { try session.run() }
        #expect(commandError?.isTimeout == true)
        #expect(try folder.text("cursor") == "9 9000\n")
        let after = server.callsOfConnections.compactMap { calls in
            calls.last?.firstMatch(of: /"after":(\d+)/).map { String($0.1) }
        }
        #expect(after.prefix(4) == ["6", "6", "8", "9"])
    }
}
