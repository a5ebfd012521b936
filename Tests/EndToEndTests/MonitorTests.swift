import Foundation
import Synchronization
import Testing

/// `ipctl monitor` with a cursor file, ended at random moments while events happen.
@Suite(.serialized) struct MonitorTests {
    /// Adds addresses that need no call, until it is told to end.
    private final class Busy: Sendable {
        private let isOver = Atomic<Bool>(false)
        private let ended = DispatchSemaphore(value: 0)

        init(_ rig: Rig) {
            nonisolated(unsafe) let rig = rig
            Thread.detachNewThread { [self] in
                var number = 0
                while !isOver.load(ordering: .acquiring) {
                    number += 1
                    // One that fails adds nothing, and nothing is missing then.
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

    /// - Returns: the numbers of all events that were told by runs that were ended, and then by one that was not.
    private func told(by rig: Rig, endedBy signals: [Int32]) throws -> [Int] {
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
            // Anything between its start and its hundredth event: the moment is what is being tested.
            usleep(.random(in: 0...40_000))
            try run.stop(with: signal)
            lines += try run.linesToTheEnd()
        }
        busy.end()
        let last = try #require((try rig.status()["store"] as? [String: Any])?["lastSeq"] as? Int)
        // The number, and when that event was.
        let noted = try String(contentsOfFile: rig.folder + "/cursor", encoding: .utf8)
        let cursor = Int(noted.prefix { $0 != " " })
        let run = try monitor()
        // On a busy machine there are tens of thousands of events to catch up with, and nothing follows the last.
        if cursor != last {
            try run.wait(for: "event \(last)", within: 60) {
                $0.last?.hasSuffix("\"seq\":\(last)}}") == true ? true : nil
            }
        }
        try run.stop()
        lines += try run.linesToTheEnd()
        return try lines.map { line in
            let seq = try #require(line.firstMatch(of: /"seq":(\d+)/)?.1)
            return try #require(Int(seq))
        }
    }

    @Test func `who listens for an address that nobody watches is told, and hears of it once it is watched`() throws {
        let rig = try Rig()
        let monitor = try Program([Rig.program("ipctl"), "--socket", rig.socket, "monitor", "--after", "0", "1.1.1.1"])
        try monitor.waitForLine(containing: "ipctl: 1.1.1.1 is not on the watch list")
        try rig.ipctl("add", "1.1.1.1")
        try monitor.waitForLine(containing: "1.1.1.1 is watched now")
        #expect(monitor.lines.count { $0.contains("not on the watch list") } == 1)
        let entries = try rig.ipctl("--json", "list").output
        #expect(entries.contains("1.1.1.1"))
    }

    @Test func `ended a hundred times, it misses nothing and tells nothing twice`() throws {
        let rig = try Rig()
        let seqs = try told(by: rig, endedBy: (0..<100).map { [SIGTERM, SIGINT, SIGHUP][$0 % 3] })
        let (first, last) = (try #require(seqs.first), try #require(seqs.last))
        #expect(seqs == Array(first...last))
        #expect(seqs.count >= 100, "\(seqs.count) events are too few to prove anything")
    }

    @Test func `killed a hundred times, it misses nothing, and tells again at most what it told last`() throws {
        let rig = try Rig()
        let seqs = try told(by: rig, endedBy: Array(repeating: SIGKILL, count: 100))
        let (first, last) = (try #require(seqs.first), try #require(seqs.last))
        #expect(zip(seqs, seqs.dropFirst()).allSatisfy { $1 == $0 + 1 || $1 == $0 })
        #expect(Set(seqs) == Set(first...last))
        #expect(seqs.count >= 100, "\(seqs.count) events are too few to prove anything")
    }
}
