import Control
import RecordKeeping
import TestSupport
import Testing
import Varlink

@testable import ipctl

/// Commands about watched host names with the built program.
@Suite struct HostNameCommandTests {
    private static func name(
        _ label: String, _ state: NameState, _ numbers: ClosedRange<UInt32>? = nil, reason: String? = nil
    ) throws -> Interface.Name {
        let addresses = numbers.map { $0.map { IPAddress(v4: 0xC000_0200 + $0) } } ?? []
        let failure = reason.map { NameFailure(reason: $0, since: WallTime(milliseconds: Times.now - 60_000)) }
        let answeredAt = addresses.isEmpty ? nil : WallTime(milliseconds: Times.now - 120_000)
        let watch = WatchedName(addresses: addresses, tags: ["web"], answeredAt: answeredAt, failure: failure)
        return Interface.Name(NameView(name: try HostName("\(label).example"), state: state, watch: watch, nextAt: nil))
    }

    private static func run(_ replies: [[UInt8]], _ arguments: String...) throws -> (BuiltIpctl.Ended, [String]) {
        let server = try WireServer(replies)
        let ended = try BuiltIpctl.run(["--socket", server.path] + arguments, environment: ["TZ": "UTC0"])
        return (ended, server.calls)
    }

    private static func event(
        _ kind: PublishedEvent.Kind, seq: Int64, _ address: String? = nil
    ) throws -> Interface.Event {
        let event = PublishedEvent(
            seq: seq, at: WallTime(milliseconds: Times.now), kind: kind, address: try address.map { try IPAddress($0) },
            user: kind == .nameAdded ? 0 : nil, name: try HostName("a.example"))
        return Interface.Event(event, nil)
    }

    @Test func `names and addresses are added by calls of their own`() throws {
        let (ended, calls) = try Self.run(
            [
                OutgoingReply.message(Control.AddNames.Reply(added: 1, already: 1)),
                OutgoingReply.message(Control.Add.Reply(added: 1, already: 0, ends: WatchEndCounts())),
            ], "add", "B.example.", "192.0.2.1", "a.example", "b.example", "--tag", "web")
        #expect(
            ended == .init(status: 0, output: "1 host name added, 1 already watched\n1 address added\n", errors: ""))
        #expect(calls.count == 2)
        #expect(calls[0].contains(#""names":["b.example","a.example"]"#), "\(calls)")
        #expect(calls.allSatisfy { $0.contains(#""tags":["web"]"#) }, "\(calls)")
    }

    @Test(arguments: [["--for", "1h"], ["--wait"]]) func `names have no end, and are not awaited`(options: [String])
        throws
    {
        let server = try WireServer(connections: [[]], staysOpen: true)
        let ended = try BuiltIpctl.run(["--socket", server.path, "add", "a.example"] + options)
        let message = "ipctl: --for and --wait cannot be used with host names\n"
        #expect(ended == .init(status: 64, output: "", errors: message))
        #expect(server.calls == [])
    }

    @Test func `if an address is invalid, no name is added`() throws {
        let server = try WireServer(connections: [[]], staysOpen: true)
        let ended = try BuiltIpctl.run(server, "add", "a.example", "8.8.8", "a_b.example")
        #expect(ended.status == 65 && server.calls == [])
        #expect(
            ended.errorLines == [
                "ipctl: \"8.8.8\" is not an IP address: an IPv4 address has four parts; this one has 3",
                "\"a_b.example\" is not an IP address or a host name: a host name can contain only letters, digits, "
                    + "hyphens and dots",
            ])
    }

    @Test func `more names than a call may have are added by several calls`() throws {
        let names = (0..<31).map { "a\($0).example" }
        let server = try WireServer([
            OutgoingReply.message(Control.AddNames.Reply(added: 30, already: 0)),
            OutgoingReply.message(Control.AddNames.Reply(added: 1, already: 0)),
        ])
        let ended = try BuiltIpctl.run(["--socket", server.path, "add"] + names)
        #expect(ended == .init(status: 0, output: "31 host names added\n", errors: ""))
        #expect(server.calls.count == 2 && server.calls[1].contains(#""names":["a30.example"]"#), "\(server.calls)")
    }

    @Test func `a name is removed, and an unknown one is an error`() throws {
        let removed = OutgoingReply.message(Control.RemoveNames.Reply(removed: 1))
        #expect(
            try Self.run([removed], "remove", "a.example").0
                == .init(status: 0, output: "1 host name removed\n", errors: ""))
        let (ended, _) = try Self.run([OutgoingReply.error(.nameNotWatched("a.example"))], "remove", "a.example")
        #expect(ended.status == 1 && ended.output == "")
        #expect(
            ended.errors == """
                ipctl: the host name a.example is not watched
                Nothing was changed. To see the watch list: ipctl list

                """)
    }

    @Test func `names and addresses are not removed by one command`() throws {
        let server = try WireServer(connections: [[]], staysOpen: true)
        let ended = try BuiltIpctl.run(server, "remove", "a.example", "192.0.2.1")
        #expect(ended.status == 64 && server.calls == [])
        #expect(ended.errorLines.first == "ipctl: remove addresses and host names with separate commands")
    }

    @Test func `a preview names the names that would change`() throws {
        let watched = OutgoingReply.message(["names": [try Self.name("a", .fresh, 1...2)]])
        let unknown = OutgoingReply.error(.nameNotWatched("b.example"))
        let (added, calls) = try Self.run([watched, unknown], "add", "a.example", "b.example", "--dry-run")
        let summary = "ipctl: 1 host name would be added, 1 already watched\n"
        #expect(added == .init(status: 0, output: "b.example\n", errors: summary))
        #expect(calls.count == 2 && calls.allSatisfy { !$0.contains("AddNames") })
    }

    @Test func `a preview of a removal names the addresses that would go with the names`() throws {
        let names = OutgoingReply.message([
            "names": [
                try Self.name("a", .fresh, 1...3), try Self.name("b", .fresh, 3...4), try Self.name("c", .loading),
            ]
        ])
        let byName = Watch(byClient: false, byName: true, tags: ["web"], note: "ours")
        // A client has added the second address, and the name that stays has the third one.
        let page = Sample.page([
            try Sample.entry(.stale, address: "192.0.2.1", watch: byName, record: Sample.record, scanned: -1),
            try Sample.entry(.failed, address: "192.0.2.2", watch: Watch(byClient: true, byName: true)),
            try Sample.entry(.failed, address: "192.0.2.3", watch: byName),
            try Sample.entry(.failed, address: "192.0.2.4", watch: byName),
        ])
        let (ended, calls) = try Self.run([names, page], "remove", "a.example", "--dry-run")
        let summary = "ipctl: 1 host name would be removed, with 1 address\n"
        #expect(ended == .init(status: 0, output: "a.example\n192.0.2.1 web # ours\n", errors: summary))
        #expect(calls.count == 2 && calls.allSatisfy { !$0.contains("RemoveNames") }, "\(calls)")
        let (both, _) = try Self.run([names, page], "remove", "b.example", "a.example", "--dry-run")
        #expect(both.errors == "ipctl: 2 host names would be removed, with 3 addresses\n")
        let lines = ["b.example", "a.example", "192.0.2.3 web # ours", "192.0.2.4 web # ours", "192.0.2.1 web # ours"]
        #expect(both.output == lines.map { "\($0)\n" }.joined())
        let (json, _) = try Self.run([names, page], "remove", "a.example", "--dry-run", "--json")
        let entry = #"{"address":"192.0.2.1","note":"ours","pinned":false,"tags":["web"]}"#
        let document = #"{"addresses":["192.0.2.1"],"entries":[\#(entry)],"names":["a.example"]}"#
        #expect(json.output == document + "\n")
        let (none, noCalls) = try Self.run([names], "remove", "c.example", "--dry-run")
        #expect(none == .init(status: 0, output: "c.example\n", errors: "ipctl: 1 host name would be removed\n"))
        #expect(noCalls.count == 1, "the list is not read for a name without addresses")
        let (unknown, _) = try Self.run([names], "remove", "a.example", "d.example", "--dry-run")
        #expect(unknown.status == 1 && unknown.output == "", "\(unknown)")
        #expect(unknown.errors.hasPrefix("ipctl: the host name d.example is not watched\n"), "\(unknown)")
    }

    @Test func `names are shown as a table, in rows and as JSON`() throws {
        let names = [
            try Self.name("a", .fresh, 1...2), try Self.name("b", .stale, 3...3, reason: "no reply"),
            try Self.name("c", .loading), try Self.name("d", .failed, reason: "no such name"),
        ]
        let reply = OutgoingReply.message(["names": names])
        let (table, _) = try Self.run([reply], "names")
        let lines = table.output.split(separator: "\n").map(String.init)
        #expect(table.status == 0 && lines.count == 5, "\(table)")
        #expect(lines[1].contains(/^a\.example +fresh +192\.0\.2\.1 192\.0\.2\.2/), "\(lines)")
        #expect(lines[2].contains(/stale +192\.0\.2\.3 +cannot be resolved since .*: no reply$/), "\(lines)")
        #expect(lines[3].contains(/loading +not resolved yet$/), "\(lines)")
        #expect(lines[4].contains(/failed +cannot be resolved since .*: no such name$/), "\(lines)")
        let (rows, calls) = try Self.run([reply], "names", "a.example", "--columns", "name,state", "--format", "tsv")
        #expect(rows.output.hasPrefix("name\tstate\na.example\tfresh\nb.example\tstale\n"), "\(rows)")
        #expect(calls.first?.contains(#""names":["a.example"]"#) == true)
        #expect(try Self.run([reply], "names", "--json").0.output.hasPrefix(#"{"names":[{"#))
        let (none, _) = try Self.run([OutgoingReply.message(["names": [Interface.Name]()])], "names")
        #expect(none.status == 1 && none.errors.hasPrefix("ipctl: no host names are watched\n"), "\(none)")
    }

    @Test func `the history of a name has its events, newest first`() throws {
        let events = [
            try Self.event(.addressAdded, seq: 7, "192.0.2.1"), try Self.event(.nameAdded, seq: 6),
        ]
        let reply = OutgoingReply.message(["events": events])
        let (ended, calls) = try Self.run([reply], "history", "a.example")
        let lines = ended.output.split(separator: "\n").map(String.init)
        #expect(ended.status == 0 && lines.count == 2, "\(ended)")
        #expect(lines[0].hasSuffix("  a.example has the new address 192.0.2.1"), "\(lines)")
        #expect(lines[1].hasSuffix("  now watching the host name a.example (by root)"), "\(lines)")
        #expect(calls.first?.contains("NameHistory") == true)
        let (none, _) = try Self.run([OutgoingReply.message(["events": [Interface.Event]()])], "history", "a.example")
        #expect(none == .init(status: 1, output: "", errors: "ipctl: no events recorded for a.example\n"))
        for arguments in [["192.0.2.1"], ["b.example"], ["--field", "city"], ["--format", "csv"]] {
            let server = try WireServer(connections: [[]], staysOpen: true)
            let ended = try BuiltIpctl.run(["--socket", server.path, "history", "a.example"] + arguments)
            #expect(ended.status == 64 && server.calls == [], "\(arguments): \(ended)")
        }
    }
    @Test func `a note says that a name has more events`() throws {
        let newest = try (1...100).reversed().map { try Self.event(.addressAdded, seq: $0 + 1, "192.0.2.1") }
        let oldest = [try Self.event(.nameAdded, seq: 1)]
        func run(_ older: [Interface.Event], _ options: String...) throws -> (BuiltIpctl.Ended, [String]) {
            let server = try WireServer([
                OutgoingReply.message(["events": newest]), OutgoingReply.message(["events": older]),
            ])
            let ended = try BuiltIpctl.run(["--socket", server.path, "history", "a.example"] + options)
            return (ended, server.calls)
        }
        let (more, calls) = try run(oldest)
        #expect(more.errors == "ipctl: only the newest 100 events are shown; --all shows the rest\n", "\(more)")
        #expect(more.status == 0 && more.output.split(separator: "\n").count == 100)
        #expect(calls.count == 2 && calls[1].contains(#""before":2,"limit":1"#), "\(calls)")
        #expect(try run([]).0.errors == "")
        let (limited, limitedCalls) = try run(oldest, "--limit", "100")
        #expect(limited.errors == "" && limitedCalls.count == 1, "\(limitedCalls)")
        let (json, _) = try run(oldest, "--json")
        #expect(json.errors == more.errors && json.output.split(separator: "\n").count == 1, "\(json)")
    }
}
