import Foundation
import TestSupport
import Testing

/// `ipctl monitor --exec` with the daemon.
@Suite(.serialized) struct HookTests {
    /// Starts a monitor that runs a script for each event. The script appends lines to the file `$log`.
    private static func monitor(
        _ rig: Rig, options: [String] = [], _ script: String
    ) throws -> Program {
        try Program(
            [Rig.program("ipctl"), "--socket", rig.socket, "monitor", "--cursor-file", rig.folder + "/cursor"]
                + options + ["--exec", "/bin/sh", "-c", script], environment: ["log": log(rig)])
    }

    private static func log(_ rig: Rig) -> String { rig.folder + "/log" }

    private static func lines(_ rig: Rig) throws -> [String] {
        try String(contentsOfFile: log(rig), encoding: .utf8).split(separator: "\n").map(String.init)
    }

    private static func lastSeq(_ rig: Rig) throws -> Int {
        try #require((try rig.status()["store"] as? [String: Any])?["lastSeq"] as? Int)
    }

    /// The number in the cursor file.
    private static func cursor(_ rig: Rig) -> Int? {
        let text = try? String(contentsOfFile: rig.folder + "/cursor", encoding: .utf8)
        return text.flatMap { Int($0.prefix { $0 != " " && $0 != "\n" }) }
    }

    /// Waits until the cursor has reached an event.
    private static func awaitCursor(_ rig: Rig, _ seq: Int) {
        let deadline = Date(timeIntervalSinceNow: 120)
        while cursor(rig).map({ $0 < seq }) ?? true, Date() < deadline { usleep(20_000) }
    }

    /// A cursor file that continues with the first event.
    private static func begin(_ rig: Rig) throws {
        try "0\n".write(toFile: rig.folder + "/cursor", atomically: true, encoding: .utf8)
        try "".write(toFile: log(rig), atomically: true, encoding: .utf8)
    }

    @Test func `the command runs once for each event, also after restarts of the daemon`() throws {
        let rig = try Rig()
        try Self.begin(rig)
        try rig.ipctl("add", "10.0.0.1")
        let monitor = try Self.monitor(
            rig, #"echo "$IPRECORD_SEQ $IPRECORD_EVENT $IPRECORD_ADDRESS" >>"$log"; echo "ran $IPRECORD_SEQ""#)
        try monitor.waitForLine(containing: "ran 1")
        try #require(rig.daemon).stop()
        try rig.startDaemon()
        try rig.ipctl("remove", "10.0.0.1")
        try monitor.waitForLine(containing: "ran 2")
        #expect(try monitor.stop() == -SIGTERM)
        #expect(try Self.lines(rig) == ["1 added 10.0.0.1", "2 removed 10.0.0.1"])
        #expect(Self.cursor(rig) == 2)
    }

    @Test func `a monitor that is killed repeatedly handles every event, and repeats at most the running ones`() throws
    {
        let rig = try Rig()
        try Self.begin(rig)
        for part in 0..<4 { try rig.ipctl(["add"] + (1...50).map { "10.0.\(part).\($0)" }) }
        let last = try Self.lastSeq(rig)
        let script = #"echo "$IPRECORD_SEQ" >>"$log"; [ "$IPRECORD_SEQ" != "\#(last)" ] || echo complete"#
        for _ in 0..<20 {
            let run = try Self.monitor(rig, script)
            // At any moment of the first events: the test is about the moment.
            usleep(.random(in: 0...60_000))
            try run.stop(with: SIGKILL)
        }
        let run = try Self.monitor(rig, script)
        try run.waitForLine(containing: "complete", within: 60)
        try run.stop()
        let seqs = try Self.lines(rig).compactMap { Int($0) }
        #expect(Set(seqs) == Set(1...last))
        // One event runs at a time, and each kill repeats at most that one.
        #expect(seqs.count <= last + 20)
        #expect(zip(seqs, seqs.dropFirst()).allSatisfy { $1 == $0 || $1 == $0 + 1 }, "\(seqs)")
        #expect(Self.cursor(rig) == last)
    }

    @Test func `with several jobs, the events of each address are handled in order, and never at the same time`() throws
    {
        let rig = try Rig()
        try Self.begin(rig)
        let addresses = (1...8).map { "10.0.0.\($0)" }
        for _ in 0..<6 {
            try rig.ipctl(["add"] + addresses)
            try rig.ipctl(["remove"] + addresses)
        }
        let last = try Self.lastSeq(rig)
        // Some commands take longer than others, and some fail at first.
        let script = """
            echo "begin $IPRECORD_ADDRESS $IPRECORD_SEQ" >>"$log"
            [ $((IPRECORD_SEQ % 5)) != 0 ] || sleep 0.1
            if [ $((IPRECORD_SEQ % 31)) = 0 ] && [ "$IPRECORD_ATTEMPT" = 1 ]; then result=failed; else result=done; fi
            echo "$result $IPRECORD_ADDRESS $IPRECORD_SEQ" >>"$log"
            [ $result = done ]
            """
        let monitor = try Self.monitor(rig, options: ["--jobs", "4"], script)
        Self.awaitCursor(rig, last)
        try monitor.stop()
        #expect(Self.cursor(rig) == last)
        let steps = try Self.lines(rig).map { $0.split(separator: " ").map(String.init) }
        #expect(steps.contains { $0[0] == "failed" })
        for address in addresses {
            let own = steps.filter { $0[1] == address }
            for (begin, end) in zip(own, own.dropFirst()).enumerated().filter({ $0.offset % 2 == 0 }).map(\.element) {
                #expect(begin[0] == "begin" && end[0] != "begin" && begin[2] == end[2], "\(own)")
            }
            let seqs = own.filter { $0[0] == "done" }.compactMap { Int($0[2]) }
            #expect(seqs == seqs.sorted() && seqs.count == 12, "\(own)")
        }
    }

    @Test func `the filters of list select the entries whose events run the command`() throws {
        let rig = try Rig(mockProvider: Rig.unlimited)
        try Self.begin(rig)
        try rig.ipctl("add", "1.1.1.1", "8.8.8.8", "--wait")
        let monitor = try Self.monitor(
            rig, options: ["--kind", "added", "--country", "AU", "--after", "0"], #"echo "ran for $IPRECORD_ADDRESS""#)
        try monitor.waitForLine(containing: "ran for")
        try monitor.stop()
        #expect(monitor.lines.filter { $0.hasPrefix("ran for") } == ["ran for 1.1.1.1"])
    }

    /// The events that do not match may be deleted before one that matches.
    @Test(arguments: [["--kind", "networkLost"], ["--tag", "x"]])
    func `after a restart of the daemon, the hook continues after the events that did not match`(
        filter: [String]
    ) throws {
        let rig = try Rig()
        try Self.begin(rig)
        try rig.ipctl(["add"] + (1...50).map { "10.0.0.\($0)" })
        let monitor = try Self.monitor(rig, options: filter, "exit 1")
        Self.awaitCursor(rig, try Self.lastSeq(rig))
        let cursor = try #require(Self.cursor(rig))
        #expect(cursor >= 50)
        try #require(rig.daemon).stop()
        try rig.startDaemon()
        try monitor.waitForLine(containing: "reconnected; continuing after event \(cursor)")
        try monitor.stop()
    }

    /// iprecord-hook@.service is restarted after status 70, but not after status 65.
    @Test(.enabled(if: Namespaces.isPossible, "cannot mount a file system; run as root"))
    func `a full disk is not a mistake in the path of the cursor file`() throws {
        let rig = try Rig()
        let folder = try TemporaryFolder()
        // The directory and the cursor file are the only files that it can hold.
        let mounted = try Program.run(
            ["/usr/bin/mount", "-t", "tmpfs", "-o", "nr_inodes=2", "tmpfs", folder.path])
        try #require(mounted.status == 0, "\(mounted)")
        // An error does not matter: the test is over.
        defer { _ = try? Program.run(["/usr/bin/umount", "--lazy", folder.path]) }
        let file = folder.file("cursor")
        try "0\n".write(toFile: file, atomically: false, encoding: .utf8)
        let failed = try rig.ipctl("monitor", "--cursor-file", file, "--exec", "true")
        #expect(failed.status == 70, "\(failed)")
        #expect(failed.errors == "ipctl: cannot write \(file): No space left on device\n")
    }

    @Test func `a signal lets the running command finish, and its event is not repeated`() throws {
        let rig = try Rig()
        try Self.begin(rig)
        try rig.ipctl("add", "10.0.0.1", "10.0.0.2")
        let script = #"echo "$IPRECORD_SEQ" >>"$log"; echo started; sleep 1; echo "finished $IPRECORD_SEQ""#
        let monitor = try Self.monitor(rig, script)
        try monitor.waitForLine(containing: "started")
        #expect(try monitor.stop() == -SIGTERM)
        #expect(try monitor.linesToTheEnd().last == "finished 1")
        #expect(Self.cursor(rig) == 1)
    }
}
