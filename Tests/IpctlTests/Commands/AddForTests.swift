import Control
import Foundation
import RecordKeeping
import TestSupport
import Testing
import Varlink

/// `ipctl add --for` and the ends of watches in lists.
@Suite struct AddForTests {
    private struct Call: Decodable {
        struct Parameters: Decodable {
            var addresses: [String]
            var until: Int64?
        }

        var parameters: Parameters
    }

    private static let added = Sample.reply(["added": 1, "already": 0])

    private static var now: Int64 { Int64(Date().timeIntervalSince1970 * 1_000) }

    private static func calls(_ arguments: String..., input: String = "", replies: Int = 1) throws -> [Call.Parameters]
    {
        let server = try WireServer(connections: Array(repeating: [added], count: replies), staysOpen: true)
        let ended = try BuiltIpctl.run(["--socket", server.path] + arguments, input: input)
        #expect(ended.status == 0, "\(ended)")
        return try server.calls.map { try JSONDecoder().decode(Call.self, from: Data($0.utf8)).parameters }
    }

    @Test func `the watch ends after the time`() throws {
        let before = Self.now
        let until = try #require(try Self.calls("add", "192.0.2.1", "--for", "24h").first?.until)
        #expect((before...Self.now).contains(until - 86_400_000))
    }

    @Test func `the watches of a file with labels end after the time`() throws {
        let text = "192.0.2.1 dns\n192.0.2.2\n"
        let calls = try Self.calls("add", "--file", "-", "--for", "1h", input: text, replies: 2)
        #expect(calls.count == 2)
        #expect(Set(calls.map(\.until)).count == 1 && calls[0].until != nil)
    }

    @Test(arguments: [
        (["added": 2, "already": 0], "2 addresses added", "watched until T"),
        (["added": 1, "already": 2], "1 address added, 2 already on the list", "watched until T"),
        (
            ["added": 1, "already": 2, "endsKept": 2], "1 address added, 2 already on the list",
            "watched until T; 2 addresses already watched for longer"
        ),
        (
            ["added": 0, "already": 1, "endsKept": 1], "0 addresses added, 1 already on the list",
            "already watched beyond T"
        ),
    ])
    func `the output says when the watches end`(reply: [String: Int], summary: String, end: String) throws {
        let server = try WireServer([Sample.reply(reply)])
        let ended = try BuiltIpctl.run(server, "add", "192.0.2.1", "192.0.2.2", "192.0.2.3", "--for", "24h", "--utc")
        let lines = ended.output.split(separator: "\n").map(String.init)
        try #require(lines.count == 2, "\(ended)")
        #expect(lines[0] == summary)
        #expect(lines[1].replacing(/[-0-9]+T[0-9:]+Z/, with: "T") == end)
    }

    @Test(arguments: [(1, "1 watch no longer ends by itself"), (2, "2 watches no longer end by themselves")])
    func `without --for, the output says that watches no longer end`(count: Int, sentence: String) throws {
        let reply = Sample.reply(["added": 0, "already": 2, "endsRemoved": count])
        let ended = try BuiltIpctl.run(try WireServer([reply]), "add", "192.0.2.1", "192.0.2.2")
        #expect(ended.output == "0 addresses added, 2 already on the list\n\(sentence)\n")
        let server = try WireServer(connections: [[reply]], staysOpen: true)
        let imported = try BuiltIpctl.run(
            ["--socket", server.path, "import", "-"], input: "address\n192.0.2.1\n192.0.2.2\n")
        #expect(imported.output == ended.output, "\(imported)")
    }

    @Test func `a preview says when the watches would end`() throws {
        let ended = try BuiltIpctl.run(
            try WireServer([Sample.page([])]), "add", "192.0.2.1", "--for", "24h", "--dry-run")
        #expect(ended.output == "192.0.2.1\n")
        #expect(ended.errors.hasPrefix("ipctl: 1 address would be added; it would be watched until "), "\(ended)")
    }

    @Test func `without --for, no end is sent`() throws {
        #expect(try Self.calls("add", "192.0.2.1").map(\.until) == [nil])
    }

    @Test(arguments: ["0", "-1h", "tomorrow", "101y"])
    func `a time that is not a duration is refused`(time: String) throws {
        let ended = try BuiltIpctl.run(["--socket", "/no", "add", "192.0.2.1", "--for", time])
        #expect(ended.status == 64, "\(ended)")
    }

    @Test func `an imported watch ends at its time`() throws {
        let json = #"{"address":"192.0.2.1","watchedUntil":1900000000000}"#
        #expect(try Self.calls("import", "-", input: json).map(\.until) == [1_900_000_000_000])
        let csv = "address,watchedUntil\n192.0.2.1,1900000000000\n192.0.2.2,\n"
        #expect(
            Set(try Self.calls("import", "-", input: csv, replies: 2).map(\.until)) == [1_900_000_000_000, nil])
    }

    @Test func `watches that have ended are not imported`() throws {
        let ended = "192.0.2.1,,1700000000000\n"
        func imported(_ lines: String, _ arguments: String..., replies: [[UInt8]]) throws -> (
            BuiltIpctl.Ended, [String]
        ) {
            let server = try WireServer(connections: [replies], staysOpen: true)
            let input = "address,note,watchedUntil\n" + lines
            let ended = try BuiltIpctl.run(["--socket", server.path, "import", "-"] + arguments, input: input)
            return (ended, server.calls)
        }
        let note = "ipctl: left out 1 address: the time in \"watchedUntil\" has passed\n"
        let (some, calls) = try imported(ended + "192.0.2.2,,\n", replies: [Self.added])
        #expect(some.status == 0 && some.errors == note && calls.count == 1, "\(some)")
        #expect(calls.allSatisfy { $0.contains("192.0.2.2") && !$0.contains("192.0.2.1") })
        let (none, _) = try imported(ended + ended, replies: [])
        #expect(none.status == 0 && none.errors == note.replacing("1 address", with: "2 addresses"), "\(none)")
        let (preview, _) = try imported(ended, "--dry-run", replies: [Sample.page([])])
        #expect(preview.status == 0 && preview.output.isEmpty, "\(preview)")
        #expect(preview.errors == note + "ipctl: 0 addresses would be added\n")
    }

    @Test func `the daemon refuses an end that has passed`() throws {
        let server = try WireServer([OutgoingReply.error(.service(.invalidParameter("until")))])
        let ended = try BuiltIpctl.run(["--socket", server.path, "add", "192.0.2.1", "--for", "1ms"])
        #expect(ended.status == 64 && ended.errors.contains("Expected a time in the future"), "\(ended)")
    }

    @Test(arguments: [
        (#"{"address":"192.0.2.1","watchedUntil":0}"#, "before the year 2200, got 0"),
        (#"{"address":"192.0.2.1","watchedUntil":"soon"}"#, "\"watchedUntil\" must be a Unix time in milliseconds"),
        (
            "address,watchedUntil\n192.0.2.1,soon\n",
            "\"watchedUntil\" must be a Unix time in milliseconds, got \"soon\""
        ),
    ])
    func `an invalid end is an error`(input: String, message: String) throws {
        let server = try WireServer([])
        let ended = try BuiltIpctl.run(["--socket", server.path, "import", "-"], input: input)
        #expect(ended.status == 65 && ended.errors.contains(message), "\(ended)")
    }
}
