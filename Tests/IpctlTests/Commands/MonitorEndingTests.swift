import Dispatch
import Foundation
import Glibc
import RecordKeeping
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

    /// Waits until the program waits for room in a pipe or until it has exited.
    private static func awaitStall(of process: Process) {
        let deadline = Date(timeIntervalSinceNow: 60)
        var before: String?
        while Date() < deadline, process.isRunning {
            // Its processor time no longer grows: fields 14 and 15 of proc_pid_stat(5).
            let fields = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/stat", encoding: .utf8))?
                .split(separator: " ")
            let state = fields.map { $0[2...2].joined() + $0[13...14].joined(separator: ",") }
            if let state, state == before, state.hasPrefix("S") { return }
            before = state
            // There is no event to wait for: a sleeping process reports nothing.
            usleep(200_000)
        }
    }

    @Test(arguments: [SIGTERM, SIGINT, SIGHUP], [false, true])
    func `a signal ends it while its reader stalls`(signal: Int32, hasCursor: Bool) throws {
        let server = try Self.server()
        let folder = try TemporaryFolder()
        let (process, output, errors) = (Process(), Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            ["--default-signal=INT,TERM,HUP", BuiltIpctl.path, "--socket", server.path, "--json", "monitor"]
            + ["--after", "0"] + (hasCursor ? ["--cursor-file", folder.file("cursor")] : [])
        process.standardOutput = output
        process.standardError = errors
        let exit = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in exit.signal() }
        try process.run()
        #expect(server.isCalled(2))
        Self.awaitStall(of: process)
        #expect(process.isRunning)
        kill(process.processIdentifier, signal)
        let hasEnded = exit.wait(timeout: .now() + 60) == .success
        if !hasEnded { kill(process.processIdentifier, SIGKILL) }
        try output.fileHandleForWriting.close()
        let lines = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        process.waitUntilExit()
        #expect(hasEnded, "it had to be killed")
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == signal)
        #expect(try errors.fileHandleForReading.readToEnd() ?? Data() == Data())
        guard hasCursor else { return }
        // The next run begins after the last complete line.
        let last = lines.dropLast().last?.firstMatch(of: /"seq":(\d+)/)?.1 ?? "none"
        #expect(try folder.text("cursor") == "\(last) \(last)\n")
    }
}
