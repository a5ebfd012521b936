import Foundation
import RecordKeeping
import TestSupport
import Testing

@testable import RecordStore

/// A suite that recovers databases.
protocol RecoverySuite {}

extension RecoverySuite {
    static var now: Instant {
        Instant(boot: BootTime(nanoseconds: 50_000_000_000), wall: WallTime(milliseconds: 1_800_000_000_999))
    }

    /// Returns a closed database with `count` entries, each with a record, and these entries.
    static func folder(entries count: Int = 3_000) async throws -> (TemporaryFolder, [IPAddress: Entry]) {
        let folder = try TemporaryFolder()
        let restored = try await folder.withStore { (store) async throws in
            try await store.commit(try Sample.writes(1...count) { Sample.entry(note: "note \($0)") })
            try await store.commit([.event(Sample.event(1)), .event(Sample.change(2, of: try Sample.address(1)))])
            return try store.restored().byAddress
        }
        return (folder, restored)
    }

    static func recover(_ path: String, at now: Instant = now) throws -> Recovery.Outcome {
        try Recovery(path: path).run(at: now, bootID: "boot")
    }

    static func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(filePath: path)) }

    static func restored(_ folder: TemporaryFolder) async throws -> [IPAddress: Entry] {
        try await folder.withStore { (store) async throws in try store.restored().byAddress }
    }

    /// Makes a backup, and then changes the watch list.
    static func backedUpFolder() async throws -> (TemporaryFolder, Backup, [IPAddress: Entry]) {
        let (folder, _) = try await Self.folder()
        let (backup, entries) = try await folder.withStore { (store) async throws in
            let backup = try #require(try await store.backUp(keeping: 7, at: now.wall))
            try await store.commit(
                Sample.writes(try Sample.address(3_001), Sample.entry(note: "new"))
                    + [.remove(Sample.key(try Sample.address(1))), .event(Sample.event(3))])
            return (backup, try store.restored().byAddress)
        }
        return (folder, backup, entries)
    }

    /// Overwrites pages of a closed database.
    static func overwrite(_ pages: [Int], in folder: TemporaryFolder) throws {
        var data = try Self.bytes(folder.database)
        for page in pages {
            data.replaceSubrange((page - 1) * 4_096..<page * 4_096, with: Data(repeating: 0xFF, count: 4_096))
        }
        try data.write(to: URL(filePath: folder.database))
    }
}
