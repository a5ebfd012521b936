import Foundation
import Testing

@Suite(.serialized) struct DurabilityTests {
    @Test func `acknowledged changes survive SIGKILL, fifty times`() throws {
        let rig = try Rig(mockProvider: Rig.unlimited)
        for round in 1...50 {
            let answer = try rig.ipctl("add", "1.1.\(round).1", "1.1.\(round).2", "--tag", "round\(round)")
            try rig.daemon?.stop(with: SIGKILL)
            #expect(answer.status == 0 && answer.output == "2 addresses added\n")
            try rig.startDaemon()
            #expect(try rig.watched() == 2 * round)
        }
        for round in 1...50 {
            let entry = try rig.entry("1.1.\(round).1")
            #expect(entry["watched"] as? Bool == true)
            #expect(entry["tags"] as? [String] == ["round\(round)"])
        }
    }

    @Test func `SIGTERM stops the daemon at any moment of its start`() throws {
        let rig = try Rig()
        try rig.daemon?.stop()
        for turn in 0..<60 {
            let daemon = try Program([Rig.program("iprecordd"), "--config", rig.folder + "/iprecordd.toml"])
            // No event signals the moments before the daemon listens, so the test tries them one after another.
            usleep(UInt32(turn * 1_500))
            let status = try daemon.stop(within: 5)
            #expect([0, -SIGTERM].contains(status), "until it blocks the signal, the signal ends it")
        }
    }

    @Test func `a second instance exits at once and names the first`() throws {
        let rig = try Rig()
        let second = try Program.run([Rig.program("iprecordd"), "--config", rig.folder + "/iprecordd.toml"])
        #expect(second.status == 1)
        #expect(second.errors.contains("pid \(try #require(rig.daemon).pid)"), "\(second.errors)")
    }

    @Test func `a damaged database stops the start, and --recover saves its readable rows`() throws {
        let rig = try Rig(mockProvider: Rig.unlimited)
        try rig.ipctl(["add"] + (0..<2_000).map { "1.1.\($0 / 250).\($0 % 250)" })
        try rig.daemon?.stop()
        let database = rig.folder + "/records.db"
        let leaves = try Program.run([
            "/usr/bin/sqlite3", database, "SELECT pageno FROM dbstat WHERE name = 'entry' AND pagetype = 'leaf'",
        ]).output.split(separator: "\n").compactMap { UInt64($0) }
        try #require(leaves.count > 4)
        let file = try FileHandle(forUpdating: URL(filePath: database))
        for (index, page) in leaves.enumerated() where index % 2 == 1 {
            try file.seek(toOffset: (page - 1) * 4_096)
            try file.write(contentsOf: Data(repeating: 0xFF, count: 64))
        }
        try file.close()
        let daemon = [Rig.program("iprecordd"), "--config", rig.folder + "/iprecordd.toml"]
        let refused = try Program.run(daemon)
        #expect(refused.status == 65, "\(refused)")
        #expect(refused.errors.contains(database) && refused.errors.contains("iprecordd --recover"), "\(refused)")
        let saved = try Program.run(daemon + ["--recover"])
        try #require(saved.status == 0 && saved.output.hasPrefix("saved "), "\(saved)")
        try rig.startDaemon()
        let watched = try rig.watched() ?? 0
        #expect(saved.output.hasPrefix("saved \(watched) addresses"), "\(saved), \(watched)")
        #expect((500...1_500).contains(watched))
    }

    @Test func `--restore lists backups, and replaces a database of random bytes`() throws {
        let rig = try Rig(mockProvider: Rig.unlimited)
        try rig.ipctl(["add"] + (1...20).map { "1.1.\($0).1" })
        let daemon = [Rig.program("iprecordd"), "--config", rig.folder + "/iprecordd.toml"]
        let none = try Program.run(daemon + ["--restore"])
        #expect(none.status == 0 && none.output == "there are no backups of \(rig.database)\n", "\(none)")
        try rig.daemon?.stop()
        let backup = rig.database + ".backup-1795768416"
        try FileManager.default.moveItem(atPath: rig.database, toPath: backup)
        try rig.startDaemon()
        let warnings = try #require(rig.daemon).lines.filter { $0.contains("is missing") }
        #expect(warnings.count == 1 && warnings[0].contains("iprecordd --restore"), "\(warnings)")
        try rig.daemon?.stop()
        try Data((0..<65_536).map { _ in .random(in: 0...255) }).write(to: URL(filePath: rig.database))
        let refused = try Program.run(daemon)
        #expect(refused.status == 65, "\(refused)")
        let list = try Program.run(daemon + ["--restore"])
        #expect(list.output.hasPrefix("\(backup)  2026-11-27T08:33:36Z  20 addresses, "), "\(list)")
        let restored = try Program.run(daemon + ["--restore", backup])
        #expect(restored.status == 0 && restored.output.hasPrefix("restored 20 addresses and "), "\(restored)")
        try rig.startDaemon()
        #expect(try rig.watched() == 20)
        let second = try Program.run(daemon + ["--restore", backup])
        #expect(second.status == 1 && second.errors.contains("in use by another iprecordd"), "\(second)")
        #expect(try rig.watched() == 20)
    }

    @Test func `a socket file without a listening process is replaced`() throws {
        let rig = try Rig()
        try rig.daemon?.stop(with: SIGKILL)
        #expect(FileManager.default.fileExists(atPath: rig.socket))
        try rig.startDaemon()
        #expect(try rig.ipctl("status").status == 0)
    }

    @Test func `only the daemon can read the database, and all users can connect to the socket`() throws {
        let rig = try Rig()
        func mode(_ path: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        }
        #expect(try mode(rig.database) == 0o600)
        #expect(try mode(rig.socket) == 0o666)
    }
}
