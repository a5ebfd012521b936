import RecordKeeping
import TestSupport
import Testing

@testable import RecordStore

/// After a failed commit, the core saves its state again to find out whether the database is writable.
@Suite(.timeLimit(.minutes(20))) struct WriteProbeTests {
    @Test func `after a failed commit, an unchanged state is written as well`() async throws {
        let folder = try TemporaryFolder()
        let log = folder.database + "-wal"
        // This empty fault is set before the log is opened, so that a later fault also affects the open log.
        FaultyFiles.set(.init(), of: log)
        defer { FaultyFiles.set(nil, of: log) }
        let health = SavedHealth(
            provider: "http://ip-api.com", endpoint: .batch, state: .ok, since: Sample.now.wall)
        let state: [Commit.Write] = [.health(health), .networkLoss(nil)]
        try await folder.withStore { (store) async throws in
            try await store.commit(state)
            FaultyFiles.set(.init(maxBytes: 0), of: log)
            let writes = Sample.writes(try Sample.address(1), Sample.entry())
            await #expect(throws: StoreError.self) { try await store.commit(writes) }
            for _ in 0..<2 {
                await #expect(throws: StoreError.self) { try await store.commit(state) }
            }
            FaultyFiles.set(.init(), of: log)
            try await store.commit(state)
            try await store.commit(writes)
        }
    }
}
