import Control
import Testing
import Varlink

/// `ipctl refresh` and `reload`, as the built program.
@Suite struct RefreshTests {
    @Test(
        arguments: [
            (0, 0, "nothing to try again"), (0, 1, "nothing to try again, 1 is fresh"),
            (1, 0, "1 address is tried again now"),
            (1_234, 5_678, "1,234 addresses are tried again now, 5,678 are fresh"),
        ])
    func `refresh says what is tried again and what stays`(scheduled: Int, fresh: Int, said: String) throws {
        let server = try WireServer([Sample.reply(Control.Refresh.Reply(scheduled: scheduled, fresh: fresh))])
        let ended = try BuiltIpctl.run(server, "refresh", "192.0.2.1", "::1")
        #expect(ended == .init(status: 0, output: said + "\n", errors: ""))
        let parameters = #"{"addresses":["192.0.2.1","::1"]}"#
        #expect(server.calls == [#"{"method":"io.iprecord.Control.Refresh","parameters":\#(parameters)}"#])
    }

    @Test func `without addresses refresh is for the whole list`() throws {
        let server = try WireServer([Sample.reply(Control.Refresh.Reply(scheduled: 2, fresh: 0))])
        let ended = try BuiltIpctl.run(server, "--json", "refresh")
        #expect(ended == .init(status: 0, output: #"{"fresh":0,"scheduled":2}"# + "\n", errors: ""))
        #expect(server.calls == [#"{"method":"io.iprecord.Control.Refresh","parameters":{}}"#])
    }

    @Test(
        arguments: [
            (0, 0, "read again; the watch list is as it was"), (1, 0, "read again; 1 address added, 0 removed"),
            (1_500, 3, "read again; 1,500 addresses added, 3 removed"),
        ])
    func `reload says what came of it`(added: Int, removed: Int, said: String) throws {
        let server = try WireServer([Sample.reply(Control.Reload.Reply(added: added, removed: removed))])
        let ended = try BuiltIpctl.run(server, "reload")
        #expect(ended == .init(status: 0, output: said + "\n", errors: ""))
        #expect(server.calls == [#"{"method":"io.iprecord.Control.Reload","parameters":{}}"#])
    }

    @Test func `a list that cannot be read is told, a mistake a line`() throws {
        let message = "line 2 of a.list: \"8.8.8\" is no IP address\nline 9 of a.list: \u{1B}[2J"
        let ended = try BuiltIpctl.run(try WireServer([OutgoingReply.error(.reloadFailed(message))]), "reload")
        #expect(ended.status == 65)
        #expect(
            ended.errors == """
                ipctl: not all could be read again: line 2 of a.list: "8.8.8" is no IP address
                line 9 of a.list: \u{FFFD}[2J\n
                """)
    }

    @Test func `with --json reload prints the reply`() throws {
        let server = try WireServer([Sample.reply(Control.Reload.Reply(added: 1, removed: 2))])
        let ended = try BuiltIpctl.run(server, "reload", "--json")
        #expect(ended == .init(status: 0, output: #"{"added":1,"removed":2}"# + "\n", errors: ""))
    }
}
