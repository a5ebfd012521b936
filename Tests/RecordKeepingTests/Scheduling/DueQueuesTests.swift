import Testing

@testable import RecordKeeping

@Suite struct DueQueuesTests {
    private let start = BootTime(nanoseconds: 0)
    private let requester = Requester(user: 1_000, isAdministrator: false)

    private func background(_ count: Int) -> DueQueues {
        var due = DueQueues()
        for index in 0..<count { due.add(index, isAwaited: false, since: start + .seconds(index)) }
        return due
    }

    @Test func `the most overdue entry of a queue comes first`() {
        var due = DueQueues()
        for (number, second) in [(1, 5), (2, 3), (3, 4)] {
            due.add(number, isAwaited: false, since: start + .seconds(second))
        }
        let batch = due.dequeue(RankCounts(background: 2)) { _ in 0 }
        #expect(batch.indices == [2, 3] && batch.counts == RankCounts(background: 2))
        #expect(due.count == 1 && due.queues(containing: 1) == 1 && due.queues(containing: 2) == 0)
    }

    @Test func `a call has the requested number of each rank`() {
        var due = background(3)
        due.add(10, isAwaited: true, since: start)
        for index in 20..<23 { due.addLookup(index, for: requester, isAwaited: false, at: start) }
        #expect(due.counts == RankCounts(urgent: 1, background: 3, lookup: 3))
        let counts = RankCounts(urgent: 1, background: 2, lookup: 2)
        let batch = due.dequeue(counts) { _ in 0 }
        #expect(batch.indices == [10, 0, 1, 20, 21] && batch.counts == counts)
        #expect(due.counts == RankCounts(background: 1, lookup: 1))
    }

    @Test func `an entry is urgent as long as a caller waits for it, and keeps its deadline`() {
        var due = background(3)
        due.hurry(2, for: requester)
        #expect(due.counts == RankCounts(urgent: 1, background: 2))
        due.relax(2, for: requester)
        due.remove(0)
        #expect(due.dequeue(RankCounts(background: 2)) { _ in 0 }.indices == [1, 2])
        due.hurry(9, for: requester)
        #expect(due.isEmpty, "an entry that is not due is not added")
    }

    @Test func `lookups are expected for the time of a window after the last`() {
        var due = DueQueues()
        #expect(!due.expectsLookups(at: start))
        due.addLookup(0, for: requester, isAwaited: true, at: start)
        due.remove(0)
        #expect(due.expectsLookups(at: start + .milliseconds(59_999)))
        #expect(!due.expectsLookups(at: start + .seconds(60)))
    }

    @Test func `an entry that failed repeatedly limits its call, and a removed one is in no call`() {
        var due = background(120)
        due.remove(0)
        let batch = due.dequeue(RankCounts(background: 100)) { $0 == 1 ? 3 : 0 }
        #expect(batch.indices == Array(1...25))
    }

    @Test(arguments: [(0, 100), (1, 100), (2, 50), (3, 25), (7, 1), (8, 1), (255, 1)])
    func `the batch size halves with each failure after the first`(failures: UInt8, size: Int) {
        #expect(DueQueues.maxBatchSize(afterFailures: failures) == size)
    }
}
