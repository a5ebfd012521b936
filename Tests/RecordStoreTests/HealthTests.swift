import Foundation
import RecordKeeping
import TestSupport
import Testing

@testable import RecordStore

/// Quota windows, the health of the provider, the loss of the network, and their instants survive a restart.
@Suite(.timeLimit(.minutes(20))) struct HealthTests {
    /// Returns the content of a new store after these writes, one commit each, and a restart.
    private static func restored(
        _ writes: [Commit.Write], at now: Instant = Sample.now, bootID: String = Sample.bootID
    ) async throws -> Found {
        let folder = try TemporaryFolder()
        try await folder.withStore { (store) async throws in
            for write in writes { try await store.commit([write]) }
        }
        return try await folder.withStore { (store) async throws in
            let (restored, unreadable) = try store.restore(at: now, bootID: bootID)
            #expect(unreadable.isEmpty)
            return restored
        }
    }

    @Test func `the windows of both endpoints are restored as they were last written`() async throws {
        let last = [
            SavedWindow(
                provider: "http://ip-api.com", endpoint: .batch, limit: 15, remaining: 0, outstanding: 3,
                resetsAt: Sample.now,
                length: .milliseconds(3_600_001), margin: .milliseconds(1_001)),
            SavedWindow(
                provider: "http://ip-api.com", endpoint: .single, limit: nil, remaining: nil, resetsAt: nil,
                length: .seconds(60)),
        ]
        let first = [
            SavedWindow(
                provider: "http://ip-api.com", endpoint: .single, limit: 45, remaining: 7, resetsAt: Sample.now,
                length: .seconds(60)),
            SavedWindow(
                provider: "http://ip-api.com", endpoint: .batch, limit: nil, remaining: nil, resetsAt: nil,
                length: .seconds(60)),
        ]
        #expect(try await Self.restored(first.map(Commit.Write.window)).windows == first.reversed())
        #expect(try await Self.restored((first + last).map(Commit.Write.window)).windows == last)
    }

    /// SQLite writes whole pages, so the rows of an unchanged state would account for most of the bytes that a refresh
    /// writes.
    @Test func `a state that is saved again is written only if it has changed`() async throws {
        let (folder, provider) = (try TemporaryFolder(), "http://ip-api.com")
        func logBytes() throws -> Int {
            try FileManager.default.attributesOfItem(atPath: folder.database + "-wal")[.size] as? Int ?? 0
        }
        let window = SavedWindow(
            provider: provider, endpoint: .batch, limit: 15, remaining: 4, resetsAt: Sample.now, length: .seconds(60))
        let since = Sample.now.wall
        let ok = SavedHealth(provider: provider, endpoint: .batch, state: .ok, since: since)
        let failing = SavedHealth(
            provider: provider, endpoint: .single, state: .failing, since: since,
            failure: Failure(kind: .timeout, message: "late", at: Sample.now, attempts: 2), retryAt: Sample.now)
        let loss = SavedLoss(since: since, reason: "no route")
        let state: [Commit.Write] = [.window(window), .health(ok), .health(failing), .networkLoss(loss)]
        try await folder.withStore { (store) async throws in
            try await store.commit(state)
            let before = try logBytes()
            try await store.commit(state)
            #expect(try logBytes() == before && before > 0)
            let changed = SavedLoss(since: since, reason: "the link is down")
            try await store.commit(state.dropLast() + [.networkLoss(changed)])
            let after = try logBytes()
            #expect(after > before)
            #expect(try store.restored().networkLoss == changed)
            try await store.commit([.networkLoss(nil)])
            #expect(try logBytes() > after && store.restored().networkLoss == nil)
            let last = try logBytes()
            try await store.commit([.networkLoss(nil)])
            #expect(try logBytes() == last)
        }
    }

    @Test(arguments: ["length = NULL", "resets_boot_ns = 'a text'", "remaining = x'ff'"])
    func `if a window cannot be read, all quotas are exhausted for a whole window`(damage: String) async throws {
        let folder = try TemporaryFolder()
        let window = SavedWindow(
            provider: "http://ip-api.com", endpoint: .batch, limit: 15, remaining: 7, resetsAt: Sample.now,
            length: .seconds(60))
        try await folder.withStore { (store) async throws in try await store.commit([.window(window)]) }
        try SQLite.withoutChecks(of: "quota_window", in: folder.database) {
            try SQLite(folder.database).run("UPDATE quota_window SET \(damage)")
        }
        try await folder.withStore { (store) async throws in
            let (restored, unreadable) = try store.restore(at: Sample.now, bootID: Sample.bootID)
            #expect(unreadable.map(\.table) == ["quota_window"])
            #expect(Set(restored.windows.map(\.endpoint)) == Set(Call.Endpoint.allCases))
            for window in restored.windows {
                #expect(window.provider == nil, "the window applies to any provider")
                #expect(window.remaining == 0)
                #expect(window.resetsAt == Sample.now.advanced(by: .seconds(60)))
            }
        }
    }

    @Test func `a window of an earlier boot is marked as such`() async throws {
        let window = Commit.Write.window(
            SavedWindow(
                provider: "http://ip-api.com", endpoint: .batch, limit: 15, remaining: 0, resetsAt: Sample.now,
                length: .seconds(60)))
        #expect(try await Self.restored([window]).windows.map(\.isOfEarlierBoot) == [false])
        #expect(try await Self.restored([window], bootID: Sample.otherBootID).windows.map(\.isOfEarlierBoot) == [true])
    }

    @Test func `each state of the provider is restored, with and without a failure and a time to retry`() async throws {
        var sample = Sample(seed: 3)
        for state in [ProviderState.idle, .ok, .failing, .throttled, .unauthorized] {
            for failure in [nil, sample.failure()] {
                for retryAt in [nil, sample.instant()] {
                    let saved = SavedHealth(
                        provider: "http://ip-api.com", endpoint: .batch, state: state, since: sample.wall(),
                        failure: failure,
                        retryAt: retryAt, isFromRetryAfter: retryAt != nil && failure == nil)
                    let before = SavedHealth(
                        provider: "http://ip-api.com", endpoint: .batch, state: .failing, since: sample.wall(),
                        failure: sample.failure(),
                        retryAt: sample.instant())
                    #expect(try await Self.restored([.health(before), .health(saved)]).health == [saved])
                }
            }
        }
    }

    @Test func `each provider has its own windows and its own health`() async throws {
        let names = ["http://ip-api.com", "https://pro.ip-api.com"]
        let windows = [3, 7].map { left in
            SavedWindow(
                provider: names[left % 3], endpoint: .batch, limit: 15, remaining: left, resetsAt: Sample.now,
                length: .seconds(60))
        }
        let health = zip(names, [Call.Endpoint.single, .batch]).map {
            SavedHealth(provider: $0, endpoint: $1, state: .ok, since: Sample.now.wall)
        }
        let restored = try await Self.restored(
            windows.map(Commit.Write.window) + health.map(Commit.Write.health))
        #expect(restored.windows == windows)
        #expect(restored.health == health)
    }

    /// The tables of schema 2.
    private static let oldTables = """
        DROP TABLE quota_window;
        CREATE TABLE quota_window (
          endpoint TEXT PRIMARY KEY, quota INTEGER, remaining INTEGER, length INTEGER NOT NULL, resets_at INTEGER,
          resets_boot_ns INTEGER, resets_boot INTEGER REFERENCES boot (id)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO quota_window VALUES ('batch', 15, 4, 60000, NULL, NULL, NULL);
        DROP TABLE endpoint_health;
        CREATE TABLE provider (
          id INTEGER PRIMARY KEY CHECK (id = 1), state TEXT NOT NULL, since INTEGER NOT NULL, failure_kind TEXT,
          failure_message TEXT, failure_attempts INTEGER, failure_at INTEGER, failure_boot_ns INTEGER,
          failure_boot INTEGER REFERENCES boot (id), retry_at INTEGER, retry_boot_ns INTEGER,
          retry_boot INTEGER REFERENCES boot (id)
        ) STRICT;
        INSERT INTO provider VALUES (1, 'throttled', 5, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
        DELETE FROM grdb_migrations WHERE identifier LIKE '3:%' OR identifier LIKE '8:%';
        """

    @Test func `the quota and the health in an older database are migrated`() async throws {
        let folder = try TemporaryFolder()
        try Store(path: folder.database).close()
        try SQLite(folder.database).run(Self.oldTables)
        try await folder.withStore { (store) async throws in
            let restored = try store.restored()
            #expect(
                restored.windows == [
                    SavedWindow(
                        provider: nil, endpoint: .batch, limit: 15, remaining: 4, resetsAt: nil, length: .seconds(60))
                ])
            #expect(
                restored.health
                    == [Call.Endpoint.batch, .single].map {
                        SavedHealth(provider: nil, endpoint: $0, state: .throttled, since: WallTime(milliseconds: 5))
                    })
        }
    }

    @Test func `quota and health without a provider, from an older version, are kept until they are written again`()
        async throws
    {
        let folder = try TemporaryFolder()
        try await folder.withStore { (store) async throws in
            try await store.commit([
                .window(
                    SavedWindow(
                        provider: nil, endpoint: .batch, limit: 15, remaining: 4, resetsAt: nil, length: .seconds(60))),
                .health(SavedHealth(provider: nil, endpoint: .batch, state: .throttled, since: Sample.now.wall)),
            ])
            let old = try store.restored()
            #expect(old.windows.map(\.remaining) == [4])
            #expect(old.health.map(\.state) == [.throttled])
            #expect(old.windows.map(\.provider) + old.health.map(\.provider) == [nil, nil])
            try await store.commit([
                .window(
                    SavedWindow(
                        provider: "http://ip-api.com", endpoint: .batch, limit: 15, remaining: 3, resetsAt: nil,
                        length: .seconds(60))),
                .health(
                    SavedHealth(provider: "http://ip-api.com", endpoint: .batch, state: .ok, since: Sample.now.wall)),
            ])
            let new = try store.restored()
            #expect(new.windows.map(\.provider) == ["http://ip-api.com"])
            #expect(new.health.map(\.provider) == ["http://ip-api.com"])
        }
    }

    @Test func `the loss of the network is restored until it ends`() async throws {
        let first = SavedLoss(since: WallTime(milliseconds: 1), reason: "no route")
        let second = SavedLoss(since: WallTime(milliseconds: 2), reason: "no carrier: eth0")
        #expect(try await Self.restored([.networkLoss(first)]).networkLoss == first)
        #expect(try await Self.restored([.networkLoss(first), .networkLoss(second)]).networkLoss == second)
        #expect(try await Self.restored([.networkLoss(first), .networkLoss(nil)]).networkLoss == nil)
    }

    // MARK: Instants

    /// Returns writes that have the instant in each place that stores one.
    private static func everywhere(_ instant: Instant) throws -> [Commit.Write] {
        let failure = Failure(kind: .timeout, message: "no reply", at: instant, attempts: 2)
        var entry = Sample.entry(scanned: instant)
        entry.failure = failure
        return Sample.writes(try Sample.address(1), entry) + [
            .window(
                SavedWindow(
                    provider: "http://ip-api.com", endpoint: .batch, limit: 15, remaining: 2, resetsAt: instant,
                    length: .seconds(60))),
            .health(
                SavedHealth(
                    provider: "http://ip-api.com", endpoint: .batch, state: .failing, since: instant.wall,
                    failure: failure,
                    retryAt: instant)),
        ]
    }

    private static func instants(_ restored: Found) -> [Instant?] {
        [
            restored.entries.first?.entry.scan?.at, restored.entries.first?.entry.failure?.at,
            restored.windows.first?.resetsAt, restored.health.first?.failure?.at, restored.health.first?.retryAt,
        ]
    }

    @Test func `an instant of the current boot is exact to the nanosecond whatever the wall clock says`() async throws {
        let then = Instant(boot: BootTime(nanoseconds: 1_234_567_891), wall: WallTime(milliseconds: 1_700_000_000_001))
        let now = Instant(boot: BootTime(nanoseconds: 9_000_000_000), wall: WallTime(milliseconds: 5))
        let restored = try await Self.restored(Self.everywhere(then), at: now)
        #expect(Self.instants(restored) == Array(repeating: then, count: 5))
    }

    @Test(arguments: [Sample.otherBootID, ""])
    func `an instant of another boot is dated by the wall clock`(bootID: String) async throws {
        let then = Instant(boot: BootTime(nanoseconds: 777), wall: WallTime(milliseconds: 1_700_000_000_001))
        let now = Instant(boot: BootTime(nanoseconds: 60_000_000_000), wall: WallTime(milliseconds: 1_700_000_300_003))
        let moved = Instant(boot: BootTime(nanoseconds: 60_000_000_000 - 300_002_000_000), wall: then.wall)
        let restored = try await Self.restored(Self.everywhere(then), at: now, bootID: bootID)
        #expect(Self.instants(restored) == Array(repeating: moved, count: 5))
    }

    @Test func `without a boot id, no instant counts as one of the current boot`() async throws {
        let then = Instant(boot: BootTime(nanoseconds: 777), wall: WallTime(milliseconds: 1_000))
        let now = Instant(boot: BootTime(nanoseconds: 1_000_000_000), wall: WallTime(milliseconds: 1_500))
        let folder = try TemporaryFolder()
        try await folder.withStore { (store) async throws in
            try await store.commit(try Self.everywhere(then), bootID: "")
            let moved = Instant(boot: BootTime(nanoseconds: 500_000_000), wall: then.wall)
            #expect(Self.instants(try store.restored(at: now, bootID: "")) == Array(repeating: moved, count: 5))
        }
    }

    @Test func `a record keeps its boot when its entry is written in a later boot`() async throws {
        let folder = try TemporaryFolder()
        let address = try Sample.address(1)
        try await folder.withStore { (store) async throws in
            try await store.commit(Sample.writes(address, Sample.entry()), bootID: Sample.otherBootID)
            try await store.commit([.put(Sample.key(address), Sample.entry(), cohort: nil)])
            let scan = { (bootID: String) in try store.restored(bootID: bootID).byAddress[address]?.scan?.at.boot }
            #expect(try scan(Sample.otherBootID) == Sample.now.boot)
            let later = Sample.now.advanced(by: .seconds(60))
            let moved = try store.restored(at: Instant(boot: BootTime(nanoseconds: 0), wall: later.wall))
            #expect(moved.byAddress[address]?.scan?.at.boot == BootTime(nanoseconds: -60_000_000_000))
        }
    }
}
