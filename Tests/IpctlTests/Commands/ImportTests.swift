import Control
import RecordKeeping
import TestSupport
import Testing
import Varlink

/// `ipctl import` with the built program.
@Suite struct ImportTests {
    private static let added = Array(#"{"parameters":{"added":1,"already":0}}"#.utf8) + [0]
    private static let labelled = Sample.reply(Control.Label.Reply(changed: 1))

    private static func add(_ parameters: String) -> String {
        #"{"method":"io.iprecord.Control.Add","parameters":{\#(parameters)}}"#
    }

    private static func run(_ server: WireServer, _ arguments: String..., input: String = "") throws -> BuiltIpctl.Ended
    {
        try BuiltIpctl.run(["--socket", server.path, "import"] + arguments, input: input)
    }

    @Test func `imported addresses are added with their labels, then pinned`() throws {
        let folder = try TemporaryFolder()
        let text = #"{"address":"192.0.2.1","tags":["dns"],"note":"ours","pinned":true}"#
        for (name, input) in [(try folder.write(text, to: "a"), ""), ("-", text), (nil, text)] {
            let server = try WireServer([Self.added, Self.labelled])
            let ended = try name.map { try Self.run(server, $0, input: input) } ?? Self.run(server, input: input)
            #expect(ended == .init(status: 0, output: "1 address added\n", errors: ""))
            let pin = #"{"addresses":["192.0.2.1"],"pinned":true}"#
            #expect(
                server.calls == [
                    Self.add(#""addresses":["192.0.2.1"],"note":"ours","tags":["dns"]"#),
                    #"{"method":"io.iprecord.Control.Label","parameters":\#(pin)}"#,
                ])
        }
    }

    @Test func `entries with different labels are sent concurrently on several connections`() throws {
        let entries = (0..<200).map { #"{"address":"192.0.2.\#($0)","note":"\#($0)"}"# }
        // 200 calls in turn on 16 connections: 13 on each of the first eight, 12 on the others.
        let server = try WireServer(connections: (0..<16).map { Array(repeating: Self.added, count: $0 < 8 ? 13 : 12) })
        let ended = try Self.run(server, input: entries.joined(separator: "\n"))
        #expect(ended == .init(status: 0, output: "200 addresses added\n", errors: ""))
        #expect(
            server.callsOfConnections.map(\.count) == Array(repeating: 13, count: 8) + Array(repeating: 12, count: 8))
        #expect(
            Set(server.calls) == Set((0..<200).map { Self.add(#""addresses":["192.0.2.\#($0)"],"note":"\#($0)""#) }))
    }

    @Test(
        arguments: [
            "{\"address\":\"192.0.2.1\"}\n{\"address\":\"192.0.2\"}\n", "address\n192.0.2\n",
            "address,note\n\"192.0.2\",\"\n",
        ])
    func `with an invalid line, nothing is sent`(text: String) throws {
        let folder = try TemporaryFolder()
        let file = try folder.write(text, to: "a")
        for (name, input, expectedText) in [(file, "", file), ("-", text, "standard input")] {
            let server = try WireServer([Self.added])
            let ended = try Self.run(server, name, input: input)
            #expect(ended.status == 65)
            #expect(ended.output == "")
            #expect(ended.errors.hasPrefix("ipctl: line 2 of \(expectedText): "), "\(ended.errors)")
            #expect(ended.errorLines.count == 1)
            #expect(server.calls == [])
        }
    }

    @Test(arguments: ["", "address,tags,note,pinned\r\n"]) func `a file without addresses is an invalid file`(
        text: String
    )
        throws
    {
        let ended = try Self.run(try WireServer([Self.added]), input: text)
        #expect(ended == .init(status: 65, output: "", errors: "ipctl: no addresses in standard input\n"))
    }

    @Test func `an error before any change is reported unchanged`() throws {
        let server = try WireServer([OutgoingReply.error(.service(.permissionDenied))])
        let ended = try Self.run(server, input: #"{"address":"::1"}"#)
        #expect(ended.status == 77)
        #expect(ended.errors.contains("only root and members"))
        #expect(ended.errors.contains("sudo"))
    }

    @Test func `an error midway is reported with the progress`() throws {
        // The third address is repeated, so the second call waits for the first.
        let text = "{\"address\":\"::1\"}\n{\"address\":\"::2\"}\n{\"address\":\"::1\",\"note\":\"n\"}\n"
        let first = Array(#"{"parameters":{"added":2,"already":0}}"#.utf8) + [0]
        let server = try WireServer([first, OutgoingReply.error(.storeFailed("disk full"))])
        let ended = try Self.run(server, input: text)
        #expect(ended.status == 75)
        #expect(ended.output == "")
        #expect(
            ended.errors == """
                ipctl: the database could not be written, so nothing was changed: disk full
                At least 2 of 3 addresses are now on the list; run the same import again to add the rest.\n
                """)
    }

    @Test func `with --json, each reply is printed unchanged`() throws {
        let server = try WireServer([Self.added, Self.labelled])
        let ended = try Self.run(server, "--json", input: #"{"address":"::1","pinned":true}"#)
        #expect(ended == .init(status: 0, output: "{\"added\":1,\"already\":0}\n{\"changed\":1}\n", errors: ""))
    }

    @Test func `a given format is not overridden by the content`() throws {
        let server = try WireServer([Self.added])
        let ended = try Self.run(server, "--format", "jsonl", input: "address\n::1\n")
        #expect(ended.status == 65)
        #expect(ended.errors.hasPrefix("ipctl: line 1 of standard input: not valid JSON"))
        #expect(server.calls == [])
    }
}
