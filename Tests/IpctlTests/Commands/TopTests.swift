import Control
import Foundation
import RecordKeeping
import TestSupport
import Testing
import Varlink

@testable import ipctl

/// `ipctl top` with the built program on a terminal.
@Suite struct TopTests {
    private static let enter = "\u{1B}[?1049h"
    private static let leave = "\u{1B}[?1006l\u{1B}[?1000l\u{1B}[0m\u{1B}[?25h\u{1B}[?1049l"

    private static func server() throws -> LiveServer {
        let entries = [
            try Sample.placed(1, 1, city: "Berlin", address: "192.0.2.1"),
            try Sample.placed(1, 1, city: "Paris", address: "192.0.2.2"),
        ]
        return try LiveServer([
            "Status": OutgoingReply.message(Sample.status()),
            "List": OutgoingReply.message(Control.List.Reply(entries: entries, next: nil, total: 2)),
        ])
    }

    /// Starts a session that shows the list.
    private static func session(
        _ server: LiveServer, _ options: String..., environment: [String: String] = ["TERM": "xterm"]
    ) throws -> (TerminalSession, found: [UInt8]) {
        let session = try #require(
            TerminalSession(["--socket", server.path, "top"] + options, environment: environment))
        let found = session.settings
        #expect(!found.isEmpty)
        try session.start()
        try session.awaitText(enter)
        try session.awaitText("\u{1B}[?1000h\u{1B}[?1006h")
        try session.awaitText("192.0.2.2")
        #expect(session.settings != found)
        return (session, found)
    }

    private static func expectLeft(_ session: TerminalSession, _ found: [UInt8]) {
        #expect(session.settings == found)
        #expect(session.printed.hasSuffix(leave))
        #expect(session.printed.components(separatedBy: enter).count == 1)
    }

    @Test func `q quits and restores the terminal`() throws {
        let server = try Self.server()
        let (session, found) = try Self.session(server)
        session.type("q")
        #expect(try session.awaitEnd() == .init(status: 0, signal: nil, errors: ""))
        Self.expectLeft(session, found)
        #expect(server.calls.sorted() == ["List", "Monitor", "Status"])
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT])
    func `a signal ends the program and restores the terminal`(signal: Int32) throws {
        let (session, found) = try Self.session(try Self.server())
        session.signal(signal)
        #expect(try session.awaitEnd() == .init(status: 0, signal: signal, errors: ""))
        Self.expectLeft(session, found)
    }

    @Test func `Control-C sends a signal, and Control-S does not stop the output`() throws {
        let (session, found) = try Self.session(try Self.server())
        func has(_ flag: Int32, _ settings: [UInt8], _ field: KeyPath<termios, tcflag_t>) -> Bool {
            let whole = settings.withUnsafeBytes { $0.loadUnaligned(as: termios.self) }
            return whole[keyPath: field] & tcflag_t(flag) != 0
        }
        #expect(has(ISIG, session.settings, \.c_lflag))
        #expect(!has(ICANON, session.settings, \.c_lflag))
        #expect(!has(ECHO, session.settings, \.c_lflag))
        #expect(!has(IXON, session.settings, \.c_iflag))
        #expect(has(OPOST, session.settings, \.c_oflag) == has(OPOST, found, \.c_oflag))
    }

    @Test func `with --no-reconnect, it ends with the daemon and restores the terminal before the error`() throws {
        let server = try Self.server()
        let (session, found) = try Self.session(server, "--no-reconnect")
        server.stop()
        let ending = try session.awaitEnd()
        #expect(ending.status == 69)
        #expect(ending.errors.hasPrefix("ipctl: the daemon at \(server.path) closed the connection\n"))
        Self.expectLeft(session, found)
    }

    @Test func `a stop restores the terminal, and SIGCONT enters the screen again`() throws {
        let server = try Self.server()
        let (session, found) = try Self.session(server)
        session.signal(SIGTSTP)
        try session.awaitText(Self.leave)
        try session.awaitStop()
        #expect(session.settings == found)
        session.signal(SIGCONT)
        try session.awaitText(Self.enter)
        try session.awaitText("192.0.2.2")
        #expect(session.settings != found)
        #expect(server.publish(try Self.event("after the stop"), afterListeners: 2))
        try session.awaitText("after the stop")
        session.type("q")
        #expect(try session.awaitEnd().status == 0)
        // It resumed once, and has one more listener.
        #expect(server.listenersSoFar == 2)
        Self.expectLeft(session, found)
    }

    @Test func `SIGCONT after SIGSTOP redraws the screen`() throws {
        let (session, found) = try Self.session(try Self.server())
        session.signal(SIGSTOP)
        try session.awaitStop()
        session.signal(SIGCONT)
        try session.awaitText("\u{1B}[2J")
        try session.awaitText("192.0.2.2")
        session.type("q")
        #expect(try session.awaitEnd().status == 0)
        Self.expectLeft(session, found)
    }

    private static func event(_ message: String) throws -> [UInt8] {
        let reply = Control.Monitor.Reply(event: try Sample.event(.networkLost, address: nil, message: message))
        let text = String(decoding: OutgoingReply.message(reply).dropLast(), as: UTF8.self)
        return Array(#"{"continues":true,\#(text.dropFirst())"#.utf8) + [0]
    }

    @Test func `an event is shown at once, without a key or a call`() throws {
        let server = try Self.server()
        let (session, _) = try Self.session(server)
        #expect(server.publish(try Self.event("no route to the provider")))
        try session.awaitText("network lost: no route to the provider")
    }

    @Test func `the screen follows the size of the terminal`() throws {
        let (session, _) = try Self.session(try Self.server())
        session.resize(columns: 200, rows: 60)
        try session.awaitText("REVERSE NAME")
        session.resize(columns: 40, rows: 8)
        try session.awaitText("\u{1B}[8;1H")
    }

    @Test func `only changed rows are drawn`() throws {
        let (session, _) = try Self.session(try Self.server())
        try session.awaitText("\u{1B}[24;1H")
        session.type("/abc")
        try session.awaitText("Search: ")
        session.type("d")
        try session.awaitText("abcd")
        #expect(!session.printed.contains("Berlin"))
    }

    @Test func `without colours, there are no colour sequences`() throws {
        let server = try Self.server()
        let session = try #require(
            TerminalSession(["--socket", server.path, "top"], environment: ["TERM": "xterm", "NO_COLOR": "1"]))
        try session.start()
        try session.awaitText("192.0.2.2")
        session.type("q")
        #expect(try session.awaitEnd().status == 0)
        #expect(session.printed.firstMatch(of: /\u{1B}\[[0-9;]*[1-9]m/) == nil)
    }

    @Test func `without a terminal, it prints one line, with or without a daemon`() throws {
        let server = try Self.server()
        for path in [server.path, "/nowhere"] {
            let ended = try BuiltIpctl.run(["--socket", path, "top"], environment: ["TERM": "xterm"])
            #expect(ended.status == 64)
            #expect(ended.output == "")
            #expect(ended.errorLines.count == 1)
            #expect(ended.errors.hasPrefix("ipctl: top needs a terminal"))
        }
        #expect(server.calls == [])
    }

    @Test(arguments: [[:], ["TERM": "dumb"], ["TERM": ""]])
    func `a dumb terminal is rejected`(environment: [String: String]) throws {
        let session = try #require(TerminalSession(["--socket", "/nowhere", "top"], environment: environment))
        let found = session.settings
        try session.start()
        let ending = try session.awaitEnd()
        #expect(ending.status == 64)
        #expect(session.printed == "")
        #expect(session.settings == found)
    }

    @Test func `--json is an error that suggests alternatives`() throws {
        let ended = try BuiltIpctl.run(["--json", "top"], environment: ["TERM": "xterm"])
        #expect(ended.status == 64)
        #expect(ended.errorLines.count == 1)
        #expect(ended.errors.contains("--json status"))
    }

    @Test func `an error of the daemon ends it with that error`() throws {
        let server = try LiveServer([
            "Status": OutgoingReply.error(.service(.methodNotFound("io.iprecord.Control.Status")))
        ])
        let session = try #require(TerminalSession(["--socket", server.path, "top"]))
        let found = session.settings
        try session.start()
        let ending = try session.awaitEnd()
        #expect(ending.status == 70)
        #expect(ending.errors.contains("is a different version"))
        #expect(session.settings == found)
        #expect(session.printed.hasSuffix(Self.leave))
    }
}
