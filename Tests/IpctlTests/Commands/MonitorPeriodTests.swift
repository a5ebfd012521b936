import Control
import RecordKeeping
import TestSupport
import Testing
import Varlink

@testable import ipctl

/// `ipctl monitor` with a period, with the built program. The last three events were one second apart.
@Suite struct MonitorPeriodTests {
    private static let last: Int64 = 3

    private static func event(_ seq: Int64, of address: String = Sample.address) throws -> [UInt8] {
        let event = PublishedEvent(
            seq: seq, at: WallTime(milliseconds: seq * 1_000), kind: .added, address: try IPAddress(address), user: 0)
        return OutgoingReply.message(publishing: event, nil)
    }

    private static let status = Sample.statusReply { $0.lastSeq = last }

    private static func monitored(after: Int64) -> String {
        #"{"method":"io.iprecord.Control.Monitor","more":true,"parameters":{"after":\#(after)}}"#
    }

    @Test func `the first event of a period is found by its time`() throws {
        let server = try WireServer(connections: [
            [Self.status, Self.status, try Self.event(2) + Self.event(3)], [try Self.event(2)], [try Self.event(1)],
        ])
        let ended = try BuiltIpctl.run(
            ["--socket", server.path, "--utc", "monitor", "--no-reconnect", "--since", "1970-01-01T00:00:02Z"])
        #expect(ended.status == 69 && ended.output.split(separator: "\n").count == 2, "\(ended)")
        #expect(server.callsOfConnections[0].last == Self.monitored(after: 1))
        #expect(server.callsOfConnections.dropFirst() == [[Self.monitored(after: 1)], [Self.monitored(after: 0)]])
    }

    @Test func `deleted events are earlier than any period`() throws {
        let gone = [OutgoingReply.error(.eventsGone(oldest: 3))]
        let third = [try Self.event(3)]
        let server = try WireServer(connections: [[Self.status, Self.status] + third, gone, third, gone, third])
        let ended = try BuiltIpctl.run(
            ["--socket", server.path, "monitor", "--no-reconnect", "--since", "1970-01-01T00:00:00Z"])
        #expect(ended.status == 69, "\(ended)")
        #expect(server.callsOfConnections[0].last == Self.monitored(after: 2))
    }

    /// The number of the event that follows those that a restore skipped. It happened at the third second.
    private static let afterGap: Int64 = 100_000_003

    /// The connections of a search for a time among the events 1, 2 and `afterGap`.
    private static func search(for time: Int64) throws -> [[[UInt8]]] {
        let later = PublishedEvent(
            seq: afterGap, at: WallTime(milliseconds: 3_000), kind: .added, address: try IPAddress(Sample.address))
        var connections: [[[UInt8]]] = []
        var (start, end) = (Int64(0), afterGap + 1)
        while end - start > 1 {
            let middle = start + (end - start) / 2
            if middle > 2 {
                let gone = OutgoingReply.error(.eventsGone(oldest: afterGap))
                connections += [[gone], [OutgoingReply.message(publishing: later, nil)]]
            } else {
                connections.append([try event(middle)])
            }
            if middle * 1_000 < time { start = middle } else { end = middle }
        }
        return connections
    }

    @Test(arguments: [(1_000, 0), (2_000, 1), (3_000, afterGap - 1)] as [(time: Int64, after: Int64)])
    func `the numbers that a restore skipped are not earlier than the period`(time: Int64, after: Int64) throws {
        let status = Sample.statusReply { $0.lastSeq = Self.afterGap }
        let server = try WireServer(connections: [[status, status, try Self.event(3)]] + Self.search(for: time))
        let ended = try BuiltIpctl.run(
            [
                "--socket", server.path, "monitor", "--no-reconnect", "--since",
                "1970-01-01T00:00:0\(time / 1_000)Z",
            ])
        #expect(ended.status == 69, "\(ended)")
        #expect(server.callsOfConnections[0].last == Self.monitored(after: after))
    }

    @Test func `if no events are kept, the command waits for new ones`() throws {
        let gone = [OutgoingReply.error(.eventsGone(oldest: 4))]
        let server = try WireServer(connections: [[Self.status, Self.status, try Self.event(4)], gone, gone])
        let ended = try BuiltIpctl.run(["--socket", server.path, "monitor", "--no-reconnect", "--since", "24h"])
        #expect(ended.status == 69, "\(ended)")
        #expect(server.callsOfConnections[0].last == Self.monitored(after: 3))
    }

    @Test func `a period ends after its last event, whatever the filters`() throws {
        let server = try WireServer(connections: [
            [Self.status, Sample.page([try Sample.entry(.loading, address: "192.0.2.7")])],
            [try Self.event(2)], [try Self.event(3)],
            [try Self.event(1, of: "192.0.2.7") + Self.event(2) + Self.event(3)],
        ])
        let ended = try BuiltIpctl.run(
            [
                "--socket", server.path, "--utc", "monitor", "--after", "0", "--until", "1970-01-01T00:00:02Z",
                "--tag", "dns", "--kind", "added",
            ])
        let expected = "1970-01-01T00:00:01Z  now watching 192.0.2.7 (by root)\n"
        #expect(ended == .init(status: 0, output: expected, errors: ""))
        #expect(server.calls.last == Self.monitored(after: 0))
    }

    @Test func `without an event in the period, the exit status is 1`() throws {
        func ended(_ arguments: String..., connections: [[[UInt8]]]) throws -> BuiltIpctl.Ended {
            let server = try WireServer(connections: connections)
            return try BuiltIpctl.run(["--socket", server.path] + arguments)
        }
        let empty = [[Sample.statusReply { $0.lastSeq = 0 }]]
        let missing = BuiltIpctl.Ended(status: 1, output: "", errors: "ipctl: no events match\n")
        #expect(try ended("monitor", "--after", "0", "--until", "24h", connections: empty) == missing)
        let json = try ended("--json", "monitor", "--after", "0", "--until", "24h", connections: empty)
        #expect(json == .init(status: 1, output: "", errors: ""))
        // No kept event has this kind.
        let kind = try ended(
            "monitor", "--after", "0", "--until", "1970-01-01T00:00:01Z", "--kind", "failed",
            connections: [[Self.status], [try Self.event(2)], [try Self.event(1)], [try Self.event(1)]])
        #expect(kind == missing)
    }

    @Test func `a number that does not exist yet, and an invalid address, are errors`() throws {
        let late = try BuiltIpctl.run(
            try WireServer([Self.status]), "monitor", "--after", "4", "--until", "24h")
        #expect(late.status == 65 && late.output == "", "\(late)")
        #expect(late.errorLines.first == "ipctl: event 4 does not exist yet: the last event is 3")
        let invalid = try BuiltIpctl.run(
            try WireServer([]), "monitor", "--after", "0", "--until", "24h", "1.1.1")
        #expect(invalid.status == 65 && invalid.output == "", "\(invalid)")
        let reason = "an IPv4 address has four parts; this one has 3"
        #expect(invalid.errorLines.first == "ipctl: \"1.1.1\" is not an IP address: \(reason)")
    }

    @Test(arguments: [
        (["--since", "24h", "--after", "1"], "give --after or --since, not both"),
        (["--until", "24h"], "--until requires --since or --after"),
        (["--since", "24h", "--until", "1h", "--cursor-file", "x"], "give --until or --cursor-file, not both"),
        (["--since", "noon"], "expected a duration such as 90s, 24h or 7d"),
    ])
    func `options that contradict each other are usage errors`(arguments: [String], text: String) throws {
        let ended = try BuiltIpctl.run(["--socket", "/nowhere", "monitor"] + arguments)
        #expect(ended.status == 64 && ended.errors.contains(text), "\(ended)")
    }

    @Test(
        arguments: [["monitor"], ["history"], ["history", "192.0.2.1"]],
        [
            ("1h", "2h"), ("2026-11-21", "2026-11-20"), ("2026-11-21T08:00:00Z", "2026-11-21T08:59:59+01:00"),
            ("1d", "2020-11-20"), ("2999-01-01", "0s"),
        ])
    func `a period that ends before it begins is a usage error`(
        command: [String], period: (since: String, until: String)
    ) throws {
        let options = ["--since", period.since, "--until", period.until]
        let ended = try BuiltIpctl.run(["--socket", "/nowhere"] + command + options)
        #expect(ended.status == 64 && ended.output == "", "\(ended)")
        #expect(ended.errorLines.first?.hasPrefix("ipctl: --since must not be later than --until: ") == true)
    }

    @Test func `the error about a reversed period has both times, in the command's time zone`() throws {
        let ended = try BuiltIpctl.run([
            "--socket", "/nowhere", "--utc", "history", "--since", "2026-11-21", "--until", "2026-11-20",
        ])
        let times = "2026-11-21T00:00:00Z is later than 2026-11-20T00:00:00Z"
        #expect(
            ended.errorLines == [
                "ipctl: --since must not be later than --until: \(times)",
                "A duration counts back from now, such as: --since 7d --until 1d",
            ])
    }

    @Test(arguments: ["monitor", "history"], ["1h", "2026-11-20"])
    func `a period can begin and end at the same time`(command: String, time: String) throws {
        let ended = try BuiltIpctl.run(["--socket", "/nowhere", command, "--since", time, "--until", time])
        #expect(ended.status == 69, "\(ended)")
    }

    @Test func `a period cannot end in the future`() throws {
        let server = try WireServer([Self.status])
        let ended = try BuiltIpctl.run(
            ["--socket", server.path, "monitor", "--since", "24h", "--until", "2999-01-01"])
        #expect(ended.status == 64 && ended.errorLines.first == "ipctl: --until must not be in the future")
        #expect(server.calls == [])
    }
}
