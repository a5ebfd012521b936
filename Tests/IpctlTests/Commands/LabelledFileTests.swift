import Control
import TestSupport
import Testing
import Varlink

@testable import ipctl

/// Watch-list files (iprecord.watch(5)) with `--file`.
@Suite struct LabelledFileTests {
    private static let added = Sample.reply(["added": 1, "already": 0])
    private static let file =
        "192.0.2.1 dns prod # resolver\n192.0.2.2\n# only a comment\n\t192.0.2.3 dns prod#resolver\n"

    private static func add(_ text: String, _ options: String..., replies: Int) throws -> (BuiltIpctl.Ended, [String]) {
        let server = try WireServer(connections: Array(repeating: [added], count: replies), staysOpen: true)
        let ended = try BuiltIpctl.run(["--socket", server.path, "add", "--file", "-"] + options, input: text)
        return (ended, server.calls.sorted())
    }

    private static func call(_ addresses: String, _ labels: String = "") -> String {
        #"{"method":"io.iprecord.Control.Add","parameters":{"addresses":[\#(addresses)]\#(labels)}}"#
    }

    @Test func `add applies the tags and the note of each line`() throws {
        let (ended, calls) = try Self.add(Self.file, replies: 2)
        #expect(ended == .init(status: 0, output: "2 addresses added\n", errors: ""))
        #expect(
            calls == [
                Self.call(#""192.0.2.1","192.0.2.3""#, #","note":"resolver","tags":["dns","prod"]"#),
                Self.call(#""192.0.2.2""#),
            ])
    }

    @Test func `options add tags to the lines, and a line's own note takes precedence`() throws {
        let (ended, calls) = try Self.add(Self.file, "192.0.2.9", "--tag", "new", "--note", "all", replies: 2)
        #expect(ended.status == 0)
        #expect(
            calls == [
                Self.call(#""192.0.2.1","192.0.2.3""#, #","note":"resolver","tags":["dns","new","prod"]"#),
                Self.call(#""192.0.2.9","192.0.2.2""#, #","note":"all","tags":["new"]"#),
            ])
    }

    @Test func `tags of repeated lines are combined, and the last note applies`() throws {
        let (ended, calls) = try Self.add("192.0.2.1 a # x\n192.0.2.1 b # y\n192.0.2.1 c\n", replies: 1)
        #expect(ended.status == 0)
        #expect(calls == [Self.call(#""192.0.2.1""#, #","note":"y","tags":["a","b","c"]"#)])
    }

    @Test(
        arguments: [
            ("192.0.2.1\n5.5.6.1 5.5.6.2\n", "line 2 of standard input: \"5.5.6.2\" is an address, not a tag"),
            ("192.0.2.1 a ::1\n", "line 1 of standard input: \"::1\" is an address, not a tag"),
            ("192.0.2.1 a,b\n", "line 1 of standard input: \"a,b\" is not a valid tag"),
            ("192.0.2.1 # a\u{202E}b\n", "line 1 of standard input: \"a\u{FFFD}b\" is not a valid note"),
        ])
    func `an invalid tag or note is an error, and nothing is sent`(text: String, message: String) throws {
        for command in ["add", "show", "remove"] {
            let server = try WireServer([Self.added])
            let ended = try BuiltIpctl.run(["--socket", server.path, command, "--file", "-"], input: text)
            #expect(ended.status == 65)
            #expect(ended.errors.hasPrefix("ipctl: \(message)"), "\(ended.errors)")
            #expect(server.calls == [])
        }
    }

    @Test(arguments: ["192.0.2.7", "2001:db8::7"])
    func `a tag that is an address is a usage error, and can still be removed`(tag: String) throws {
        for command in ["add", "tag"] {
            let ended = try BuiltIpctl.run([command, "192.0.2.1", "--tag", tag])
            #expect(ended.status == 64)
            #expect(ended.errorLines.first == "ipctl: \"\(tag)\" is an address, not a tag")
        }
        let changed = Sample.reply(["changed": 1])
        let ended = try BuiltIpctl.run(try WireServer([changed]), "untag", "192.0.2.1", "--tag", tag)
        #expect(ended.status == 0, "\(ended.errors)")
    }

    @Test func `other commands use the addresses of such a file`() throws {
        let removed = Sample.reply(["removed": 3])
        let server = try WireServer([removed])
        let ended = try BuiltIpctl.run(["--socket", server.path, "remove", "--file", "-"], input: Self.file)
        #expect(ended.status == 0)
        #expect(server.calls.first?.contains(#"["192.0.2.1","192.0.2.2","192.0.2.3"]"#) == true)
    }
}
