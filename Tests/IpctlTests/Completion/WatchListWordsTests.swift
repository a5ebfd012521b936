import Control
import TestSupport
import Testing
import Varlink

@testable import ipctl

@Suite struct WatchListWordsTests {
    @Test(
        arguments: [
            ("10.", "10.0.0.0/8"), ("10.1", "10.0.0.0/8"), ("10.1.", "10.1.0.0/16"), ("10.1.2.3", "10.1.2.0/24"),
            ("2606:4", "2606::/16"), ("2606:4700:", "2606:4700::/32"), ("2001:db8::", "2001:db8::/32"),
            ("2001:db8::1:2", "2001:db8::/32"), ("1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7::/112"),
        ])
    func `an incomplete address has a block`(typedPrefix: String, block: String) {
        #expect(WatchListWords.block(of: typedPrefix) == block)
    }

    @Test(arguments: ["", "1", "10", "26", "dns", "::", "::1", "a.b.", "256.", "1.2.3.4.5", "1:2:3:4:5:6:7:8:9", "g:1"])
    func `text without a complete part, or not an address, has no block`(typedPrefix: String) {
        #expect(WatchListWords.block(of: typedPrefix) == nil)
    }

    private static func line(_ words: [String], _ index: Int? = nil, prefix: String? = nil) -> CompletionLine {
        CompletionLine(words: words, index: index ?? words.count - 1, prefix: prefix ?? words.last ?? "")
    }

    @Test func `completions begin with the word and are not repeated`() {
        let line = Self.line(["ipctl", "show", "1.1.1.1", "1."])
        #expect(line.matching(["1.1.1.1", "1.2.3.4", "11.0.0.1"]) == ["1.2.3.4"])
        #expect(
            Self.line(["ipctl", "show", "1.1.1.1"]).matching(["1.1.1.1"]) == ["1.1.1.1"], "that is the word itself")
    }

    @Test func `the word may be followed by others, and the cursor may be in it`() {
        #expect(Self.line(["ipctl", "show", "1.", "--json"], 2, prefix: "--json").typedPrefix == "1.")
        #expect(Self.line(["ipctl", "show", "1.2.3"], prefix: "1.").typedPrefix == "1.")
        #expect(Self.line(["ipctl", "show"], 2, prefix: "").typedPrefix == "")
    }

    @Test func `the last --socket on the line is used`() {
        #expect(Self.line(["ipctl", "--socket", "/a", "show", "--socket=/b", ""]).socket == "/b")
        #expect(Self.line(["ipctl", "--socket", "/a", "show", ""]).socket == "/a")
        #expect(Self.line(["ipctl", "show", "--socket", ""]).socket == nil)
    }

    // MARK: The built program

    /// The completions, requested like the generated scripts do.
    private static func expectedText(_ words: [String], _ argument: String, socket: String) throws -> BuiltIpctl.Ended {
        let asked = ["---completion", words[1], "--", argument, "\(words.count - 1)", "\(words.last?.count ?? 0)"]
        return try BuiltIpctl.run(asked + words, environment: ["IPRECORD_SOCKET": socket])
    }

    @Test func `the block is requested from the daemon, and its addresses are suggested`() throws {
        let server = try WireServer([Watched.reply])
        let ended = try Self.expectedText(["ipctl", "show", "2606:4700:4700::11"], "positional@0", socket: server.path)
        #expect(ended == .init(status: 0, output: "2606:4700:4700::1111\n", errors: ""))
        let parameters = #"{"limit":1000,"search":"2606:4700:4700::/48"}"#
        #expect(server.calls == [#"{"method":"io.iprecord.Control.List","parameters":\#(parameters)}"#])
    }

    @Test func `host names are suggested by commands that take them`() throws {
        let names = ["www.example.com", "web.example.com", "mail.example.com", "$(reboot)"].map {
            #"{"name":"\#($0)","state":"fresh","addresses":[],"tags":[]}"#
        }
        let reply = Array(#"{"parameters":{"names":[\#(names.joined(separator: ","))]}}"#.utf8) + [0]
        let server = try WireServer(connections: [[reply], [Watched.reply]])
        let ended = try Self.expectedText(["ipctl", "show", "w"], "positional@0", socket: server.path)
        #expect(ended == .init(status: 0, output: "www.example.com\nweb.example.com\n", errors: ""))
        let other = try WireServer([Watched.reply])
        #expect(try Self.expectedText(["ipctl", "pin", "w"], "positional@0", socket: other.path).status == 0)
        #expect(other.calls.count == 1, "only the list was requested")
    }

    @Test(
        arguments: [
            ("", true), ("w", true), ("1.example", true), ("1.", false), ("1", false), ("2001:", false), ("-", false),
        ])
    func `the beginning of an address or an option is not taken for a name`(typedPrefix: String, isName: Bool) {
        #expect(Self.line(["ipctl", "remove", typedPrefix]).takesNames == isName)
        #expect(!Self.line(["ipctl", "refresh", typedPrefix]).takesNames)
    }

    @Test func `tags are suggested once each, in order`() throws {
        let server = try WireServer([Watched.reply])
        let ended = try Self.expectedText(["ipctl", "add", "--tag", ""], "--tag", socket: server.path)
        #expect(ended == .init(status: 0, output: "dev\ndns\nprod\n", errors: ""))
    }

    @Test func `without a daemon, there are no suggestions and no errors`() throws {
        let folder = try TemporaryFolder()
        try folder.makeStaleSocket("stale.sock")
        for name in ["none.sock", "stale.sock"] {
            let ended = try Self.expectedText(["ipctl", "show", "1."], "positional@0", socket: folder.file(name))
            #expect(ended.status == 0)
            #expect(ended.output.allSatisfy { $0 == "\n" })
            #expect(ended.errors == "")
        }
    }

    @Test func `errors, invalid replies and silence give no suggestions and no errors`() throws {
        let error = OutgoingReply.error(.service(.methodNotImplemented("io.iprecord.Control.List")) as ControlError)
        for replies in [[error], [Array("nonsense".utf8) + [0]], [[], Array("late".utf8)], []] as [[[UInt8]]] {
            let server = try WireServer(replies)
            let clock = ContinuousClock()
            let start = clock.now
            let ended = try Self.expectedText(["ipctl", "show", "1."], "positional@0", socket: server.path)
            #expect(ended.status == 0)
            #expect(ended.output.allSatisfy { $0 == "\n" })
            #expect(ended.errors == "")
            #expect(clock.now - start < .seconds(5), "half a second, plus a margin for a busy machine")
        }
    }

    @Test func `an option needs no call`() throws {
        let server = try WireServer([Watched.reply])
        let ended = try Self.expectedText(["ipctl", "show", "--f"], "positional@0", socket: server.path)
        #expect(ended.status == 0)
        #expect(server.calls == [])
    }
}

/// A page of a watch list.
enum Watched {
    static var reply: [UInt8] {
        let entries = [
            ("1.1.1.1", "dns,dev"), ("1.2.3.4", ""), ("2001:db8::1", ""), ("2606:4700:4700::1111", "dns,prod"),
        ]
        let text = entries.map { address, tags in
            let list = tags.split(separator: ",").map { #""\#($0)""# }.joined(separator: ",")
            return #"{"address":"\#(address)","pinned":false,"state":"fresh","tags":[\#(list)],"watched":true}"#
        }
        return Array(#"{"parameters":{"entries":[\#(text.joined(separator: ","))],"next":null,"total":4}}"#.utf8) + [0]
    }
}
