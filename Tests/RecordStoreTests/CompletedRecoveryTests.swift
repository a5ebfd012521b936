import Foundation
import Glibc
import RecordKeeping
import TestSupport
import Testing

@testable import RecordStore

/// A recovery adds missing rows from a backup, and replaces the database as a whole or not at all.
@Suite(.timeLimit(.minutes(20))) struct CompletedRecoveryTests: RecoverySuite {
    @Test func `tables that cannot be read are completed from the newest backup`() async throws {
        let (folder, backup, before) = try await Self.backedUpFolder()
        let roots = try SQLite(folder.database).rows(
            "SELECT rootpage FROM sqlite_master WHERE name IN ('entry', 'notice')")
        try Self.overwrite(roots.compactMap { Int($0[0]) }, in: folder)
        let outcome = try Self.recover(folder.database)
        #expect(outcome.backup == backup && outcome.incomplete == ["entry", "notice"])
        // Without their entries, it is unknown to which addresses the records belong.
        #expect(outcome.entries == 3_000 && outcome.records == 0, "\(outcome)")
        let after = try await Self.restored(folder)
        #expect(after.filter { before[$0.key]?.watch == $0.value.watch }.count == 2_999)
        try await folder.withStore { (store) async throws in
            #expect(try store.restored().lastSeq == 3)
            #expect(try await store.events(after: 0).map(\.seq) == [1, 2])
        }
    }

    @Test func `a table that can be read completely is not completed from a backup`() async throws {
        let (folder, _, before) = try await Self.backedUpFolder()
        let root = try SQLite(folder.database).rows("SELECT rootpage FROM sqlite_master WHERE name = 'record'")
        try Self.overwrite(root.compactMap { Int($0[0]) }, in: folder)
        let outcome = try Self.recover(folder.database)
        #expect(outcome.backup == nil && outcome.incomplete == ["record"] && outcome.records == 0)
        let after = try await Self.restored(folder)
        #expect(after.count == 3_000 && after.allSatisfy { before[$0.key]?.watch == $0.value.watch })
    }

    @Test func `a file that is no longer a database is replaced with its newest readable backup`() async throws {
        let (folder, backup, _) = try await Self.backedUpFolder()
        let newer = Backup(of: folder.database, at: Self.now.wall + .seconds(86_400))
        try Data(repeating: 0xA5, count: 100_000).write(to: URL(filePath: newer.path))
        var random = Random(seed: 5)
        let noise = Data((0..<200_000).map { _ in UInt8.random(in: 0...255, using: &random) })
        try noise.write(to: URL(filePath: folder.database))
        // A backup that is dated in the future would be tried last.
        let later = Instant(boot: Self.now.boot, wall: newer.madeAt)
        let outcome = try Self.recover(folder.database, at: later)
        #expect(outcome.backup == backup && outcome.entries == 3_000 && outcome.records == 0, "\(outcome)")
        #expect(outcome.skipped == [.init(path: newer.path, reason: "file is not a database")])
        #expect(try Self.bytes(#require(outcome.damaged)) == noise)
        let windows = try await folder.withStore { (store) async throws in try store.restored().windows }
        #expect(windows.count == 2 && windows.allSatisfy { $0.remaining == 0 && $0.resetsAt != nil })
    }

    @Test func `without a usable backup, the recovery of an unreadable file fails and says what to do`() async throws {
        let (folder, _) = try await Self.folder(entries: 10)
        try Self.overwrite([1], in: folder)
        let before = try Self.bytes(folder.database)
        let unusable = Backup(of: folder.database, at: Self.now.wall)
        try Data(repeating: 0xA5, count: 100_000).write(to: URL(filePath: unusable.path))
        let problem = #expect(throws: Recovery.Problem.self) { try Self.recover(folder.database) }
        let advice = "iprecordd --restore; to start with an empty database, move the file away"
        #expect(problem?.description.contains(advice) == true, "\(problem as Any)")
        let skipped = "skipped the backup \(unusable.path): file is not a database"
        #expect(problem?.description.contains(skipped) == true, "\(problem as Any)")
        #expect(try Self.bytes(folder.database) == before)
    }

    /// With each percentage of the required space, the disk is full at a different step: while a migration is written,
    /// while rows are copied, while the log is moved into the new database.
    @Test(arguments: [0, 20, 50, 80, 90])
    func `a recovery that runs out of space changes nothing`(percent: Int) async throws {
        let (folder, _) = try await Self.folder()
        let size = try #require(folder.bytes())
        let before = try Self.bytes(folder.database)
        let fresh = folder.database + ".recovered"
        FaultyFiles.set(.init(maxBytes: max(8_192, Int(size) * percent / 100)), of: fresh)
        defer { FaultyFiles.set(nil, of: fresh) }
        #expect(throws: StoreError.self) { try Self.recover(folder.database) }
        #expect(try Self.bytes(folder.database) == before)
        #expect(access(fresh, F_OK) != 0, "the unfinished database is deleted")
    }

    /// The moments in an exchange at which the process may be killed.
    enum Kill: CaseIterable { case beforeTheDatabaseIsMoved, beforeItsLogIsMoved, beforeTheNewOneIsInPlace }

    @Test(arguments: Kill.allCases)
    func `an interrupted exchange is finished by the next recovery`(kill: Kill) async throws {
        let (folder, before) = try await Self.folder(entries: 10)
        let ready = folder.database + ".ready"
        try FileManager.default.copyItem(atPath: folder.database, toPath: ready)
        let (damage, log) = (Data(repeating: 0xA5, count: 5_000), Data(repeating: 0x5A, count: 3_000))
        let kept = folder.database + ".damaged-1700000000"
        let isMoved = kill != .beforeTheDatabaseIsMoved
        if isMoved { #expect(unlink(folder.database) == 0) }
        unlink(folder.database + "-wal")
        try damage.write(to: URL(filePath: isMoved ? kept : folder.database))
        try log.write(to: URL(filePath: (kill == .beforeTheNewOneIsInPlace ? kept : folder.database) + "-wal"))
        #expect(throws: StoreError.interrupted(path: folder.database)) { try Store(path: folder.database) }
        let outcome = try Self.recover(folder.database)
        #expect(outcome == .init(onlyFinishes: true))
        // The log stays with its database.
        let expected = isMoved ? kept : "\(folder.database).damaged-\(Self.now.wall.milliseconds / 1_000)"
        #expect(try Self.bytes(expected) == damage && Self.bytes(expected + "-wal") == log)
        #expect(access(ready, F_OK) != 0)
        #expect(try await Self.restored(folder) == before)
    }

    @Test func `earlier kept files are not replaced`() async throws {
        let (folder, _) = try await Self.folder(entries: 10)
        let seconds = Self.now.wall.milliseconds / 1_000
        let log = "\(folder.database).damaged-\(seconds)-wal"
        try Data([1]).write(to: URL(filePath: log))
        #expect(try Self.recover(folder.database).damaged == "\(folder.database).damaged-\(seconds + 1)")
        #expect(try Self.bytes(log) == Data([1]))
    }

    @Test func `a restore after an interrupted one restores the given backup`() async throws {
        let (folder, backup, _) = try await Self.backedUpFolder()
        try FileManager.default.copyItem(atPath: folder.database, toPath: folder.database + ".ready")
        let outcome = try Restoration(path: folder.database).run(backup, at: Self.now, bootID: "boot")
        #expect(outcome.contents.addresses == 3_000)
        #expect(try await Self.restored(folder).count == 3_000)
    }

    @Test func `an interrupted restore of a missing database is finished`() async throws {
        let (folder, before) = try await Self.folder(entries: 10)
        try FileManager.default.moveItem(atPath: folder.database, toPath: folder.database + ".ready")
        #expect(try Self.recover(folder.database).onlyFinishes)
        #expect(try await Self.restored(folder) == before)
    }

    @Test func `an address that was removed after the backup does not return`() async throws {
        let (folder, _) = try await Self.folder(entries: 50)
        let gone = try Sample.address(7)
        try await folder.withStore { (store) async throws in
            _ = try #require(try await store.backUp(keeping: 7, at: Self.now.wall))
            let removal = PublishedEvent(seq: 3, at: Self.now.wall, kind: .removed, address: gone)
            try await store.commit([.remove(Sample.key(gone)), .event(removal)])
        }
        let root = try SQLite(folder.database).rows("SELECT rootpage FROM sqlite_master WHERE name = 'entry'")
        try Self.overwrite(root.compactMap { Int($0[0]) }, in: folder)
        #expect(try Self.recover(folder.database).entries == 49)
        #expect(try await Self.restored(folder)[gone] == nil)
    }

    @Test func `the end of a watch does not return from a backup`() async throws {
        let (folder, _) = try await Self.folder(entries: 50)
        let address = try Sample.address(7)
        var entry = Sample.entry()
        try await folder.withStore { (store) async throws in
            entry.watch?.end = WatchEnd(until: Self.now.wall, elapsed: .seconds(1))
            try await store.commit([.put(Sample.key(address), entry, cohort: nil)])
            _ = try #require(try await store.backUp(keeping: 7, at: Self.now.wall))
            entry.watch?.end = nil
            try await store.commit([.put(Sample.key(address), entry, cohort: nil)])
        }
        let root = try SQLite(folder.database).rows("SELECT rootpage FROM sqlite_master WHERE name = 'entry'")
        try Self.overwrite(root.compactMap { Int($0[0]) }, in: folder)
        #expect(try Self.recover(folder.database).entries == 50)
        let watch = try #require(try await Self.restored(folder)[address]?.watch)
        #expect(watch.byClient && watch.end == nil)
    }

    /// The last events about the address and the name cannot be read, but the tables of both are intact.
    @Test func `an address and a name that were removed and added again are kept`() async throws {
        let (folder, _) = try await Self.folder(entries: 50)
        let address = try Sample.address(7)
        let name = SavedName(try HostName("www.example.com"), WatchedName())
        try await folder.withStore { (store) async throws in
            try await store.commit([.putName(name)])
            _ = try #require(try await store.backUp(keeping: 7, at: Self.now.wall))
            let removal = PublishedEvent(seq: 3, at: Self.now.wall, kind: .removed, address: address)
            try await store.commit([.remove(Sample.key(address)), .event(removal)])
            let nameRemoval = PublishedEvent(seq: 4, at: Self.now.wall, kind: .nameRemoved, name: name.name)
            try await store.commit([.removeName(name.name), .event(nameRemoval)])
            // Enough events for several pages; the last ones are lost.
            try await store.commit((5...2_000).map { .event(Sample.event($0)) })
            let addition = PublishedEvent(seq: 2_001, at: Self.now.wall, kind: .added, address: address)
            let nameAddition = PublishedEvent(seq: 2_002, at: Self.now.wall, kind: .nameAdded, name: name.name)
            try await store.commit(
                Sample.writes(address, Sample.entry()) + [.event(addition), .putName(name), .event(nameAddition)])
        }
        var pages = try DatabasePages(folder.database)
        #expect(try pages.zeroLeaf(.last, of: "notice"))
        let outcome = try Self.recover(folder.database)
        #expect(outcome.incomplete == ["notice"] && outcome.backup != nil && outcome.entries == 50, "\(outcome)")
        #expect(try await Self.restored(folder)[address] != nil)
        #expect(try await folder.withStore { try $0.restored().names } == [name])
    }

    @Test func `rows are recovered although a page of the schema is damaged`() async throws {
        let (folder, before) = try await Self.folder()
        // A table of a later version, whose definition fills a page.
        let comment = String(repeating: "x", count: 3_800)
        try SQLite(folder.database).run("CREATE TABLE later (a -- \(comment)\n)")
        var pages = try DatabasePages(folder.database)
        #expect(try pages.zeroLeaf(.last, of: "sqlite_master"), "the schema has several pages")
        let outcome = try Self.recover(folder.database)
        #expect(outcome.entries == 3_000 && outcome.incomplete != [Recovery.everything], "\(outcome)")
        #expect(try await Self.restored(folder).mapValues(\.watch) == before.mapValues(\.watch))
    }

    @Test func `if the page of the schema that defines the entries is damaged, they are completed from a backup`()
        async throws
    {
        let (folder, backup, before) = try await Self.backedUpFolder()
        var pages = try DatabasePages(folder.database)
        #expect(try pages.zeroLeaf(containing: "CREATE TABLE entry", of: "sqlite_master"))
        let outcome = try Self.recover(folder.database)
        #expect(outcome.backup == backup && outcome.incomplete.contains("entry"), "\(outcome)")
        #expect(outcome.entries == 3_000 && outcome.records == 0, "\(outcome)")
        let after = try await Self.restored(folder)
        #expect(after.filter { before[$0.key]?.watch == $0.value.watch }.count == 2_999)
    }

    @Test func `a table whose definition is damaged is completed from a backup`() async throws {
        let (folder, backup, _) = try await Self.backedUpFolder()
        var data = try Self.bytes(folder.database)
        let definition = Data("CREATE TABLE entry (".utf8)
        // A free page may contain the definition of an earlier schema.
        try #require(data.range(of: definition) != nil)
        while let place = data.range(of: definition) {
            data[place.upperBound + 10] = 0
            data[place.lowerBound + 3] = 0x21
        }
        try data.write(to: URL(filePath: folder.database))
        let outcome = try Self.recover(folder.database)
        #expect(outcome.backup == backup && outcome.entries == 3_000, "\(outcome)")
    }
}
