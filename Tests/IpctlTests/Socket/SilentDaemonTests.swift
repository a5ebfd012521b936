import Control
import Foundation
import Glibc
import TestSupport
import Testing

@testable import ipctl

/// A daemon that neither replies nor ends the connection.
@Suite struct SilentDaemonTests {
    private static let advice = "See systemctl status iprecordd, or run ipctl doctor."

    /// The commands run side by side, since each takes ten seconds.
    @Test func `a command ends after ten seconds with status 75 and advice`() throws {
        let kinds = SilentListener.Kind.allCases
        let commands = [["status"], ["show", "192.0.2.1", "--wait", "1s"], ["add", "192.0.2.1"]]
        let cases = kinds.flatMap { kind in commands.map { (kind: kind, command: $0) } }
        let listeners = try cases.map { try SilentListener($0.kind) }
        let start = ContinuousClock.now
        let runs = try zip(cases, listeners).map { try BuiltIpctl.start(["--socket", $1.path] + $0.command) }
        for ((kind, command), (listener, run)) in zip(cases, zip(listeners, runs)) {
            let ended = run.end()
            #expect(ended.status == 75, "\(kind) \(command)")
            let isFull = kind == .backlogFull
            let seconds = !isFull && command.first == "show" ? 11 : 10
            let unmetReason = "did not \(isFull ? "accept the connection" : "reply") within \(seconds) s"
            #expect(ended.errorLines == ["ipctl: the daemon at \(listener.path) \(unmetReason)", Self.advice])
        }
        #expect(ContinuousClock.now - start > .seconds(9))
    }

    @Test(
        arguments: [
            ["status"], ["list"], ["show", "192.0.2.1"], ["add", "192.0.2.1"], ["remove", "192.0.2.1"], ["outages"],
            ["history", "192.0.2.1"], ["pin", "192.0.2.1"], ["refresh"], ["reload"], ["export"], ["map"], ["monitor"],
            ["monitor", "--after", "0"], ["wait", "online"], ["note", "192.0.2.1", "--clear"],
        ])
    func `every command takes a time limit`(arguments: [String]) throws {
        for kind in SilentListener.Kind.allCases {
            let listener = try SilentListener(kind)
            let options = ["--socket", listener.path, "--timeout", "100ms"]
            for ended in [try BuiltIpctl.run(arguments + options), try BuiltIpctl.run(options + arguments)] {
                #expect(ended.status == 75, "\(kind): \(ended.errors)")
                let first = ended.errorLines.first ?? ""
                #expect(first.contains("within 100 ms") || first.contains("after 100 ms"), "\(kind): \(first)")
            }
        }
    }

    @Test func `a time limit that is not a duration is a usage error`() throws {
        let ended = try BuiltIpctl.run(["status", "--timeout", "soon"])
        #expect(ended.status == 64)
    }

    @Test func `a change is waited for while the daemon answers other calls`() throws {
        let status = Sample.reply(Sample.status())
        let server = try WireServer(connections: [[[]], [status], [status], [[]]], staysOpen: true)
        let connection = try DaemonConnection(path: server.path, limits: TimeLimits(silence: .milliseconds(2_050)))
        let commandError = #expect(throws: CommandError.self) {
            try connection.call("Add", Control.Add.Parameters(addresses: ["192.0.2.1"], tags: nil, note: nil))
        }
        #expect(commandError?.isUnresponsive == true)
        let methods = server.callsOfConnections.map { calls in
            calls.map { String($0.firstMatch(of: /Control\.(\w+)/)?.1 ?? "") }
        }
        #expect(methods == [["Add"], ["Status"], ["Status"], ["Status"]])
    }

    /// The probe's call is never answered, so the wait ends only because of the signal.
    @Test func `a signal during the probe of a silent daemon ends the wait`() throws {
        let server = try WireServer(connections: [[[]], [[]]], staysOpen: true)
        let connection = try DaemonConnection(path: server.path, limits: TimeLimits(silence: .milliseconds(2_050)))
        connection.interruption = try SignalPipe([SIGUSR2])
        Thread.detachNewThread {
            if server.isCalled(2) { kill(getpid(), SIGUSR2) }
        }
        let commandError = #expect(throws: CommandError.self) {
            try connection.call("Add", Control.Add.Parameters(addresses: ["192.0.2.1"], tags: nil, note: nil))
        }
        #expect(commandError?.signal == SIGUSR2)
    }
}
