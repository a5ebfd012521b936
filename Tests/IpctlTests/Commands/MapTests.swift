import Control
import Foundation
import RecordKeeping
import TestSupport
import Testing
import Varlink

@testable import ipctl

/// `ipctl map` with the built program.
@Suite struct MapTests {
    private static var entries: [Interface.Entry] {
        get throws {
            [
                try Sample.placed(52.5, 13.4, city: "Berlin"),
                try Sample.placed(-33.9, 151.2, state: .stale, city: "Sydney"),
            ]
        }
    }

    private static func call(_ parameters: String) -> String {
        #"{"method":"io.iprecord.Control.Count","parameters":{\#(parameters)}}"#
    }

    @Test func `the places of each state are counted and drawn`() throws {
        let server = try WireServer(Sample.counts(try Self.entries))
        let ended = try BuiltIpctl.run(["--socket", server.path, "map"])
        #expect(ended.status == 0)
        #expect(ended.errors == "")
        let lines = ended.output.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        #expect(lines.count == 21)
        #expect(Array(lines[3])[42] == "●")
        #expect(Array(lines[15])[73] == "◐")
        #expect(lines.suffix(2) == ["● 1 fresh   ◐ 1 stale", "2 on the map"])
        func places(_ state: String) -> String {
            Self.call(#""by":"place","filter":{"states":["\#(state)"]},"limit":10000"#)
        }
        #expect(
            server.calls == [Self.call(#""by":"state""#), places("fresh"), places("stale")])
    }

    @Test func `the filters are sent with each call`() throws {
        let server = try WireServer(Sample.counts([try Sample.placed(1, 1, state: .stale)]))
        let options = ["--tag", "dns", "--state", "stale", "--state", "failed", "--search", "192.0.2.0/24"]
        #expect(try BuiltIpctl.run(["--socket", server.path, "map"] + options).status == 0)
        let search = #""search":"192.0.2.0\/24""#
        let all = #""filter":{\#(search),"states":["stale","failed"],"tags":["dns"]}"#
        let stale = #""filter":{\#(search),"states":["stale"],"tags":["dns"]}"#
        #expect(
            server.calls.map { $0.replacing("\\/", with: "/") } == [
                Self.call(#""by":"state",\#(all)"#.replacing("\\/", with: "/")),
                Self.call(#""by":"place",\#(stale),"limit":10000"#.replacing("\\/", with: "/")),
            ])
    }

    @Test func `with --json, the replies are printed unchanged`() throws {
        let replies = Sample.counts(try Self.entries)
        let server = try WireServer(replies)
        let ended = try BuiltIpctl.run(["--socket", server.path, "--json", "map"])
        let parameters = replies.map {
            String(decoding: $0, as: UTF8.self).dropFirst(#"{"parameters":"#.count).dropLast(2) + "\n"
        }
        #expect(ended == .init(status: 0, output: parameters.joined(), errors: ""))
    }

    @Test(arguments: [[], ["--json"]]) func `without a match, the exit status is 1`(arguments: [String]) throws {
        let server = try WireServer(Sample.counts([]))
        let ended = try BuiltIpctl.run(["--socket", server.path, "map", "--tag", "none"] + arguments)
        #expect(ended.status == 1)
        #expect(ended.output == (arguments.isEmpty ? "" : #"{"groups":[],"others":0,"total":0}"# + "\n"))
        #expect(ended.errors == (arguments.isEmpty ? "ipctl: no entry on the watch list matches\n" : ""))
    }

    @Test func `an empty watch list is reported as empty`() throws {
        let ended = try BuiltIpctl.run(try WireServer(Sample.counts([])), "map")
        #expect(ended.status == 1)
        #expect(ended.errorLines.first == "ipctl: the watch list is empty")
    }

    @Test func `an unknown state is a usage error that lists the states`() throws {
        let ended = try BuiltIpctl.run(["map", "--state", "mint"])
        #expect(ended.status == 64)
        #expect(ended.errors.contains("loading, fresh, stale, empty, failed"))
    }

    @Test(arguments: [(80, 24), (200, 60), (60, 40)] as [(UInt16, UInt16)])
    func `in a terminal it has colours and fits`(columns: UInt16, rows: UInt16) throws {
        let server = try WireServer(Sample.counts(try Self.entries))
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
