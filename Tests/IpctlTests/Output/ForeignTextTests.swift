import Control
import Foundation
import RecordKeeping
import TestSupport
import Testing
import Varlink

@testable import ipctl

/// Text from a server with terminal sequences in every field.
@Suite struct ForeignTextTests {
    /// ESC, the C1 control CSI, BEL, a carriage return, a line break, and an override of the writing direction.
    private static let evil = "e\u{1B}]0;x\u{7}\u{9B}2J\r\nv\u{202E}"

    /// The characters that may appear beside printable text.
    private static func harmful(_ text: String) -> [String] {
        text.unicodeScalars.filter { $0 != "\n" && $0.isUnprintable }.map { "U+\(String($0.value, radix: 16))" }
    }

    /// Replaces each string in a JSON document by the evil text, except those that determine the output.
    private static func infected(_ value: Value, _ name: String = "") -> Value {
        switch value {
        case .string where !["kind", "state", "next", "cause"].contains(name): .string(evil)
        case .null where ["message", "note", "reason", "user"].contains(name): .string(evil)
        case .array(let values): .array(values.map { infected($0, name) })
        case .object(let members):
            .object(Dictionary(uniqueKeysWithValues: members.map { ($0, infected($1, $0)) }))
        default: value
        }
    }

    private static func infected(_ message: [UInt8], continues: Bool = false) throws -> [UInt8] {
        var conversation = ClientConversation(limitBytes: 1_000_000)
        conversation.receive(message)
        let parameters = try #require(try conversation.next()).parameters
        return OutgoingReply.message(infected(parameters), continues: continues)
    }

    private static func message(_ parameters: String) -> [UInt8] { Array(#"{"parameters":\#(parameters)}"#.utf8) + [0] }

    private static func entry() throws -> Interface.Entry {
        var entry = try Sample.entry(
            .fresh, record: Sample.record, scanned: -1, expires: 10, changed: -1, reason: "r", failure: .timeout)
        entry.provider = "p"
        return entry
    }

    private static func replies() throws -> [([String], [[UInt8]])] {
        let entries = Sample.reply(["entries": [try entry()]])
        let page = Sample.page([try entry()])
        let history = message(
            #"{"changes":[{"seq":1,"at":0,"address":"a","fields":[{"field":"isp","old":"a","new":"b"}]}]}"#)
        let outages = message(#"{"outages":[{"since":0,"cause":"network","message":"m","deferred":1}]}"#)
        let status = Sample.statusReply {
            $0.isOnline = false
            $0.networkReason = "reason"
            $0.provider.message = "message"
        }
        let event = try Control.Monitor.Reply(
            event: Sample.event(.changed, fields: [FieldChange(field: "isp", old: "A", new: "B")]))
        return try [
            (["show", "192.0.2.1"], [infected(entries)]),
            (["show", "192.0.2.1", "192.0.2.2"], [infected(entries)]),
            (["show", "192.0.2.1"] + FieldValues.names.flatMap { ["--field", $0] }, [infected(entries)]),
            (["list"], [infected(page)]), (["map"], [infected(page)]),
            (["status"], [infected(status)]), (["history", "192.0.2.1"], [infected(history)]),
            (["outages"], [infected(outages)]),
            (["monitor", "--after", "0", "--no-reconnect"], [infected(Sample.reply(event), continues: true)]),
            (["export"], [infected(page)]),
            (["export", "--format", "csv"], [infected(page)]),
            (["wait", "online", "--no-reconnect"], [infected(status)]),
        ]
    }

    /// The errors of the interface and of Varlink, and an unknown one.
    private static var errors: [[UInt8]] {
        let names = [
            "io.iprecord.Control.InvalidAddress", "io.iprecord.Control.NotWatched", "io.iprecord.Control.InvalidSearch",
            "io.iprecord.Control.InvalidCursor", "io.iprecord.Control.EventsGone", "io.iprecord.Control.TooMany",
            "io.iprecord.Control.ReloadFailed", "io.iprecord.Control.StoreFailed",
            "org.varlink.service.InterfaceNotFound", "org.varlink.service.MethodNotFound",
            "org.varlink.service.MethodNotImplemented", "org.varlink.service.InvalidParameter",
            "org.varlink.service.PermissionDenied", "org.varlink.service.ExpectedMore", evil,
        ]
        let members = ["address", "reason", "message", "interface", "method", "parameter", "resource"]
        let parameters = Value.object(Dictionary(uniqueKeysWithValues: members.map { ($0, .string(evil)) }))
        return names.map { Wire.encode(Value.object(["error": .string($0), "parameters": parameters])) }
    }

    @Test func `no reply sends a sequence to a terminal`() throws {
        for (arguments, replies) in try Self.replies() {
            let terminal = try #require(PseudoTerminal(columns: 200))
            let server = try WireServer(replies)
            let ended = try BuiltIpctl.run(
                ["--socket", server.path] + arguments, environment: ["IPCTL_PAGER": "cat", "TERM": "dumb"],
                terminal: terminal.far)
            let printed = try terminal.lines().joined(separator: "\n")
            #expect(!printed.isEmpty || !ended.errors.isEmpty, "\(arguments)")
            #expect(Self.harmful(printed) == [], "\(arguments): \(printed.debugDescription)")
            #expect(Self.harmful(ended.errors) == [], "\(arguments): \(ended.errors.debugDescription)")
        }
    }

    @Test func `--json escapes sequences on a terminal, and is unchanged in a pipe`() throws {
        let reply = try Self.infected(Sample.page([try Self.entry()]))
        let terminal = try #require(PseudoTerminal(columns: 200))
        let server = try WireServer([reply])
        _ = try BuiltIpctl.run(["--socket", server.path, "--json", "list"], terminal: terminal.far)
        let printed = try terminal.lines().joined()
        #expect(Self.harmful(printed) == [], "\(printed.debugDescription)")
        let piped = try BuiltIpctl.run(try WireServer([reply]), "--json", "list").output
        let (shown, sent) = (try Wire.decode(Value.self, from: Array(printed.utf8)[...]), Array(piped.utf8)[...])
        #expect(shown == (try Wire.decode(Value.self, from: sent.dropLast())))
        #expect(piped.contains("\u{9B}"))
    }

    @Test func `no error sends a sequence or an extra line to a terminal`() throws {
        for error in Self.errors {
            for arguments in [["add", "192.0.2.1"], ["list", "--search", "x"]] {
                let server = try WireServer([error])
                let ended = try BuiltIpctl.run(["--socket", server.path] + arguments)
                #expect(ended.output == "")
                #expect(Self.harmful(ended.errors) == [], "\(arguments): \(ended.errors.debugDescription)")
            }
        }
    }

    @Test func `an argument is repeated without its sequences`() throws {
        for arguments in [
            ["show", Self.evil], ["wait", Self.evil], ["--evil\u{1B}[2J"], ["list", "--state", Self.evil],
        ] {
            let ended = try BuiltIpctl.run(arguments)
            #expect(Self.harmful(ended.errors) == [], "\(arguments): \(ended.errors.debugDescription)")
        }
    }

    @Test func `completion offers no text that is neither an address nor a tag`() throws {
        let server = try WireServer(
            connections: Array(repeating: [try Self.infected(Sample.page([try Self.entry()]))], count: 2))
        for option in [[], ["--tag"]] {
            let line = ["---completion", "untag", "--"] + (option.isEmpty ? ["positional@0"] : ["--tag"])
            let words = ["ipctl", "--socket", server.path, "untag"] + option + [""]
            let ended = try BuiltIpctl.run(line + ["\(words.count - 1)", "0"] + words)
            #expect(Self.harmful(ended.output) == [], "\(ended.output.debugDescription)")
        }
    }
}
