import Foundation
import TestSupport
import Testing

/// While the disk fails, the daemon rejects changes and answers queries; it recovers by itself.
@Suite(.serialized) struct DiskTests {
    /// Expects that a change is rejected as a whole, and that existing data is still served.
    private func expectRefusal(_ rig: Rig, words: String, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let refused = try rig.ipctl(["add"] + Self.many)
        #expect(refused.status == 75, "\(refused)", sourceLocation: sourceLocation)
        #expect(refused.errors.contains(words), "\(refused)", sourceLocation: sourceLocation)
        #expect(refused.errors.contains("nothing was changed"), "\(refused)", sourceLocation: sourceLocation)
        #expect(try rig.entry("1.1.1.1")["record"] != nil, sourceLocation: sourceLocation)
        #expect(try rig.watched() == 1, sourceLocation: sourceLocation)
    }

    /// Expects that a change succeeds once the disk works, and that it survives SIGKILL.
    private func expectHealed(_ rig: Rig, sourceLocation: SourceLocation = #_sourceLocation) throws {
        let added = try rig.ipctl(["add"] + Self.many)
        #expect(added.status == 0, "\(added)", sourceLocation: sourceLocation)
        try rig.daemon?.stop(with: SIGKILL)
        try rig.startDaemon()
        #expect(try rig.watched() == 1 + Self.many.count, sourceLocation: sourceLocation)
        #expect(try rig.entry(Self.many[0], wait: 10)["state"] as? String == "fresh", sourceLocation: sourceLocation)
    }

    private static let many = (0..<2_000).map { "20.0.\($0 / 250).\(1 + $0 % 250)" }

    @Test(.enabled(if: Namespaces.isPossible, "cannot mount a file system; run as root"))
    func `a full disk causes changes to fail until there is room`() throws {
        let rig = try Rig(mockProvider: Rig.unlimited, diskSize: "4m")
        try rig.ipctl("add", "1.1.1.1")
        #expect(try rig.entry("1.1.1.1", wait: 10)["state"] as? String == "fresh")
        let filler = rig.folder + "/filler"
        let filled = try Program.run(["/bin/dd", "if=/dev/zero", "of=\(filler)", "bs=4k"])
        try #require(filled.errors.contains("No space left"), "\(filled)")
        try expectRefusal(rig, words: "full")
        try FileManager.default.removeItem(atPath: filler)
        try expectHealed(rig)
    }

    @Test(.enabled(if: Namespaces.isPossible, "cannot mount a file system; run as root"))
    func `no recovery is reported while the disk is full, and one when there is room`() throws {
        let rig = try Rig(mockProvider: Rig.unlimited, diskSize: "4m")
        let daemon = try #require(rig.daemon)
        func count(_ lines: [String], _ text: String) -> Int { lines.count { $0.contains(text) } }
        let (failure, recovery) = ("the database could not be written", "the database is writable again")
        try rig.ipctl("add", "1.1.1.1")
        #expect(try rig.entry("1.1.1.1", wait: 10)["state"] as? String == "fresh")
        for round in 1...2 {
            let filler = rig.folder + "/filler"
            let filled = try Program.run(["/bin/dd", "if=/dev/zero", "of=\(filler)", "bs=4k"])
            try #require(filled.errors.contains("No space left"), "\(filled)")
            let before = count(daemon.lines, failure)
            try expectRefusal(rig, words: "full")
            // The daemon repeats its saved state after about 1, 2 and 4 seconds, although the state has not changed.
            try daemon.wait(for: "3 repeated failures", within: 60) { lines in
                count(lines, recovery) >= round || count(lines, failure) >= before + 4 ? true : nil
            }
            #expect(count(daemon.lines, recovery) == round - 1, "\(daemon.lines)")
            try FileManager.default.removeItem(atPath: filler)
            try daemon.wait(for: "recovery", within: 60) { count($0, recovery) >= round ? true : nil }
            #expect(daemon.lines.last { $0.contains(failure) || $0.contains(recovery) }?.contains(recovery) == true)
        }
        try expectHealed(rig)
    }

    @Test(.enabled(if: Namespaces.isPossible, "cannot mount a file system; run as root"))
    func `the daemon stops cleanly on a full disk and loses nothing`() throws {
        let rig = try Rig(mockProvider: Rig.unlimited, diskSize: "4m")
        try rig.ipctl(["add"] + Self.many)
        let filler = rig.folder + "/filler"
        let filled = try Program.run(["/bin/dd", "if=/dev/zero", "of=\(filler)", "bs=4k"])
        try #require(filled.errors.contains("No space left"), "\(filled)")
        #expect(try rig.daemon?.stop() == 0)
        try FileManager.default.removeItem(atPath: filler)
        try rig.startDaemon()
        #expect(try rig.watched() == Self.many.count)
    }

    @Test(arguments: ["w", "s", "o"])
    func `a disk with I/O errors causes changes to fail until it works again`(order: String) throws {
        let faults = try IOErrors()
        let rig = try Rig(mockProvider: Rig.unlimited, surroundings: faults.surroundings)
        try rig.ipctl("add", "1.1.1.1")
        #expect(try rig.entry("1.1.1.1", wait: 10)["state"] as? String == "fresh")
        try faults.begin(order)
        try expectRefusal(rig, words: "I/O error")
        try faults.end()
        try expectHealed(rig)
    }

    @Test func `an unreadable database stops the start with an error that names it, and stays unchanged`() throws {
        let faults = try IOErrors()
        let rig = try Rig(mockProvider: Rig.unlimited, surroundings: faults.surroundings)
        try rig.ipctl("add", "1.1.1.1")
        try rig.daemon?.stop()
        try faults.begin("r")
        let command = [Rig.program("iprecordd"), "--config", rig.folder + "/iprecordd.toml"]
        let refused = try Program.run(faults.surroundings.prefix + command)
        #expect(refused.status == 1, "\(refused)")
        #expect(refused.errors.contains(rig.database) && refused.errors.contains("I/O error"), "\(refused)")
        try faults.end()
        try rig.startDaemon()
        #expect(try rig.watched() == 1)
    }
}

/// A preloaded library that makes file operations of the daemon fail on demand (Tests/Support/io-errors.c).
private final class IOErrors {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let source = Service.top + "Tests/Support/io-errors.c"
        let made = try Program.run(["/usr/bin/env", "clang", "-shared", "-fPIC", "-O2", "-o", library, source])
        try #require(made.status == 0, "\(made.errors)")
    }

    private var library: String { folder.file("io-errors.so") }
    private var order: String { folder.file("order") }

    var surroundings: Surroundings {
        Surroundings(
            files: [folder.path],
            environment: [
                "LD_PRELOAD=\(library)", "IO_ERRORS_NAME=records.db", "IO_ERRORS_ORDER=\(order)",
            ])
    }

    func begin(_ letter: String) throws {
        try letter.write(toFile: order, atomically: true, encoding: .utf8)
    }

    func end() throws {
        try FileManager.default.removeItem(atPath: order)
    }
}
