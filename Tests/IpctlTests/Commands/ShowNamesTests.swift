import Control
import RecordKeeping
import TestSupport
import Testing
import Varlink

@testable import ipctl

/// `ipctl show` of host names with the built program, and the resolver of this machine.
@Suite struct ShowNamesTests {
    private static let local = Set(["127.0.0.1", "::1"])

    /// Returns a daemon that answers with an entry, whatever the addresses are.
    ///
    /// - Parameter watched: the watched name; nil if the name is not watched.
    private static func server(watched: Interface.Name? = nil) throws -> WireServer {
        let entry = try Sample.entry(.fresh, address: "127.0.0.1", record: Sample.record, scanned: -1)
        return try WireServer([
            watched.map { OutgoingReply.message(["names": [$0]]) } ?? Self.notWatched,
            OutgoingReply.message(["entries": [entry]]),
        ])
    }

    private static let notWatched = OutgoingReply.error(.nameNotWatched("localhost"))

    @Test func `the daemon is asked for the addresses of a name`() throws {
        let server = try Self.server()
        let ended = try BuiltIpctl.run(server, "show", "LOCALHOST.")
        #expect(ended.status == 0, "\(ended)")
        #expect(ended.errors.hasPrefix("ipctl: localhost has "), "\(ended.errors)")
        #expect(server.calls.first?.contains(#""names":["localhost"]"#) == true, "\(server.calls)")
        let call = try #require(server.calls.last)
        #expect(server.calls.count == 2 && !call.lowercased().contains("localhost"), "\(call)")
        #expect(Self.local.contains { call.contains("\"\($0)\"") }, "\(call)")
    }

    @Test func `the addresses of a watched name are those that the daemon knows`() throws {
        let watch = WatchedName(
            addresses: [IPAddress(v4: 0x0101_0101), IPAddress(v4: 0x0808_0808)],
            answeredAt: WallTime(milliseconds: Times.now - 3_600_000),
            failure: NameFailure(reason: "no reply", since: WallTime(milliseconds: Times.now - 60_000)))
        let name = try HostName("www.example")
        let server = try Self.server(
            watched: Interface.Name(NameView(name: name, state: .stale, watch: watch, nextAt: nil)))
        let ended = try BuiltIpctl.run(server, "show", "www.example")
        #expect(ended.status == 0, "\(ended)")
        let note = "ipctl: www.example has 2 addresses: 1.1.1.1, 8.8.8.8 (cannot be resolved since "
        #expect(ended.errors.hasPrefix(note) && ended.errors.hasSuffix(": no reply)\n"), "\(ended.errors)")
        #expect(server.calls.last?.contains(#""addresses":["1.1.1.1","8.8.8.8"]"#) == true, "\(server.calls)")
    }

    @Test func `an address of a watched name that cannot be read is an error`() throws {
        let watch = WatchedName(addresses: [IPAddress(v4: 0x0101_0101)], answeredAt: WallTime(milliseconds: Times.now))
        let name = try HostName("www.example")
        var watched = Interface.Name(NameView(name: name, state: .fresh, watch: watch, nextAt: nil))
        watched.addresses.append("1.1.1")
        let server = try Self.server(watched: watched)
        let ended = try BuiltIpctl.run(server, "show", "www.example")
        #expect(ended.status == 70 && ended.output == "", "\(ended)")
        #expect(ended.errors.hasPrefix("ipctl: the daemon's reply could not be parsed"), "\(ended)")
        #expect(server.calls.count == 1, "\(server.calls)")
    }

    @Test func `a daemon of an older version watches no names`() throws {
        let entry = try Sample.entry(.fresh, address: "127.0.0.1", record: Sample.record, scanned: -1)
        let server = try WireServer([
            OutgoingReply.error(.service(.methodNotFound("io.iprecord.Control.Names"))),
            OutgoingReply.message(["entries": [entry]]),
        ])
        #expect(try BuiltIpctl.run(server, "show", "localhost", "--field", "city").status == 0)
    }

    @Test(arguments: [["--field", "city"], ["--json"], ["--columns", "city"], ["--format", "jsonl"]])
    func `the output for programs has no note about the addresses`(options: [String]) throws {
        let server = try Self.server()
        let ended = try BuiltIpctl.run(["--socket", server.path, "show", "localhost"] + options)
        #expect(ended.status == 0 && ended.errors == "", "\(ended)")
    }

    @Test func `a name without an address is an error, and no record is requested`() throws {
        let server = try WireServer(connections: [[Self.notWatched]], staysOpen: true)
        let ended = try BuiltIpctl.run(["--socket", server.path, "show", "192.0.2.1", "name.invalid"])
        // Without a name server, the resolver does not know that the name does not exist.
        #expect([68, 75].contains(ended.status), "\(ended)")
        #expect(ended.output == "" && ended.errors.hasPrefix("ipctl: cannot resolve name.invalid: "), "\(ended)")
        #expect(server.calls.count == 1 && !server.calls[0].contains("Show"), "\(server.calls)")
    }

    @Test func `other commands take no host names`() throws {
        let server = try WireServer(connections: [[]], staysOpen: true)
        let ended = try BuiltIpctl.run(["--socket", server.path, "pin", "localhost.example"])
        #expect(ended.status == 65)
        #expect(ended.errors.hasPrefix("ipctl: \"localhost.example\" is not an IP address: "), "\(ended.errors)")
    }
}
