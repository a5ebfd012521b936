import Control
import Foundation
import MMDBSamples
import RecordKeeping
import TestSupport
import Testing

@testable import Daemon

/// Local databases that are loaded, replaced, damaged and removed while the daemon runs.
@Suite struct LocalDatabasesTests {
    private let folder: SampleFolder
    private let log = LoggedLines()
    private let databases: LocalDatabases

    init() throws {
        folder = try SampleFolder()
        databases = LocalDatabases(log: log.logger)
    }

    private static func sample(_ code: String, epoch: UInt64 = 1_700_000_000) throws -> [UInt8] {
        var sample = try MMDBSample(["192.0.2.0/24": ["country": ["iso_code": .string(code)]]])
        sample.buildEpoch = epoch
        return sample.bytes
    }

    private func use(_ paths: String...) async {
        await withCheckedContinuation { continuation in databases.use(paths) { continuation.resume() } }
    }

    private var country: String? {
        get throws { databases.record(of: try IPAddress("192.0.2.1"))?.record.countryCode }
    }

    @Test func `a file is loaded, and its record has the database and its build time`() async throws {
        let before = SystemClock.now.wall.milliseconds
        await use(try folder.put(Self.sample("DE")))
        let after = SystemClock.now.wall.milliseconds
        let record = try #require(databases.record(of: try IPAddress("192.0.2.1")))
        #expect(record.record.countryCode == "DE")
        #expect(record.database == "GeoLite2-City" && record.builtAt == 1_700_000_000_000)
        #expect(databases.record(of: try IPAddress("198.51.100.1")) == nil)
        let state = try #require(databases.states.first)
        #expect(state.state == "ok" && state.path == folder.path() && state.databaseType == "GeoLite2-City")
        #expect(state.builtAt == 1_700_000_000_000 && state.message == nil)
        let loadedAt = try #require(state.loadedAt)
        #expect(before <= loadedAt && loadedAt <= after)
        #expect(log.lines == ["info loaded \(folder.path()) (GeoLite2-City, built 2023-11-14T22:13:20Z)"])
    }

    @Test func `a file that is replaced by rename is used without a reload`() async throws {
        await use(try folder.put(Self.sample("DE")))
        try folder.put(Self.sample("FR", epoch: 1_700_086_400))
        try log.wait(for: 2)
        #expect(try country == "FR")
        #expect(databases.states.map(\.builtAt) == [1_700_086_400_000])
        #expect(log.lines.last?.hasPrefix("info loaded ") == true)
    }

    @Test func `a file that appears later, in a new directory, is used without a reload`() async throws {
        let path = folder.path("later/a.mmdb")
        await use(path)
        #expect(log.lines.count == 1)
        #expect(databases.states.map(\.state) == ["failing"])
        #expect(databases.states[0].message == "cannot read the MMDB file \(path): No such file or directory")
        try FileManager.default.createDirectory(atPath: folder.path("later"), withIntermediateDirectories: true)
        try folder.put(Self.sample("DE"), "later/a.mmdb")
        try log.wait(for: 2)
        #expect(try country == "DE")
    }

    @Test func `a link that leads to another file is followed without a reload`() async throws {
        try folder.put(Self.sample("DE"), "v1.mmdb")
        try folder.put(Self.sample("FR"), "v2.mmdb")
        try #require(symlink("v1.mmdb", folder.path("current.mmdb")) == 0)
        await use(folder.path("current.mmdb"))
        #expect(try country == "DE")
        try #require(symlink("v2.mmdb", folder.path("new")) == 0)
        try #require(rename(folder.path("new"), folder.path("current.mmdb")) == 0)
        try log.wait(for: 2)
        #expect(try country == "FR")
        try folder.put(Self.sample("IT"), "v2.mmdb")
        try log.wait(for: 3)
        #expect(try country == "IT")
    }

    @Test func `a truncated file keeps the old version, and is logged once with the reason`() async throws {
        await use(try folder.put(Self.sample("DE")))
        let file = try #require(FileHandle(forWritingAtPath: folder.path()))
        try file.truncate(atOffset: 40)
        try file.close()
        try log.wait(for: 2)
        #expect(try country == "DE")
        let problem = "there is no metadata at the end of the file; it may be truncated"
        let reason = "\(folder.path()) is not a valid MMDB file: \(problem)"
        #expect(
            log.lines.last
                == "warning \(reason); still using \(folder.path()) (GeoLite2-City, built 2023-11-14T22:13:20Z)")
        let state = databases.states[0]
        #expect(state.state == "failing" && state.message == reason && state.databaseType == "GeoLite2-City")
        await use(folder.path())
        #expect(log.lines.count == 2, "a reload does not log it again")
        try folder.put(Self.sample("FR"))
        try log.wait(for: 3)
        #expect(try country == "FR")
        #expect(databases.states.map(\.state) == ["ok"])
    }

    @Test func `a file that is written slowly is read once it is closed`() async throws {
        await use(try folder.put(Self.sample("DE")))
        let bytes = try Self.sample("FR")
        let file = try #require(FileHandle(forWritingAtPath: folder.path()))
        try file.truncate(atOffset: 0)
        for byte in bytes { try file.write(contentsOf: [byte]) }
        #expect(try country == "DE" && log.lines.count == 1)
        try file.close()
        try log.wait(for: 2)
        #expect(try country == "FR" && log.lines.count == 2)
    }

    @Test func `a reload changes the list, and files that stay keep their versions`() async throws {
        let (a, b) = (try folder.put(Self.sample("DE"), "a.mmdb"), try folder.put(Self.sample("FR"), "b.mmdb"))
        await use(a, b)
        #expect(try country == "DE")
        await use(b)
        #expect(try country == "FR")
        #expect(databases.states.map(\.path) == [b])
        #expect(log.lines.count == 3)
        #expect(log.lines[2].hasPrefix("info no longer using \(a) (GeoLite2-City"))
        await use()
        #expect(try country == nil && databases.states.isEmpty)
    }

    @Test func `damaged data of an address are logged once for each version of the file`() async throws {
        var sample = try MMDBSample()
        try sample.add(.raw([0b0011_1000, 0xFF, 0xFF, 0xFF, 0xFF]), for: "192.0.2.0/24")
        await use(try folder.put(sample.bytes))
        #expect(log.lines.count == 1)
        for _ in 0..<3 { #expect(try country == nil) }
        #expect(log.lines.count == 2 && log.lines[1].hasPrefix("warning the MMDB file \(folder.path()) is damaged: "))
        sample.buildEpoch += 1
        try folder.put(sample.bytes)
        try log.wait(for: 3)
        #expect(try country == nil && log.lines.count == 4)
    }

    @Test func `a warning about files that are not watched names the remedy`() {
        let closed = SystemError("watch /srv/geo (inotify_add_watch)", errno: EACCES)
        #expect(
            LocalDatabases.warning(about: closed)
                == "cannot watch /srv/geo (inotify_add_watch): Permission denied; make the directory readable by the "
                + "daemon, or after replacing a local database, run: systemctl reload iprecordd")
        let noWatches = SystemError("watch /srv/geo (inotify_add_watch)", errno: ENOSPC)
        #expect(
            LocalDatabases.warning(about: noWatches)
                == "cannot watch /srv/geo (inotify_add_watch): No space left on device; after replacing a local "
                + "database, run: systemctl reload iprecordd")
    }

    @Test func `records can be read on other threads while files are replaced`() async throws {
        await use(try folder.put(Self.sample("DE")))
        let address = try IPAddress("192.0.2.1")
        let versions = try [Self.sample("FR"), Self.sample("DE")]
        let wrong = await withTaskGroup(of: Int.self) { group in
            group.addTask { [databases] in
                (0..<20_000).count { _ in
                    !["DE", "FR"].contains(databases.record(of: address)?.record.countryCode)
                }
            }
            group.addTask { [folder] in (0..<200).count { (try? folder.put(versions[$0 % 2])) == nil } }
            return await group.reduce(0, +)
        }
        #expect(wrong == 0)
        await use(folder.path())
        #expect(try country == "DE", "the last version is in use")
    }
}
