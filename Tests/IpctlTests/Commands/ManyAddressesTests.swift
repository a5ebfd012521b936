import Control
import Foundation
import TestSupport
import Testing
import Varlink

/// Commands with more addresses than fit into a call, with the built program.
@Suite struct ManyAddressesTests {
    private static func addresses(_ count: Int) -> [String] { (0..<count).map { "10.0.\($0 >> 8).\($0 & 255)" } }

    private static func added(_ count: Int, already: Int = 0) -> [UInt8] {
        Array(#"{"parameters":{"added":\#(count),"already":\#(already)}}"#.utf8) + [0]
    }

    private static func list(_ addresses: [String], in folder: TemporaryFolder) throws -> String {
        try folder.write(addresses.joined(separator: "\n") + "\n", to: "list.txt")
    }

    @Test(arguments: ["add", "remove", "pin", "unpin", "tag", "untag", "note", "show", "refresh"])
    func `addresses from files and arguments are validated before anything is sent`(
        command: String
    ) throws {
        let folder = try TemporaryFolder()
        let file = try folder.write("192.0.2.1\n# one\n::ffff:192.0.2.2\n", to: "a")
        let more =
            switch command {
            case "tag", "untag": ["--tag", "a"]
            case "note": ["--note", "n"]
            default: [String]()
            }
        let server = try WireServer(#"{"error":"org.varlink.service.PermissionDenied","parameters":{}}"#)
        let ended = try BuiltIpctl.run(
            ["--socket", server.path, command, "192.0.2.9", "--file", file, "--file", "-"] + more, input: "192.0.2.3\n")
        #expect(ended.status == 77)
        #expect(server.calls.first?.contains(#"["192.0.2.9","192.0.2.1","192.0.2.2","192.0.2.3"]"#) == true)

        let bad = try folder.write("192.0.2.1\n192.0.2\n", to: "bad")
        for (line, expectedText) in [
            (["--file", bad], "ipctl: line 2 of \(bad): \"192.0.2\" is not an IP address: "),
            (["192.0.2.1", "192.0.2"], "ipctl: \"192.0.2\" is not an IP address: "),
            (["--file", "/dev/null"], "ipctl: no addresses in /dev/null"),
            (["--file", folder.path], "ipctl: cannot read \(folder.path): Is a directory"),
            (["--file", folder.file("no")], "ipctl: cannot read \(folder.file("no")): No such file"),
        ] {
            let server = try WireServer("{}")
            let ended = try BuiltIpctl.run(["--socket", server.path, command] + line + more)
            #expect(ended.status == 65)
            #expect(ended.output == "")
            #expect(ended.errorLines.count == 1)
            #expect(ended.errors.hasPrefix(expectedText), "\(ended.errors)")
            #expect(server.calls == [])
        }
    }

    @Test func `a repeated address is added and counted once`() throws {
        let folder = try TemporaryFolder()
        let lines = Array(repeating: "1.1.1.1", count: 20_000) + ["::ffff:1.1.1.1", "::1", "0:0::1"]
        let server = try WireServer([Self.added(1, already: 1)])
        let ended = try BuiltIpctl.run(server, "add", "--file", try Self.list(lines, in: folder))
        #expect(ended == .init(status: 0, output: "1 address added, 1 already on the list\n", errors: ""))
        #expect(server.calls == [#"{"method":"io.iprecord.Control.Add","parameters":{"addresses":["1.1.1.1","::1"]}}"#])
    }

    @Test func `the same lines imported again are counted once`() throws {
        let lines = (0..<3).map { #"{"address":"192.0.2.1","note":"\#($0)"}"# }
        let server = try WireServer([Self.added(1), Self.added(0, already: 1), Self.added(0, already: 1)])
        let ended = try BuiltIpctl.run(
            ["--socket", server.path, "import"], input: lines.joined(separator: "\n"))
        #expect(ended == .init(status: 0, output: "1 address added\n", errors: ""))
    }

    @Test func `an invalid address in a later part is found before the first call`() throws {
        let folder = try TemporaryFolder()
        let file = try Self.list(Self.addresses(25_000) + ["10.0.0"], in: folder)
        let server = try WireServer([Self.added(10_000)])
        let ended = try BuiltIpctl.run(server, "add", "--file", file)
        #expect(ended.status == 65)
        #expect(ended.errors.hasPrefix("ipctl: line 25,001 of \(file): "))
        #expect(server.calls == [])
    }

    @Test func `a lost connection and an error midway report the progress and how to continue`() throws {
        let folder = try TemporaryFolder()
        let file = try Self.list(Self.addresses(25_000), in: folder)
        let on = "At least 10,000 of 25,000 addresses are now on the list; run the same command again to add the rest."
        let lost = try BuiltIpctl.run(try WireServer([Self.added(10_000)]), "add", "--file", file)
        #expect(lost.status == 69)
        #expect(lost.output == "")
        #expect(lost.errorLines.last == on)
        let refusing = try WireServer([Self.added(10_000), OutgoingReply.error(.storeFailed("disk full"))])
        let refused = try BuiltIpctl.run(refusing, "add", "--file", file)
        #expect(refused.status == 75)
        #expect(refused.errorLines.last == on)
        let first = try BuiltIpctl.run(
            try WireServer([OutgoingReply.error(.storeFailed("full"))]), "add", "--file", file)
        #expect(!first.errors.contains("At least"))
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func `a signal midway reports the progress and ends the program`(
        signal: Int32
    ) throws {
        let folder = try TemporaryFolder()
        let file = try Self.list(Self.addresses(25_000), in: folder)
        let server = try WireServer(connections: [[Self.added(10_000), []]], staysOpen: true)
        let running = try BuiltIpctl.start(["--socket", server.path, "add", "--file", file])
        #expect(server.isCalled(2))
        running.process.signal(signal)
        let expectedText = """
            ipctl: interrupted
            At least 10,000 of 25,000 addresses are now on the list; run the same command again to add the rest.\n
            """
        #expect(running.end() == .init(status: -signal, output: "", errors: expectedText))
    }

    @Test func `an interrupted import reports the progress`() throws {
        let lines = Self.addresses(25_000).map { #"{"address":"\#($0)"}"# }.joined(separator: "\n")
        let folder = try TemporaryFolder()
        let file = try folder.write(lines, to: "a.jsonl")
        let server = try WireServer(connections: [[Self.added(10_000), []]], staysOpen: true)
        let running = try BuiltIpctl.start(["--socket", server.path, "import", file])
        #expect(server.isCalled(2))
        running.process.signal(SIGINT)
        let ended = running.end()
        #expect(ended.status == -SIGINT)
        #expect(ended.errorLines.last?.hasPrefix("At least 10,000 of 25,000 addresses are now on the list") == true)
    }

    @Test func `many addresses are removed in calls of at most the limit`() throws {
        let folder = try TemporaryFolder()
        let many = (0..<100_001).map { "10.\($0 >> 16).\($0 >> 8 & 255).\($0 & 255)" }
        let file = try Self.list(many, in: folder)
        let all = Array(#"{"parameters":{"removed":100000}}"#.utf8) + [0]
        let server = try WireServer([all, OutgoingReply.error(.notWatched("10.1.134.160"))])
        let ended = try BuiltIpctl.run(server, "remove", "--file", file)
        #expect(ended.status == 1)
        let expectedText = "At least the first 100,000 of 100,001 addresses, up to 10.1.134.159, have been removed; "
        #expect(ended.errorLines.last == expectedText + "continue with the others.")
    }

    @Test(arguments: ["remove", "unpin", "untag", "note"])
    func `a command that removes something does not suggest to add the address`(
        command: String
    ) throws {
        let more = ["untag": ["--tag", "a"], "note": ["--clear"]][command] ?? []
        let server = try WireServer([OutgoingReply.error(.notWatched("192.0.2.1"))])
        let ended = try BuiltIpctl.run(["--socket", server.path, command, "192.0.2.1"] + more)
        #expect(ended.status == 1)
        let expectedText = [
            "ipctl: 192.0.2.1 is not on the watch list", "Nothing was changed. To see the watch list: ipctl list",
        ]
        #expect(ended.errorLines == expectedText)
    }

    @Test func `thousands of arguments are sent in order`() throws {
        let many = Self.addresses(8_000)
        let server = try WireServer(#"{"parameters":{"removed":8000}}"#)
        let ended = try BuiltIpctl.run(["--socket", server.path, "remove"] + many)
        #expect(ended == .init(status: 0, output: "8,000 addresses removed\n", errors: ""))
        let quoted = many.map { "\"\($0)\"" }.joined(separator: ",")
        #expect(
            server.calls == [#"{"method":"io.iprecord.Control.Remove","parameters":{"addresses":[\#(quoted)]}}"#])
    }
}
