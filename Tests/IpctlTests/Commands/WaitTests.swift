import Control
import RecordKeeping
import TestSupport
import Testing
import Varlink

@testable import ipctl

/// `ipctl wait` with the built program and a mock daemon for two connections.
@Suite struct WaitTests {
    private static let status = Sample.reply(Sample.status())
    private static let offline = Sample.reply(
        Sample.status {
            $0.isOnline = false
            $0.networkReason = "unreachable"
        })

    private static func event(_ kind: PublishedEvent.Kind, _ address: String? = Sample.address) throws -> [UInt8] {
        let fields = kind == .changed ? [FieldChange(field: "isp", old: "A", new: "B")] : []
        let event = try Sample.event(kind, address: address, fields: fields)
        return OutgoingReply.message(Control.Monitor.Reply(event: event), continues: true)
    }

    /// - Parameters:
    ///   - events: the events that are sent at once.
    ///   - looks: the replies on the second connection.
    private static func server(_ events: [[UInt8]], _ looks: [[UInt8]]) throws -> WireServer {
        try WireServer(connections: [[status, events.flatMap { $0 }], looks], staysOpen: true)
    }

    private static func entry(
        _ state: EntryState, _ address: String = Sample.address, isWatched: Bool = true, reason: String? = nil
    ) throws -> Interface.Entry {
        let watch = isWatched ? Watch(byClient: true) : nil
        guard state == .fresh || state == .stale else {
            return try Sample.entry(state, address: address, watch: watch, reason: reason)
        }
        var entry = try Sample.entry(state, address: address, watch: watch, record: Sample.record, scanned: -1)
        entry.scannedAt = nil
        return entry
    }

    private static func shown(_ entries: Interface.Entry...) -> [UInt8] { Sample.reply(["entries": entries]) }

    private static let look =
        #"{"method":"io.iprecord.Control.Show","parameters":{"addresses":["192.0.2.1","192.0.2.2"],"wait":0}}"#

    /// The reply to `History` for watched addresses.
    private static let watched = Sample.reply(Control.History.Reply(changes: []))

    // MARK: fresh

    @Test func `fresh records end the wait at once, and the subscription comes before the query`() throws {
        let server = try Self.server([], [Self.shown(try Self.entry(.fresh), try Self.entry(.fresh, "192.0.2.2"))])
        let ended = try BuiltIpctl.run(server, "wait", "fresh", "192.0.2.1", "::ffff:192.0.2.2", "192.0.2.1")
        #expect(ended.status == 0)
        #expect(ended.errors == "")
        #expect(ended.output.split(separator: "\n").count == 3)
        let parameters = #"{"addresses":["192.0.2.1","192.0.2.2"],"kinds":["refreshed","removed"]}"#
        #expect(
            server.callsOfConnections == [
                [
                    #"{"method":"io.iprecord.Control.Status","parameters":{}}"#,
                    #"{"method":"io.iprecord.Control.Monitor","more":true,"parameters":\#(parameters)}"#,
                ], [Self.look],
            ])
    }

    @Test func `the wait ends after a final query shows that all addresses are fresh`() throws {
        let before = Self.shown(try Self.entry(.stale), try Self.entry(.loading, "192.0.2.2"))
        let grownOld = Self.shown(try Self.entry(.stale), try Self.entry(.fresh, "192.0.2.2"))
        let after = Self.shown(try Self.entry(.fresh), try Self.entry(.fresh, "192.0.2.2"))
        let events = try [Self.event(.refreshed), Self.event(.refreshed, "192.0.2.2"), Self.event(.refreshed)]
        let server = try Self.server(events, [before, grownOld, after])
        let ended = try BuiltIpctl.run(server, "wait", "fresh", "192.0.2.1", "192.0.2.2", "--json")
        #expect(ended.status == 0)
        #expect(ended.errors == "")
        #expect(ended.output == String(decoding: after.dropFirst(14).dropLast(2), as: UTF8.self) + "\n")
        #expect(server.callsOfConnections.last == [Self.look, Self.look, Self.look])
    }

    @Test func `after the time limit, it ends with 75 and the reason`() throws {
        let stale = Self.shown(try Self.entry(.fresh), try Self.entry(.stale, "192.0.2.2"))
        let one = try BuiltIpctl.run(
            try Self.server([], [stale]), "wait", "fresh", "192.0.2.1", "192.0.2.2", "--timeout", "0s")
        #expect(one == .init(status: 75, output: "", errors: "ipctl: timed out after 0 ms: 192.0.2.2 is not fresh\n"))
        let loading = Self.shown(try Self.entry(.loading), try Self.entry(.loading, "192.0.2.2"))
        let events = try [Self.event(.refreshed, "192.0.2.3")]
        let two = try BuiltIpctl.run(
            try Self.server(events, [loading]), "wait", "fresh", "192.0.2.1", "192.0.2.2", "--timeout", "20ms")
        #expect(
            two
                == .init(
                    status: 75, output: "", errors: "ipctl: timed out after 20 ms: 192.0.2.1 and 1 more are not fresh\n"
                )
        )
    }

    @Test func `an address that can never be fresh ends the wait`() throws {
        let empty = Self.shown(try Self.entry(.empty, "192.168.0.1", reason: "private range\u{7}"))
        let special = try BuiltIpctl.run(try Self.server([], [empty]), "wait", "fresh", "192.168.0.1")
        let expectedText = "ipctl: the provider has no record of 192.168.0.1: private range\u{FFFD}\n"
        #expect(special == .init(status: 1, output: "", errors: expectedText))
        let unwatched = Self.shown(try Self.entry(.loading, isWatched: false))
        let ended = try BuiltIpctl.run(try Self.server([], [unwatched]), "wait", "fresh", "192.0.2.1")
        #expect(ended.status == 1)
        #expect(ended.errorLines.first == "ipctl: 192.0.2.1 is not on the watch list, so it is not refreshed")
        let server = try Self.server([try Self.event(.removed)], [Self.shown(try Self.entry(.stale))])
        let removed = try BuiltIpctl.run(server, "wait", "fresh", "192.0.2.1")
        #expect(removed == .init(status: 1, output: "", errors: "ipctl: 192.0.2.1 was removed from the watch list\n"))
    }

    // MARK: changed

    @Test func `changed waits for the next change of each address, and prints it`() throws {
        let events = try [
            Self.event(.changed), Self.event(.changed), Self.event(.changed, "192.0.2.2"), Self.event(.changed),
        ]
        let looked = Self.shown(try Self.entry(.fresh), try Self.entry(.fresh, "192.0.2.2"))
        let server = try Self.server(events, [Self.watched, looked])
        let ended = try BuiltIpctl.run(
            ["--socket", server.path, "wait", "changed", "192.0.2.1", "192.0.2.2"], environment: ["TZ": "UTC0"])
        let expected = ["192.0.2.1", "192.0.2.1", "192.0.2.2"].map {
            "2027-01-15T08:00:00Z  \($0) changed: provider A → B\n"
        }
        #expect(ended == .init(status: 0, output: expected.joined(), errors: ""))
        #expect(server.callsOfConnections.first?.last?.contains(#""kinds":["changed","removed"]"#) == true)
        #expect(server.callsOfConnections.last?.last == Self.look)
    }

    @Test func `without a change in time, it ends with 75`() throws {
        let server = try Self.server([], [Self.watched, Self.shown(try Self.entry(.fresh))])
        let ended = try BuiltIpctl.run(server, "wait", "changed", "192.0.2.1", "--timeout", "1ms")
        #expect(
            ended == .init(status: 75, output: "", errors: "ipctl: timed out after 1 ms: 192.0.2.1 has not changed\n"))
    }

    @Test func `an address that is not watched ends the wait without a lookup`() throws {
        let server = try Self.server([], [OutgoingReply.error(.notWatched("192.0.2.1"))])
        let ended = try BuiltIpctl.run(server, "wait", "changed", "192.0.2.1")
        #expect(ended.status == 1)
        #expect(ended.errorLines.first == "ipctl: 192.0.2.1 is not on the watch list, so it is not refreshed")
        #expect(server.callsOfConnections.joined().allSatisfy { !$0.contains("Control.Show") })
    }

    @Test func `an address without a record ends the wait`() throws {
        let empty = Self.shown(try Self.entry(.fresh), try Self.entry(.empty, "192.168.0.1", reason: "private range"))
        let ended = try BuiltIpctl.run(
            try Self.server([], [Self.watched, empty]), "wait", "changed", "192.0.2.1", "192.168.0.1", "--timeout",
            "20s")
        let expectedText = "ipctl: the provider has no record of 192.168.0.1: private range\n"
        #expect(ended == .init(status: 1, output: "", errors: expectedText))
    }

    // MARK: online

    @Test func `online queries the status again when the route is restored`() throws {
        let server = try Self.server([try Self.event(.networkRestored, nil)], [Self.offline, Self.status])
        let ended = try BuiltIpctl.run(
            ["--socket", server.path, "wait", "online"], environment: ["TZ": "UTC0"])
        #expect(ended.status == 0)
        #expect(ended.output.contains(/^online since [-\d]*T06:00:00Z\n$/))
        #expect(server.callsOfConnections.first?.last?.contains(#"{"kinds":["networkRestored"]}"#) == true)
        #expect(server.callsOfConnections.last?.count == 2)
        let late = try BuiltIpctl.run(try Self.server([], [Self.offline]), "wait", "online", "--timeout", "0s")
        #expect(late.status == 75)
        #expect(late.errors == "ipctl: timed out after 0 ms: there is no route to the provider: unreachable\n")
    }

    // MARK: What goes wrong

    @Test func `a closed connection is reported`() throws {
        let server = try WireServer(connections: [[Self.status, []], [Self.shown(try Self.entry(.stale))]])
        let ended = try BuiltIpctl.run(server, "wait", "fresh", "192.0.2.1", "--timeout", "1h", "--no-reconnect")
        #expect(ended.status == 69)
    }

    @Test func `the time limit also applies to a hanging daemon`() throws {
        let server = try WireServer(connections: [[]], staysOpen: true)
        let ended = try BuiltIpctl.run(server, "wait", "online", "--timeout", "1ms")
        #expect(ended.status == 75)
    }

    @Test(
        arguments: [
            (["wait"], 64, "missing expected argument"), (["wait", "fresh"], 64, "give the addresses to wait for"),
            (["wait", "changed"], 64, "give the addresses to wait for"), (["wait", "gone", "::1"], 64, "gone"),
            (["wait", "online", "::1"], 64, "wait online takes no addresses"),
            (["wait", "online", "--timeout", "soon"], 64, "expected a duration such as"),
            (["wait", "fresh", "8.8.8"], 65, "ipctl: \"8.8.8\" is not an IP address: an IPv4 address has four parts"),
        ] as [([String], Int32, String)])
    func `invalid arguments are reported before anything is sent`(arguments: [String], status: Int32, text: String)
        throws
    {
        let server = try Self.server([], [])
        let ended = try BuiltIpctl.run(["--socket", server.path] + arguments)
        #expect(ended.status == status)
        #expect(ended.errorLines.first?.contains(text) == true, "\(ended.errors)")
        #expect(server.calls == [])
    }
}
