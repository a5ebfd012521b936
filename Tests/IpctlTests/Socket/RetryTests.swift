import Control
import TestSupport
import Testing
import Varlink

/// A daemon that closes a connection, as it does when it is restarted.
@Suite struct RetryTests {
    private static let status = Sample.reply(Sample.status())

    @Test func `a read is sent once more when the connection ends without a reply`() throws {
        let server = try WireServer(connections: [[[]], [Self.status]])
        let ended = try BuiltIpctl.run(server, "status")
        #expect(ended.status == 0, "\(ended.errors)")
        #expect(ended.errors == "")
        let call = #"{"method":"io.iprecord.Control.Status","parameters":{}}"#
        #expect(server.callsOfConnections == [[call], [call]])
    }

    @Test func `a read is not sent a third time`() throws {
        let server = try WireServer(connections: [[[]], [[]], [Self.status]])
        let ended = try BuiltIpctl.run(server, "status")
        #expect(ended.status == 69)
        #expect(ended.errorLines.first == "ipctl: the daemon at \(server.path) closed the connection")
    }

    @Test func `a read is not sent again after a part of its reply`() throws {
        let server = try WireServer(connections: [[Array(#"{"par"#.utf8)], [Self.status]])
        #expect(try BuiltIpctl.run(server, "status").status == 69)
    }

    @Test func `a change is never sent again`() throws {
        let added = Sample.reply(["added": 1, "already": 0])
        let server = try WireServer(connections: [[[]], [added]])
        #expect(try BuiltIpctl.run(server, "add", "192.0.2.1").status == 69)
        #expect(server.callsOfConnections[1] == [])
    }

    @Test func `a daemon that does not return is reported as a closed connection`() throws {
        let server = try WireServer(connections: [[[]]])
        let ended = try BuiltIpctl.run(server, "list")
        #expect(ended.status == 69)
        #expect(ended.errorLines.first == "ipctl: the daemon at \(server.path) closed the connection")
    }
}
