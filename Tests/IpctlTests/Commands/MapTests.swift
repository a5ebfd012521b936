import Control
import Foundation
import RecordKeeping
import TestSupport
import Testing
import Varlink

@testable import ipctl

/// `ipctl map` with the built program.
@Suite struct MapTests {
    private static func page(_ entries: [Interface.Entry], next: String? = nil, total: Int) -> [UInt8] {
        OutgoingReply.message(Control.List.Reply(entries: entries, next: next, total: total))
    }

    private static var twoPages: [[UInt8]] {
        get throws {
            [
                page([try Sample.placed(52.5, 13.4, city: "Berlin")], next: "c1", total: 2),
                page([try Sample.placed(-33.9, 151.2, state: .stale, city: "Sydney")], total: 2),
            ]
        }
    }

    private static func call(_ parameters: String) -> String {
        #"{"method":"io.iprecord.Control.List","parameters":{\#(parameters)}}"#
    }

    @Test func `the list is read page by page and drawn`() throws {
        let server = try WireServer(try Self.twoPages)
        let ended = try BuiltIpctl.run(["--socket", server.path, "map"])
        #expect(ended.status == 0)
        #expect(ended.errors == "")
        let lines = ended.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(lines.count == 21)
        #expect(Array(lines[3])[42] == "●")
        #expect(Array(lines[15])[73] == "◐")
        #expect(lines.suffix(2) == ["● 1 fresh   ◐ 1 stale", "2 on the map"])
        #expect(server.calls == [Self.call(#""limit":1000"#), Self.call(#""after":"c1","limit":1000"#)])
    }

    @Test func `the filters are sent with each page`() throws {
        let server = try WireServer(try Self.twoPages)
        let options = ["--tag", "dns", "--state", "stale", "--search", "192.0.2.0/24"]
        #expect(try BuiltIpctl.run(["--socket", server.path, "map"] + options).status == 0)
        let asked = #""search":"192.0.2.0/24","state":"stale","tag":"dns""#
        #expect(
            server.calls == [Self.call(#""limit":1000,\#(asked)"#), Self.call(#""after":"c1","limit":1000,\#(asked)"#)])
    }

    @Test func `with --json, the pages are printed unchanged`() throws {
        let pages = try Self.twoPages
        let server = try WireServer(pages)
        let ended = try BuiltIpctl.run(["--socket", server.path, "--json", "map"])
        let parameters = pages.map {
            String(decoding: $0, as: UTF8.self).dropFirst(#"{"parameters":"#.count).dropLast(2) + "\n"
        }
        #expect(ended == .init(status: 0, output: parameters.joined(), errors: ""))
    }

    @Test(arguments: [[], ["--json"]]) func `without a match, the exit status is 1`(arguments: [String]) throws {
        let server = try WireServer([Self.page([], total: 0)])
        let ended = try BuiltIpctl.run(["--socket", server.path, "map", "--tag", "none"] + arguments)
        #expect(ended.status == 1)
        #expect(ended.output == (arguments.isEmpty ? "" : #"{"entries":[],"total":0}"# + "\n"))
        #expect(ended.errors == (arguments.isEmpty ? "ipctl: no entry on the watch list matches\n" : ""))
    }

    @Test func `an empty watch list is reported as empty`() throws {
        let ended = try BuiltIpctl.run(try WireServer([Self.page([], total: 0)]), "map")
        #expect(ended.status == 1)
        #expect(ended.errorLines.first == "ipctl: the watch list is empty")
    }

    @Test func `a repeated page is an internal error`() throws {
        let page = Self.page([try Sample.placed(52.5, 13.4)], next: "c1", total: 2)
        let ended = try BuiltIpctl.run(try WireServer([page, page]), "map")
        #expect(ended.status == 70)
        #expect(ended.errors.contains("the same page"))
    }

    @Test func `an unknown state is a usage error that lists the states`() throws {
        let ended = try BuiltIpctl.run(["map", "--state", "mint"])
        #expect(ended.status == 64)
        #expect(ended.errors.contains("loading, fresh, stale, empty, failed"))
    }

    @Test(arguments: [(80, 24), (200, 60), (60, 40)] as [(UInt16, UInt16)])
    func `in a terminal it has colours and fits`(columns: UInt16, rows: UInt16) throws {
        let server = try WireServer(try Self.twoPages)
        let terminal = try #require(PseudoTerminal(columns: columns, rows: rows))
        let ended = try BuiltIpctl.run(
            ["--socket", server.path, "map"], environment: ["TERM": "xterm"], terminal: terminal.far)
        #expect(ended.status == 0)
        let lines = try terminal.lines()
        #expect(lines.count < Int(rows))
        #expect(lines.allSatisfy { PlainText.text($0).displayWidth <= Int(columns) })
        #expect(lines.joined().contains("\u{1B}[32m●\u{1B}[0m"))
        #expect(lines.joined().contains("\u{1B}[33m◐\u{1B}[0m"))
    }
}
