import Control
import Testing
import Varlink

/// `ipctl pin`, `unpin`, `tag`, `untag` and `note`, as the built program.
@Suite struct LabelTests {
    private static func server(changed: Int) throws -> WireServer {
        try WireServer([Sample.reply(Control.Label.Reply(changed: changed))])
    }

    @Test(
        arguments: [
            (["pin"], #""pinned":true"#, "1 address pinned"), (["unpin"], #""pinned":false"#, "1 address unpinned"),
            (["note", "--note", "two words"], #""note":"two words""#, "1 note written"),
            (["note", "--clear"], #""note":"""#, "1 note taken away"),
            (["note", "--note", ""], #""note":"""#, "1 note taken away"),
        ] as [([String], String, String)])
    func `each sends what it means, once for all addresses`(command: [String], parameters: String, said: String) throws
    {
        let server = try Self.server(changed: 1)
        let ended = try BuiltIpctl.run(["--socket", server.path] + command + ["192.0.2.1", "::1"])
        #expect(ended == .init(status: 0, output: "\(said), 1 as before\n", errors: ""))
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
    func `several tags go in one call`(command: String, parameters: String, said: String) throws {
        let server = try Self.server(changed: 1_200)
        let ended = try BuiltIpctl.run(server, command, "192.0.2.1", "-t", "dns", "192.0.2.2", "--tag", "prod")
        #expect(ended == .init(status: 0, output: "1,200 addresses \(said)\n", errors: ""))
        #expect(server.calls == [#"{"method":"io.iprecord.Control.Label","parameters":\#(parameters)}"#])
    }

    @Test func `an address counts once, however it is spelled, and that nothing changed is no error`() throws {
        let ended = try BuiltIpctl.run(
            try Self.server(changed: 0), "pin", "2001:db8::1", "2001:DB8:0::1", "192.0.2.1")
        #expect(ended == .init(status: 0, output: "0 addresses pinned, 2 as before\n", errors: ""))
    }

    @Test func `with --json the reply is printed as it came`() throws {
        let ended = try BuiltIpctl.run(try Self.server(changed: 1), "pin", "192.0.2.1", "--json")
        #expect(ended == .init(status: 0, output: #"{"changed":1}"# + "\n", errors: ""))
    }

    @Test(
        arguments: [
            (.notWatched("192.0.2.1"), 1, "ipctl: 192.0.2.1 is not on the watch list"),
            (
                .service(.permissionDenied), 77,
                "ipctl: changing the watch list is for root and the administrators' group"
            ),
            (.invalidAddress("8.8.8", reason: "four parts"), 65, "ipctl: \"8.8.8\" is no IP address: four parts"),
            (.tooMany(limit: 64), 65, "ipctl: an address has at most 64 tags"),
            (.tooMany(limit: 10_000), 75, "ipctl: that is more than the daemon takes: the limit is 10,000"),
        ] as [(ControlError, Int32, String)])
    func `what is refused is told`(error: ControlError, status: Int32, text: String) throws {
        let ended = try BuiltIpctl.run(try WireServer([OutgoingReply.error(error)]), "tag", "192.0.2.1", "-t", "dns")
        #expect(ended.status == status)
        #expect(ended.output == "")
        #expect(ended.errorLines.first == text)
    }

    @Test(arguments: [["add"], ["tag"], ["import"]]) func `that an address has too many tags is its own mistake`(
        command: [String]
    ) throws {
        let server = try WireServer([OutgoingReply.error(.tooMany(limit: 64))])
        let given = command == ["import"] ? [] : ["192.0.2.1", "--tag", "dns"]
        let ended = try BuiltIpctl.run(
            ["--socket", server.path] + command + given,
            input: command == ["import"] ? #"{"address":"192.0.2.1","tags":["dns"]}"# : "")
        #expect(ended.status == 65)
        #expect(ended.errorLines.first == "ipctl: an address has at most 64 tags")
        #expect(ended.errorLines.last?.hasPrefix("Nothing has changed. ") == true)
    }

    @Test(arguments: ["add", "tag", "untag"]) func `more tags on the line than an address may have are not sent`(
        command: String
    ) throws {
        let tags = (0..<65).flatMap { ["--tag", "t\($0)"] }
        let server = try Self.server(changed: 1)
        let many = try BuiltIpctl.run(["--socket", server.path, command, "192.0.2.1"] + tags)
        #expect(many.status == 64)
        #expect(many.errorLines.first?.hasPrefix("ipctl: an address has at most 64 tags; these are 65") == true)
        #expect(server.calls == [])
    }

    @Test(arguments: ["pin", "tag"]) func `that nothing has changed is told where something would have`(
        command: String
    ) throws {
        let server = try WireServer([OutgoingReply.error(.notWatched("192.0.2.1"))])
        let more = command == "tag" ? ["--tag", "dns"] : []
        let ended = try BuiltIpctl.run(["--socket", server.path, command, "192.0.2.1"] + more)
        #expect(ended.errorLines.last == "Nothing has changed. Put it there with: ipctl add 192.0.2.1")
    }

    @Test(arguments: ["history", "refresh"]) func `and not where it was a question`(command: String) throws {
        let server = try WireServer([OutgoingReply.error(.notWatched("192.0.2.1"))])
        let ended = try BuiltIpctl.run(["--socket", server.path, command, "192.0.2.1"])
        #expect(ended.status == 1)
        let told = ["ipctl: 192.0.2.1 is not on the watch list", "Put it there with: ipctl add 192.0.2.1"]
        #expect(ended.errorLines == told)
    }

    @Test(
        arguments: [
            (["tag", "192.0.2.1"], "missing expected argument '--tag <tag>"),
            (["pin"], "give addresses, or a file of them with --file"),
            (["tag", "192.0.2.1", "--tag", "a,b"], "\"a,b\" is no tag: a tag is one word without a comma"),
            (["untag", "192.0.2.1", "--tag", "a b"], "\"a b\" is no tag"),
            (["add", "192.0.2.1", "--tag", ""], "\"\" is no tag"),
            (["add", "192.0.2.1", "--note", "a\nb"], "\"a\u{FFFD}b\" is no note: a note is one line"),
            (["note", "192.0.2.1"], "give --note TEXT to write one, or --clear"),
            (["note", "192.0.2.1", "--note", "a", "--clear"], "give --note TEXT to write one, or --clear"),
            (["tag", "192.0.2.1", "--tag", "#a"], "\"#a\" is no tag: a tag is one word without a comma, a # in front"),
            (["tag", "192.0.2.1", "--tag", "a\u{200B}"], "\"a\u{FFFD}\" is no tag"),
            (["add", "192.0.2.1", "--note", "a\u{202E}b"], "\"a\u{FFFD}b\" is no note"),
        ] as [([String], String)])
    func `what cannot be meant is told before anything is sent`(arguments: [String], text: String) throws {
        let server = try Self.server(changed: 1)
        let ended = try BuiltIpctl.run(["--socket", server.path] + arguments)
        #expect(ended.status == 64)
        #expect(ended.errorLines.first?.contains(text) == true, "\(ended.errors)")
        #expect(server.calls == [])
    }
}
