import Foundation
import Synchronization
import Testing

/// `ipctl monitor` with a cursor file, terminated at random moments while events are published.
@Suite(.serialized) struct MonitorTests {
    /// Adds addresses that need no call in a background thread, until `end()`.
    private final class Busy: Sendable {
        private let isOver = Atomic<Bool>(false)
        private let ended = DispatchSemaphore(value: 0)

        init(_ rig: Rig) {
            nonisolated(unsafe) let rig = rig
            Thread.detachNewThread { [self] in
                var number = 0
                while !isOver.load(ordering: .acquiring) {
                    number += 1
                    // A call that fails adds nothing, so no event is missing.
                    let addresses = (1...50).map { "10.\(number >> 8).\(number & 255).\($0)" }
                    _ = try? rig.ipctl(["add"] + addresses)
                }
                ended.signal()
            }
        }

        func end() {
            isOver.store(true, ordering: .releasing)
            ended.wait()
        }
    }

    /// Runs a monitor until each signal, and a last one to the end of the events.
    ///
    /// - Returns: the seq of each event that was printed, in this order.
    private func eventsPrinted(by rig: Rig, endedBy signals: [Int32]) throws -> [Int] {
        let busy = Busy(rig)
        var lines: [String] = []
        func monitor() throws -> Program {
            try Program([
                Rig.program("ipctl"), "--socket", rig.socket, "--json", "monitor", "--cursor-file",
                rig.folder + "/cursor",
            ])
        }
        let begun = try monitor()
        try begun.waitForLine(containing: "\"seq\"")
        try begun.stop()
        lines += try begun.linesToTheEnd()
        for signal in signals {
            let run = try monitor()
            // At any moment from the start to the hundredth event or so: the test is about the moment.
            usleep(.random(in: 0...40_000))
            try run.stop(with: signal)
            lines += try run.linesToTheEnd()
        }
        busy.end()
        let last = try #require((try rig.status()["store"] as? [String: Any])?["lastSeq"] as? Int)
        // The file has the seq and the time of the event.
        let noted = try String(contentsOfFile: rig.folder + "/cursor", encoding: .utf8)
        let cursor = Int(noted.prefix { $0 != " " })
        let run = try monitor()
        // On a busy host there are tens of thousands of events to catch up with, and no event follows the last.
        if cursor != last {
            try run.wait(for: "event \(last)", within: 60) {
                $0.last?.contains("\"seq\":\(last),") == true || $0.last?.hasSuffix("\"seq\":\(last)}}") == true
                    ? true : nil
            }
        }
        try run.stop()
        lines += try run.linesToTheEnd()
        return try lines.map { line in
            let seq = try #require(line.firstMatch(of: /"seq":(\d+)/)?.1)
            return try #require(Int(seq))
        }
    }

    @Test func `a listener for an unwatched address gets a warning, and its events once it is watched`() throws {
        let rig = try Rig()
        let monitor = try Program([Rig.program("ipctl"), "--socket", rig.socket, "monitor", "--after", "0", "1.1.1.1"])
        try monitor.waitForLine(containing: "ipctl: 1.1.1.1 is not on the watch list")
        try rig.ipctl("add", "1.1.1.1")
        try monitor.waitForLine(containing: "now watching 1.1.1.1 (by root)")
        #expect(monitor.lines.count { $0.contains("not on the watch list") } == 1)
        let entries = try rig.ipctl("--json", "list").output
        #expect(entries.contains("1.1.1.1"))
    }

    @Test func `the monitor survives restarts of the daemon, and misses or repeats no event`() throws {
        let rig = try Rig()
        let monitor = try Program([Rig.program("ipctl"), "--socket", rig.socket, "--json", "monitor", "--after", "0"])
        try rig.ipctl("add", "10.0.0.1")
        try monitor.waitForLine(containing: "10.0.0.1")
        for number in 2...4 {
            try #require(rig.daemon).stop()
            try rig.startDaemon()
            try rig.ipctl("add", "10.0.0.\(number)")
            try monitor.waitForLine(containing: "\"10.0.0.\(number)\"")
        }
        let seqs = monitor.lines.compactMap { $0.firstMatch(of: /"seq":(\d+)/).flatMap { Int($0.1) } }
        #expect(seqs == Array(1...seqs.count) && seqs.count >= 4, "\(seqs)")
        #expect(monitor.lines.count { $0.hasSuffix("closed the connection; reconnecting") } >= 3)
    }

    @Test func `a filtered cursor moves to the last event at the start`() throws {
        let rig = try Rig()
        let file = rig.folder + "/quiet"
        func run() throws {
            let command = ["monitor", "--kind", "networkLost", "--cursor-file", file, "--timeout", "2s"]
            #expect(try rig.ipctl(command).status == 75)
        }
        try run()
        try rig.ipctl(["add"] + (1...50).map { "10.0.0.\($0)" })
        try run()
        let last = try #require((try rig.status()["store"] as? [String: Any])?["lastSeq"] as? Int)
        #expect(last >= 50)
        #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix("\(last) "))
    }

    @Test func `a monitor that is terminated a hundred times misses and repeats no event`() throws {
        let rig = try Rig()
        let seqs = try eventsPrinted(by: rig, endedBy: (0..<100).map { [SIGTERM, SIGINT, SIGHUP][$0 % 3] })
        let (first, last) = (try #require(seqs.first), try #require(seqs.last))
        #expect(seqs == Array(first...last))
        #expect(seqs.count >= 100, "too few events for the test: \(seqs.count)")
    }

    @Test func `a monitor that is killed a hundred times misses no event, and repeats at most the latest ones`() throws
    {
        let rig = try Rig()
        let seqs = try eventsPrinted(by: rig, endedBy: Array(repeating: SIGKILL, count: 100))
        let (first, last) = (try #require(seqs.first), try #require(seqs.last))
        // The cursor is stored after each batch of events, whose size is bounded by one read.
        #expect(zip(seqs, seqs.dropFirst()).allSatisfy { $1 <= $0 + 1 && $1 > $0 - 1_000 })
        #expect(Set(seqs) == Set(first...last))
        #expect(seqs.count >= 100, "too few events for the test: \(seqs.count)")
    }
}
