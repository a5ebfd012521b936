import Foundation
import RecordKeeping
import Synchronization
import TestSupport
import Testing

@testable import RecordStore

/// Commits are atomic and ordered, and each calls back once.
@Suite(.timeLimit(.minutes(20))) struct CommitTests {
    @Test(arguments: ["ABORT", "FAIL", "ROLLBACK"])
    func `a failed commit has no effect`(action: String) async throws {
        let folder = try TemporaryFolder()
        let (kept, new) = (try Sample.address(1), try Sample.address(2))
        try await folder.withStore { (store) async throws in
            try await store.commit(
                Sample.writes(kept, Sample.entry()) + [
                    .event(Sample.change(1, of: kept)),
                    .networkLoss(SavedLoss(since: Sample.now.wall, reason: "no carrier: eth0")),
                ])
            try SQLite(folder.database).refuseFailedEvents(by: action)
            let before = try SQLite(folder.database).everything()

            let entries = Sample.writes(new, Sample.entry()) + Sample.writes(kept, Sample.entry(note: "b"))
            let state: [Commit.Write] = [
                .move([Sample.id(of: kept)], to: Sample.cohort(of: new)), .removeCohort(Sample.cohort(of: kept)),
                .event(Sample.change(2, of: new)), .networkLoss(nil),
                .window(
                    SavedWindow(
                        provider: "http://ip-api.com", endpoint: .batch, limit: 15, remaining: 3,
                        resetsAt: Sample.now, length: .seconds(60))),
                .health(
                    SavedHealth(
                        provider: "http://ip-api.com", endpoint: .batch, state: .failing, since: Sample.now.wall)),
                .remove(Sample.key(kept)), .removeObsolete(Sample.id(of: new)),
                .forgetHistory(through: HistoryMark(elapsed: .zero, seq: 9, outage: 9)),
                .event(Sample.event(3, .failed)),
            ]
            let last = Sample.writes(try Sample.address(3), Sample.entry())
            await #expect(throws: StoreError.self) {
                try await store.commit(entries + state + last, bootID: Sample.otherBootID)
            }
            #expect(try SQLite(folder.database).everything() == before)
            #expect(store.changeCount == 1)

            try await store.commit([.event(Sample.change(2, of: new))])
            #expect(try store.restored().lastSeq == 2)
            #expect(store.changeCount == 2)
        }
    }

    @Test func `the error of a failed commit has the message of SQLite`() async throws {
        let folder = try TemporaryFolder()
        try await folder.withStore { (store) async throws in
            try SQLite(folder.database).refuseFailedEvents()
            let constraintTrigger = StoreError.sqlite(
                path: store.path, code: 1811, message: "refused by the test")
            await #expect(throws: constraintTrigger) { try await store.commit([.event(Sample.event(1, .failed))]) }
        }
    }

    @Test func `commits are written in order, with one callback for each, whether they fail or succeed`() async throws {
        let folder = try TemporaryFolder()
        let address = try Sample.address(1)
        let reported = Mutex<[String]>([])
        try await folder.withStore { (store) async throws in
            try SQLite(folder.database).refuseFailedEvents()
            for number in Int64(1)...200 {
                let fails = number % 7 == 0
                let commit = Commit(
                    id: .init(number: number),
                    writes: Sample.writes(address, Sample.entry(note: "\(number)"))
                        + [.event(Sample.event(number, fails ? .failed : .added))])
                store.commit(commit, bootID: Sample.bootID) { result in
                    reported.withLock { $0.append(((try? result.get()) == nil) ? "\(number) failed" : "\(number)") }
                }
            }
            try await store.commit([])
            #expect(reported.withLock { $0 } == (1...200).map { $0 % 7 == 0 ? "\($0) failed" : "\($0)" })
            #expect(try store.restored().byAddress[address]?.watch?.note == "200")
            #expect(try await store.eventsAcrossGaps().map(\.seq) == (1...200).filter { $0 % 7 != 0 })
        }
        #expect(reported.withLock { $0.count } == 200)
    }

    @Test func `a replaced record is written as one row, and an unchanged one is not written`() async throws {
        let folder = try TemporaryFolder()
        let address = try Sample.address(1)
        try await folder.withStore { (store) async throws in
            try await store.commit(Sample.writes(address, Sample.entry(note: "a")))
            let database = try SQLite(folder.database)
            let asname = { (row: String) in "(SELECT asname FROM network WHERE id = \(row).network)" }
            try database.run(
                """
                CREATE TABLE step (what TEXT);
                CREATE TRIGGER d AFTER DELETE ON record
                  BEGIN INSERT INTO step VALUES ('delete ' || \(asname("old"))); END;
                CREATE TRIGGER u AFTER UPDATE ON record
                  BEGIN INSERT INTO step VALUES ('update ' || \(asname("new"))); END;
                CREATE TRIGGER i AFTER INSERT ON record
                  BEGIN INSERT INTO step VALUES ('insert ' || \(asname("new"))); END;
                """)
            var relabelled = Sample.entry(note: "a")
            relabelled.watch?.tags = ["dns"]
            try await store.commit([.put(Sample.key(address), relabelled, cohort: nil)])
            #expect(try database.rows("SELECT what FROM step").isEmpty)
            #expect(try store.restored().byAddress[address] == relabelled)

            try await store.commit(Sample.writes(address, Sample.entry(note: "b")))
            #expect(try database.rows("SELECT what FROM step") == [["\"insert b\""]])
        }
    }

    @Test func `an entry that is written without a cohort keeps its record`() async throws {
        let folder = try TemporaryFolder()
        let address = try Sample.address(1)
        try await folder.withStore { (store) async throws in
            try await store.commit(Sample.writes(address, Sample.entry()))
            let record = try SQLite(folder.database).rows("SELECT * FROM record")
            let bare = Entry(watch: Watch(byClient: true))
            try await store.commit([.put(Sample.key(address), bare, cohort: nil)])
            #expect(try SQLite(folder.database).rows("SELECT * FROM record") == record)
            var expected = bare
            expected.scan = Sample.entry().scan
            #expect(try store.restored().byAddress[address] == expected)
        }
    }

    // Runs a function on a new thread.
    private static func onThread<Found: Sendable>(_ work: @escaping @Sendable () throws -> Found) async throws -> Found
    {
        try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Result { try work() }) }.start()
        }
    }

    @Test func `a concurrent reader sees the old record or the new one, never none or both`() async throws {
        let folder = try TemporaryFolder()
        let address = try Sample.address(1)
        try await folder.withStore { (store) async throws in
            try await store.commit(Sample.writes(address, Sample.entry(note: "0")))
            let seen = Atomic<Int>(0)
            let isDone = Atomic<Bool>(false)
            let database = try SQLite(folder.database)
            // On its own thread: it reads without a pause, and must not delay the tasks that write.
            async let wrong = Self.onThread {
                var wrong: [[[String]]] = []
                var notes: Set<[[String]]> = []
                while !isDone.load(ordering: .acquiring) {
                    let rows = try database.rows(
                        "SELECT note, asname FROM entry LEFT JOIN records USING (address) WHERE address = '\(address)'")
                    if rows.count != 1 || rows[0][0] != rows[0][1] { wrong.append(rows) }
                    notes.insert(rows)
                    seen.store(notes.count, ordering: .releasing)
                }
                return wrong
            }
            // Until the reader has seen many of them; the number of commits that this takes depends on the scheduler.
            var number = 0
            while seen.load(ordering: .acquiring) < 50, number < 100_000 {
                number += 1
                try await store.commit(Sample.writes(address, Sample.entry(note: "\(number)")))
            }
            isDone.store(true, ordering: .releasing)
            #expect(try await wrong.isEmpty)
            #expect(seen.load(ordering: .acquiring) >= 50)
        }
    }

    @Test func `a removal deletes the entry, its record and its history, but no events or other entries`() async throws
    {
        let folder = try TemporaryFolder()
        let (gone, kept) = (try Sample.address(1), try Sample.address(2))
        try await folder.withStore { (store) async throws in
            let events = [
                Sample.change(1, of: gone), Sample.change(2, of: kept), Sample.change(3, of: gone),
                PublishedEvent(seq: 4, at: Sample.now.wall, kind: .removed, address: gone),
            ]
            try await store.commit(
                try Sample.writes(1...2) { _ in Sample.entry() } + events.prefix(3).map(Commit.Write.event))
            #expect(store.changeCount == 3)
            try await store.commit([.remove(Sample.key(gone)), .event(events[3])])

            #expect(try store.restored().byAddress == [kept: Sample.entry()])
            #expect(try await store.events(after: 0) == events)
            #expect(store.changeCount == 1)
            let database = try SQLite(folder.database)
            #expect(try database.rows("SELECT id FROM record") == [["\(Sample.id(of: kept).number)"]])
            #expect(try database.rows("SELECT address FROM records") == [["\"\(kept)\""]])
            #expect(try database.rows("SELECT address, seq FROM change") == [["\"\(kept)\"", "2"]])
        }
    }

    @Test func `the removal of an unknown address changes nothing`() async throws {
        let folder = try TemporaryFolder()
        try await folder.withStore { (store) async throws in
            try await store.commit(Sample.writes(try Sample.address(1), Sample.entry()))
            let before = try SQLite(folder.database).everything()
            try await store.commit([.remove(Sample.key(try Sample.address(2)))])
            #expect(try SQLite(folder.database).everything() == before)
        }
    }

    @Test func `an address that is removed and added in one commit has no record and no history`() async throws {
        let folder = try TemporaryFolder()
        let address = try Sample.address(1)
        try await folder.withStore { (store) async throws in
            try await store.commit(Sample.writes(address, Sample.entry()) + [.event(Sample.change(1, of: address))])
            let bare = Entry(watch: Watch(byClient: true))
            try await store.commit([.remove(Sample.key(address)), .put(Sample.key(address), bare, cohort: nil)])
            #expect(try store.restored().byAddress == [address: bare])
            #expect(store.changeCount == 0)
        }
    }
}
