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
    private static func server() throws -> WireServer {
        let entry = try Sample.entry(.fresh, address: "127.0.0.1", record: Sample.record, scanned: -1)
        return try WireServer([OutgoingReply.message(["entries": [entry]])])
    }

    @Test func `the daemon is asked for the addresses of a name`() throws {
        let server = try Self.server()
        let ended = try BuiltIpctl.run(server, "show", "LOCALHOST.")
        #expect(ended.status == 0, "\(ended)")
        #expect(ended.errors.hasPrefix("ipctl: localhost has "), "\(ended.errors)")
        let call = try #require(server.calls.first)
        #expect(server.calls.count == 1 && !call.lowercased().contains("localhost"), "\(call)")
        #expect(Self.local.contains { call.contains("\"\($0)\"") }, "\(call)")
    }

    @Test(arguments: [["--field", "city"], ["--json"], ["--columns", "city"], ["--format", "jsonl"]])
    func `the output for programs has no note about the addresses`(options: [String]) throws {
        let server = try Self.server()
        let ended = try BuiltIpctl.run(["--socket", server.path, "show", "localhost"] + options)
        #expect(ended.status == 0 && ended.errors == "", "\(ended)")
    }

    @Test func `a name without an address is an error, and the daemon is not asked`() throws {
        let server = try WireServer(connections: [[]], staysOpen: true)
        let ended = try BuiltIpctl.run(["--socket", server.path, "show", "192.0.2.1", "name.invalid"])
        // Without a name server, the resolver does not know that the name does not exist.
        #expect([68, 75].contains(ended.status), "\(ended)")
        #expect(ended.output == "" && ended.errors.hasPrefix("ipctl: cannot resolve name.invalid: "), "\(ended)")
        #expect(server.calls == [])
    }

    @Test func `other commands take no host names`() throws {
        let server = try WireServer(connections: [[]], staysOpen: true)
        let ended = try BuiltIpctl.run(["--socket", server.path, "pin", "localhost.example"])
        #expect(ended.status == 65)
        #expect(ended.errors.hasPrefix("ipctl: \"localhost.example\" is not an IP address: "), "\(ended.errors)")
    }
}
