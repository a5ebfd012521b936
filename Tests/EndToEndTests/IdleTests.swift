import Foundation
import Testing

/// A daemon with nothing due.
@Suite(.serialized, .enabled(if: !Sanitizer.hasThread, "the sanitizer's own thread wakes up"))
struct IdleTests {
    @Test func `nothing wakes up while nothing is due`() throws {
        let rig = try Rig(mockProvider: Rig.unlimited)
        try rig.ipctl("add", "1.1.1.1", "8.8.8.8")
        #expect(try rig.entry("1.1.1.1", wait: 5)["state"] as? String == "fresh")
        // Work after the last call ends first; then no thread runs for three seconds.
        var runs: [Int] = []
        for _ in 0..<10 {
            let before = try Self.runs(of: rig)
            Thread.sleep(forTimeInterval: 3)
            runs.append(try Self.runs(of: rig) - before)
            if runs.last == 0 { break }
        }
        #expect(runs.last == 0, "thread runs in each period of three seconds: \(runs)")
    }

    /// Returns the number of context switches of all threads of the daemon (proc_pid_status(5)).
    private static func runs(of rig: Rig) throws -> Int {
        let tasks = "/proc/\(try #require(rig.daemon).pid)/task"
        return try FileManager.default.contentsOfDirectory(atPath: tasks).reduce(0) { sum, thread in
            let text = try String(contentsOfFile: "\(tasks)/\(thread)/status", encoding: .utf8)
            let counts = text.split(separator: "\n").filter { $0.contains("ctxt_switches") }
            return try counts.reduce(sum) { try $0 + #require(Int($1.split(separator: "\t")[1])) }
        }
    }
}
