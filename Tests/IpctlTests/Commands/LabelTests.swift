import Control
import TestSupport
import Testing
import Varlink

/// `ipctl pin`, `unpin`, `tag`, `untag` and `note` with the built program.
@Suite struct LabelTests {
    private static func server(changed: Int) throws -> WireServer {
        try WireServer([Sample.reply(Control.Label.Reply(changed: changed))])
    }

    @Test(
        arguments: [
            (["pin"], #""pinned":true"#, "1 address pinned"), (["unpin"], #""pinned":false"#, "1 address unpinned"),
            (["note", "--note", "two words"], #""note":"two words""#, "1 note written"),
            (["note", "--clear"], #""note":"""#, "1 note removed"),
            (["note", "--note", ""], #""note":"""#, "1 note removed"),
        ] as [([String], String, String)])
    func `each command sends its change in one call for all addresses`(
        command: [String], parameters: String, said: String
    ) throws {
        let server = try Self.server(changed: 1)
        let ended = try BuiltIpctl.run(["--socket", server.path] + command + ["192.0.2.1", "::1"])
        #expect(ended == .init(status: 0, output: "\(said), 1 unchanged\n", errors: ""))
        let addresses = #""addresses":["192.0.2.1","::1"]"#
        #expect(
            server.calls == [
                #"{"method":"io.iprecord.Control.Label","parameters":{\#(addresses),\#(parameters)}}"#
            ])
    }

    @Test(
        arguments: [
            ("tag", #"{"addTags":["dns","prod"],"addresses":["192.0.2.1","192.0.2.2"]}"#, "tagged"),
            ("untag", #"{"addresses":["192.0.2.1","192.0.2.2"],"removeTags":["dns","prod"]}"#, "untagged"),
        ])
    func `several tags are sent in one call`(command: String, parameters: String, said: String) throws {
        let server = try Self.server(changed: 1_200)
        let ended = try BuiltIpctl.run(server, command, "192.0.2.1", "-t", "dns", "192.0.2.2", "--tag", "prod")
        #expect(ended == .init(status: 0, output: "1,200 addresses \(said)\n", errors: ""))
        #expect(server.calls == [#"{"method":"io.iprecord.Control.Label","parameters":\#(parameters)}"#])
    }

    @Test func `an address in two notations counts once, and no change is not an error`() throws {
        let ended = try BuiltIpctl.run(
            try Self.server(changed: 0), "pin", "2001:db8::1", "2001:DB8:0::1", "192.0.2.1")
        #expect(ended == .init(status: 0, output: "0 addresses pinned, 2 unchanged\n", errors: ""))
    }

    @Test func `with --json, the reply is printed unchanged`() throws {
        let ended = try BuiltIpctl.run(try Self.server(changed: 1), "pin", "192.0.2.1", "--json")
        #expect(ended == .init(status: 0, output: #"{"changed":1}"# + "\n", errors: ""))
    }

    @Test(
        arguments: [
            (.notWatched("192.0.2.1"), 1, "ipctl: 192.0.2.1 is not on the watch list"),
            (
                .service(.permissionDenied), 77,
                "ipctl: only root and members of the administrators' group can change the watch list"
            ),
            (.invalidAddress("8.8.8", reason: "four parts"), 65, "ipctl: \"8.8.8\" is not an IP address: four parts"),
            (.tooMany(limit: 64, resource: "tagsPerEntry"), 65, "ipctl: an address can have at most 64 tags"),
            (.tooMany(limit: 10_000, resource: nil), 75, "ipctl: the request exceeds the daemon's limit of 10,000"),
        ] as [(ControlError, Int32, String)])
    func `an error of the daemon is reported`(error: ControlError, status: Int32, text: String) throws {
        let ended = try BuiltIpctl.run(try WireServer([OutgoingReply.error(error)]), "tag", "192.0.2.1", "-t", "dns")
        #expect(ended.status == status)
        #expect(ended.output == "")
        #expect(ended.errorLines.first == text)
    }

    @Test(arguments: [["add"], ["tag"], ["import"]]) func `too many tags are reported as invalid data`(
        command: [String]
    ) throws {
        let server = try WireServer([OutgoingReply.error(.tooMany(limit: 64, resource: "tagsPerEntry"))])
        let given = command == ["import"] ? [] : ["192.0.2.1", "--tag", "dns"]
        let ended = try BuiltIpctl.run(
            ["--socket", server.path] + command + given,
            input: command == ["import"] ? #"{"address":"192.0.2.1","tags":["dns"]}"# : "")
        #expect(ended.status == 65)
        #expect(ended.errorLines.first == "ipctl: an address can have at most 64 tags")
        #expect(ended.errorLines.last?.hasPrefix("Nothing was changed. ") == true)
    }

    @Test(arguments: ["add", "tag", "untag"]) func `too many tags on the command line are not sent`(
        command: String
    ) throws {
        let tags = (0..<65).flatMap { ["--tag", "t\($0)"] }
        let server = try Self.server(changed: 1)
        let many = try BuiltIpctl.run(["--socket", server.path, command, "192.0.2.1"] + tags)
        #expect(many.status == 64)
        #expect(many.errorLines.first?.hasPrefix("ipctl: an address can have at most 64 tags, got 65") == true)
        #expect(server.calls == [])
    }

    @Test(arguments: ["pin", "tag"]) func `a failed change reports that nothing was changed`(
        command: String
    ) throws {
        let server = try WireServer([OutgoingReply.error(.notWatched("192.0.2.1"))])
        let more = command == "tag" ? ["--tag", "dns"] : []
        let ended = try BuiltIpctl.run(["--socket", server.path, command, "192.0.2.1"] + more)
        #expect(ended.errorLines.last == "Nothing was changed. Add it with: ipctl add 192.0.2.1")
    }

    @Test(arguments: ["history", "refresh"]) func `a failed query does not`(command: String) throws {
        let server = try WireServer([OutgoingReply.error(.notWatched("192.0.2.1"))])
        let ended = try BuiltIpctl.run(["--socket", server.path, command, "192.0.2.1"])
        #expect(ended.status == 1)
        let expectedText = ["ipctl: 192.0.2.1 is not on the watch list", "Add it with: ipctl add 192.0.2.1"]
        #expect(ended.errorLines.suffix(2) == expectedText)
    }

    @Test(
        arguments: [
            (["tag", "192.0.2.1"], "missing expected argument '--tag <tag>"),
            (["pin"], "give addresses, or a file with --file"),
            (["tag", "192.0.2.1", "--tag", "a,b"], "\"a,b\" is not a valid tag: a tag is a single word"),
            (["untag", "192.0.2.1", "--tag", "a b"], "\"a b\" is not a valid tag"),
            (["add", "192.0.2.1", "--tag", ""], "\"\" is not a valid tag"),
            (["add", "192.0.2.1", "--note", "a\nb"], "\"a\u{FFFD}b\" is not a valid note: a note is a single line"),
            (["note", "192.0.2.1"], "give either --note TEXT or --clear"),
            (["note", "192.0.2.1", "--note", "a", "--clear"], "give either --note TEXT or --clear"),
            (
                ["tag", "192.0.2.1", "--tag", "#a"],
                "\"#a\" is not a valid tag: a tag is a single word of at most 64 bytes, with no comma, leading #"
            ),
            (["tag", "192.0.2.1", "--tag", "a\u{200B}"], "\"a\u{FFFD}\" is not a valid tag"),
            (["add", "192.0.2.1", "--note", "a\u{202E}b"], "\"a\u{FFFD}b\" is not a valid note"),
        ] as [([String], String)])
    func `invalid arguments are reported before anything is sent`(arguments: [String], text: String) throws {
        let server = try Self.server(changed: 1)
        let ended = try BuiltIpctl.run(["--socket", server.path] + arguments)
        #expect(ended.status == 64)
        #expect(ended.errorLines.first?.contains(text) == true, "\(ended.errors)")
        #expect(server.calls == [])
    }
}
