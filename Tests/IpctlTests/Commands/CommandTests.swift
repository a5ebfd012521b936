import Control
import RecordKeeping
import TestSupport
import Testing
import Varlink

/// The built program with a mock daemon.
@Suite struct CommandTests {
    private static let added = #"{"parameters":{"added":2,"already":1}}"#
    private static func reply(_ entries: Interface.Entry...) throws -> String {
        let message = OutgoingReply.message(["entries": entries])
        return String(decoding: message.dropLast(), as: UTF8.self)
    }

    private static func run(
        _ server: WireServer, _ arguments: String..., environment: [String: String] = [:], input: String = ""
    ) throws -> BuiltIpctl.Ended {
        try BuiltIpctl.run(["--socket", server.path] + arguments, environment: environment, input: input)
    }

    @Test func `add sends its arguments and prints a summary`() throws {
        let server = try WireServer(Self.added)
        let ended = try Self.run(server, "add", "1.1.1.1", "::1", "--tag", "dns", "--tag", "a", "--note", "two words")
        #expect(ended == .init(status: 0, output: "2 addresses added, 1 already on the list\n", errors: ""))
        let parameters = #"{"addresses":["1.1.1.1","::1"],"note":"two words","tags":["dns","a"]}"#
        #expect(server.calls == [#"{"method":"io.iprecord.Control.Add","parameters":\#(parameters)}"#])
    }

    @Test func `addresses come from the command line, from a file and from standard input`() throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("192.0.2.1\n192.0.2.2\n# two\n", to: "a.txt")
        for (name, input) in [(file, ""), ("-", "192.0.2.1\n192.0.2.2")] {
            let server = try WireServer(Self.added)
            #expect(try Self.run(server, "add", "192.0.2.9", "--file", name, input: input).status == 0)
            #expect(server.calls.first?.contains(#"["192.0.2.9","192.0.2.1","192.0.2.2"]"#) == true)
        }
    }

    @Test func `an invalid file is an error, and nothing is sent`() throws {
        let server = try WireServer(Self.added)
        let ended = try Self.run(server, "add", "--file", "-", input: "192.0.2.1\nexample.com\n")
        #expect(ended.status == 65)
        #expect(ended.errors.hasPrefix("ipctl: line 2 of standard input: \"example.com\" is not an IP address"))
        #expect(server.calls == [])
        let empty = try Self.run(try WireServer(Self.added), "add", "--file", "-", input: "# nothing\n")
        #expect(empty.status == 65)
    }

    @Test func `with --json, each reply is a document on one line`() throws {
        let entry = try Sample.entry(.fresh, record: Sample.record, scanned: -1, expires: 299)
        for arguments in [["--json", "show"], ["show", "--json"]] {
            let reply = try Self.reply(entry)
            let server = try WireServer(reply)
            let ended = try BuiltIpctl.run(["--socket", server.path] + arguments + ["192.0.2.1"])
            let parameters = reply.dropFirst(#"{"parameters":"#.count).dropLast()
            #expect(ended == .init(status: 0, output: parameters + "\n", errors: ""))
        }
    }

    @Test func `with --json, the exit status is the same`() throws {
        let server = try WireServer(try Self.reply(try Sample.entry(.loading)))
        let ended = try Self.run(server, "show", "192.0.2.1", "--json", "--wait", "0")
        #expect(ended.status == 75)
        #expect(ended.output.hasPrefix(#"{"entries":["#))
        let call = #"{"method":"io.iprecord.Control.Show","parameters":{"addresses":["192.0.2.1"],"wait":0}}"#
        #expect(server.calls == [call])
    }

    @Test func `the fields of several addresses are printed on one line each, and empty if unknown`() throws {
        let entry = try Sample.entry(.fresh, record: Sample.record, scanned: -1)
        let server = try WireServer(try Self.reply(entry, try Sample.entry(.loading, address: "192.0.2.2")))
        let ended = try Self.run(server, "show", "192.0.2.1", "192.0.2.2", "--field", "isp", "--field", "state")
        #expect(ended == .init(status: 75, output: "Example ISP\tfresh\n\tloading\n", errors: ""))
    }

    @Test func `show waits for the given duration`() throws {
        let server = try WireServer(try Self.reply(try Sample.entry(.loading)))
        _ = try Self.run(server, "show", "192.0.2.1", "--wait", "1.5")
        #expect(server.calls.first?.contains(#""wait":1500"#) == true)
    }

    @Test func `addresses in a watch-list file stay, in any notation`() throws {
        let server = try WireServer(#"{"parameters":{"removed":1}}"#)
        let ended = try Self.run(server, "remove", "2001:db8::1", "2001:DB8:0::1")
        #expect(ended == .init(status: 0, output: "1 address removed\n", errors: ""))
        let other = try Self.run(try WireServer(#"{"parameters":{"removed":1}}"#), "remove", "192.0.2.1", "192.0.2.2")
        #expect(other.status == 1)
        #expect(other.output.contains("1 address stays because it is in the configuration or a watch-list file"))
        let none = try Self.run(try WireServer(#"{"parameters":{"removed":0}}"#), "remove", "192.0.2.1")
        #expect(none.status == 1)
        let json = try Self.run(
            try WireServer(#"{"parameters":{"removed":1}}"#), "--json", "remove", "192.0.2.1", "192.0.2.2")
        #expect(json == .init(status: 1, output: #"{"removed":1}"# + "\n", errors: ""))
    }

    @Test func `add --wait shows each address after its first result`() throws {
        let entry = try Sample.entry(.fresh, record: Sample.record, scanned: -1)
        let server = try WireServer(#"{"parameters":{"added":1,"already":0}}"#, try Self.reply(entry))
        let ended = try Self.run(server, "add", "192.0.2.1", "--wait")
        #expect(ended.status == 0)
        #expect(ended.output.hasPrefix("1 address added\n192.0.2.1  fresh\n"))
        #expect(server.calls.count == 2)
    }

    @Test(
        arguments: [
            (.invalidAddress("8.8.8", reason: "why"), 65), (.notWatched("192.0.2.1"), 1),
            (.tooMany(limit: 10, resource: nil), 75),
            (.storeFailed("disk full"), 75), (.service(.permissionDenied), 77),
        ] as [(ControlError, Int32)])
    func `an error is printed to standard error and determines the exit status`(error: ControlError, status: Int32)
        throws
    {
        let server = try WireServer([OutgoingReply.error(error)])
        let ended = try Self.run(server, "remove", "192.0.2.1")
        #expect(ended.status == status)
        #expect(ended.output == "")
        #expect(ended.errors.hasPrefix("ipctl: "))
    }

    @Test(arguments: ["nonsense", "[]", #"{"parameters":5}"#, #"{"parameters":{"removed":"many"}}"#])
    func `an invalid reply is an internal error, not a usage error`(reply: String) throws {
        let ended = try Self.run(try WireServer(reply), "remove", "192.0.2.1")
        #expect(ended.status == 70)
        #expect(ended.errors.hasPrefix("ipctl: the daemon"))
    }

    @Test func `a daemon that closes the connection is reported`() throws {
        let server = try WireServer([Array(#"{"parameters":{"#.utf8)])
        let ended = try Self.run(server, "remove", "192.0.2.1")
        #expect(ended.status == 69)
        #expect(ended.errorLines.first == "ipctl: the daemon at \(server.path) closed the connection")
    }
}
