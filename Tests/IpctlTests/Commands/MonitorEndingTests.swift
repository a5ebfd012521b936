import Foundation
import Glibc
import RecordKeeping
import TestSupport
import Testing
import Varlink

/// `ipctl monitor` with a reader that stalls.
@Suite struct MonitorEndingTests {
    /// Events that fill any pipe.
    private static let events = (1...5_000).map { seq in
        #"{"continues":true,"parameters":{"event":{"address":"192.0.2.1","at":\#(seq),"kind":"added","seq":\#(seq)}}}"#
    }

    private static func server() throws -> WireServer {
        let bytes = events.flatMap { (event: String) -> [UInt8] in Array(event.utf8) + [0] }
        return try WireServer(connections: [[Sample.statusReply { $0.lastSeq = 5_000 }, bytes]], staysOpen: true)
    }

    @Test func `it ends when its reader closes the pipe, without waiting for an event`() throws {
        let server = try WireServer(connections: [[Sample.statusReply { $0.lastSeq = 0 }, []]], staysOpen: true)
        let script = #"{ timeout 30 "$0" --socket "$1" monitor; echo "status $?" >&2; } | true"#
        let ended = try BuiltIpctl.run(
            command: ["/bin/sh", "-c", script, BuiltIpctl.path, server.path], environment: ["PATH": "/usr/bin:/bin"])
        #expect(ended == .init(status: 0, output: "", errors: "status 0\n"))
    }

    @Test func `it ends when its reader closes the socket`() throws {
        let server = try WireServer(connections: [[Sample.statusReply { $0.lastSeq = 0 }, []]], staysOpen: true)
        // A socket whose other end is closed is hung up, without an error (unix(7)).
        let script = """
            import socket, subprocess, sys
            near, far = socket.socketpair()
            program = subprocess.Popen([*sys.argv[1:], "monitor"], stdout=far)
            far.close()
            near.close()
            sys.exit(program.wait(30))
            """
        let ended = try BuiltIpctl.run(
            command: ["/usr/bin/python3", "-c", script, BuiltIpctl.path, "--socket", server.path], environment: [:])
        #expect(ended == .init(status: 0, output: "", errors: ""))
    }

    /// The daemon closes the first connection. It refuses the second one, or accepts it and does not reply, as while it
    /// starts.
    @Test(arguments: [false, true])
    func `it ends when its reader closes the pipe while it reconnects`(isAccepted: Bool) throws {
        let first = [Sample.statusReply { $0.lastSeq = 6 }, []]
        let server = try WireServer(connections: isAccepted ? [first, [[], []]] : [first])
        let script = """
            import subprocess, sys
            program = subprocess.Popen(
                [*sys.argv[1:], "monitor"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            for line in program.stderr:
                if b"reconnecting" in line:
                    break
            program.stdout.close()
            sys.exit(program.wait(30))
            """
        let ended = try BuiltIpctl.run(
            command: ["/usr/bin/python3", "-c", script, BuiltIpctl.path, "--socket", server.path], environment: [:])
        #expect(ended == .init(status: 0, output: "", errors: ""))
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP], [false, true])
    func `a signal ends it while its reader stalls`(signal: Int32, hasCursor: Bool) throws {
        let server = try Self.server()
        let folder = try TemporaryFolder()
        let program = try BuiltIpctl.start(
            ["--socket", server.path, "--json", "monitor", "--after", "0"]
                + (hasCursor ? ["--cursor-file", folder.file("cursor")] : []))
        let process = program.process
        #expect(server.isCalled(2))
        process.awaitStall()
        #expect(process.isRunning)
        process.signal(signal)
        #expect(process.awaitEnd(within: 60) == .signal(signal))
        // Has no effect unless the program still runs.
        process.signal(SIGKILL)
        let ended = program.end()
        let lines = ended.output.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(ended.errors == "")
        guard hasCursor else { return }
        // The next run begins after the last complete line.
        let last = lines.dropLast().last?.firstMatch(of: /"seq":(\d+)/)?.1 ?? "none"
        #expect(try folder.text("cursor") == "\(last) \(last)\n")
    }
}
