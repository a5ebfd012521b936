import Dispatch
import Logging
import RecordKeeping
import RecordStore
import Synchronization
import TestSupport
import Testing

@testable import Daemon

@Suite struct BackupScheduleTests {
    private typealias Completion = @Sendable (Result<Backup?, StoreError>) -> Void

    private static let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    private static let never = Duration.seconds(3_600)

    /// Counts the attempts to make a backup, and completes each with the same result.
    private final class Attempts: Sendable {
        let tally = Tally()
        private let result: Result<Backup?, StoreError>

        init(_ result: Result<Backup?, StoreError> = .success(nil)) { self.result = result }

        func add(_ done: @escaping Completion) {
            tally.note()
            // As with the store, the result arrives on another thread.
            DispatchQueue.global().async { [result] in done(result) }
        }
    }

    /// Runs a schedule during `body`.
    private func run(
        _ times: BackupSchedule.Times, _ attempts: Attempts,
        age: @escaping @Sendable () throws(StoreError) -> Duration?, _ body: () -> Void
    ) {
        let queue = DispatchQueue(label: "test.engine")
        let schedule = BackupSchedule(times: times, queue: queue, logger: Self.log, age: age, backUp: attempts.add)
        queue.sync { schedule.begin() }
        body()
        queue.sync { schedule.cancel() }
    }

    @Test func `without a backup, the first attempt is early, and later ones follow at the interval`() {
        let attempts = Attempts()
        let times = BackupSchedule.Times(interval: .milliseconds(40), first: .milliseconds(10), look: Self.never)
        run(times, attempts, age: { nil }) { #expect(attempts.tally.wait(for: 4)) }
    }

    @Test func `the next attempt waits until the newest backup is as old as the interval`() {
        let attempts = Attempts()
        let times = BackupSchedule.Times(interval: Self.never, first: .milliseconds(10), look: .milliseconds(10))
        run(times, attempts, age: { .seconds(3_500) }) { #expect(!attempts.tally.wait(for: 1, within: 0.2)) }
        run(times, attempts, age: { .seconds(3_600) }) { #expect(attempts.tally.wait(for: 1)) }
        // The next attempt after a success waits for the interval.
        #expect(attempts.tally.count == 1)
    }

    @Test func `the time during which the machine is suspended counts`() {
        let attempts = Attempts()
        let times = BackupSchedule.Times(interval: Self.never, first: .milliseconds(10), look: .milliseconds(10))
        let clock = Mutex(BootTime(nanoseconds: 0))
        let queue = DispatchQueue(label: "test.engine")
        let schedule = BackupSchedule(
            times: times, queue: queue, logger: Self.log, now: { clock.withLock { $0 } },
            age: { () throws(StoreError) in .seconds(1) }, backUp: attempts.add)
        queue.sync { schedule.begin() }
        #expect(!attempts.tally.wait(for: 1, within: 0.1))
        clock.withLock { $0 = $0 + Self.never }
        #expect(attempts.tally.wait(for: 1))
        queue.sync { schedule.cancel() }
    }

    @Test(arguments: [true, false])
    func `after a failure, the next attempt comes after the retry time`(listingFails: Bool) {
        let failure = StoreError.inaccessible(path: "/nowhere/records.db", reason: "No such file or directory")
        let attempts = Attempts(.failure(failure))
        let times = BackupSchedule.Times(interval: Self.never, first: .milliseconds(10), look: .milliseconds(20))
        run(
            times, attempts,
            age: { () throws(StoreError) in
                if listingFails { throw failure }
                return nil
            }
        ) { #expect(attempts.tally.wait(for: 3)) }
    }

    @Test func `a backup that ends after the schedule was cancelled schedules nothing`() {
        let queue = DispatchQueue(label: "test.engine")
        let tally = Tally()
        let pending = Mutex<Completion?>(nil)
        let times = BackupSchedule.Times(interval: .milliseconds(10), first: .milliseconds(1), look: .milliseconds(10))
        let schedule = BackupSchedule(times: times, queue: queue, logger: Self.log) { () throws(StoreError) in
            nil
        } backUp: { done in
            pending.withLock { $0 = done }
            tally.note()
        }
        queue.sync { schedule.begin() }
        #expect(tally.wait(for: 1))
        queue.sync { schedule.cancel() }
        pending.withLock { $0 }?(.success(nil))
        #expect(!tally.wait(for: 2, within: 0.1))
    }

    @Test func `a schedule that never began can be cancelled`() {
        let queue = DispatchQueue(label: "test.engine")
        let schedule = BackupSchedule(queue: queue, logger: Self.log) { () throws(StoreError) in
            nil
        } backUp: { _ in
        }
        queue.sync { schedule.cancel() }
    }

    @Test func `the first backup of a store is made, and there is no second one while nothing changes`() throws {
        let folder = try TemporaryFolder()
        let store = try Store(path: folder.file("records.db"))
        let queue = DispatchQueue(label: "test.engine")
        let tally = Tally()
        let times = BackupSchedule.Times(interval: .milliseconds(20), first: .milliseconds(10), look: Self.never)
        let schedule = BackupSchedule(times: times, queue: queue, logger: Self.log) { () throws(StoreError) in
            try Backup.all(of: store.path).first.map { SystemClock.now.wall - $0.madeAt }
        } backUp: { done in
            store.backUp(keeping: 7, at: SystemClock.now.wall) {
                done($0)
                tally.note()
            }
        }
        queue.sync { schedule.begin() }
        #expect(tally.wait(for: 3))
        queue.sync { schedule.cancel() }
        try store.close()
        let backups = try Backup.all(of: store.path)
        #expect(backups.count == 1)
        #expect(try backups.first?.contents().addresses == 0)
    }
}
