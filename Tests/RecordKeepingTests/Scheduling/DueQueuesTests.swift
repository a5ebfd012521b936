import Testing

@testable import RecordKeeping

@Suite struct DueQueuesTests {
    private let start = BootTime(nanoseconds: 0)
    private let quota = Quota(endpoint: .batch, documented: nil)

    /// Returns queues with entries 0, 1, … of each rank, in this order.
    private func queues(urgent: Int = 0, background: Int = 0, lookups: Int = 0) -> DueQueues {
        var due = DueQueues()
        var next = 0
        for (rank, count) in [(DueQueues.Rank.urgent, urgent), (.background, background), (.lookup, lookups)] {
            for _ in 0..<count {
                due.add(next, rank, since: start + .seconds(next))
                next += 1
            }
        }
        return due
    }

    @Test func `the most overdue entry of a queue comes first`() {
        var due = DueQueues()
        for (number, second) in [(1, 5), (2, 3), (3, 4)] {
            due.add(number, .background, since: start + .seconds(second))
        }
        let batch = due.dequeue(atMost: 2, for: quota, at: start) { _ in 0 }
        #expect(batch.all == [2, 3])
        #expect(due.count == 1 && due.queues(containing: 1) == 1 && due.queues(containing: 2) == 0)
    }

    @Test func `without background refreshes, entries with a waiting caller fill the call`() {
        var due = queues(urgent: 10)
        let batch = due.dequeue(atMost: 9, for: quota, at: start) { _ in 0 }
        #expect(batch.watched == Array(0..<9))
    }

    @Test func `if all queues are full, each gets a third of the call`() {
        var due = queues(urgent: 20, background: 20, lookups: 20)
        let batch = due.dequeue(atMost: 9, for: quota, at: start) { _ in 0 }
        #expect(batch.unwatched == [40, 41, 42], "a third for lookups")
        #expect(batch.watched == Array(0..<6), "two thirds for entries with a waiting caller")
        #expect(due.count == 51)
    }

    @Test func `a share that is not needed goes to the other queues`() {
        var due = queues(urgent: 1, background: 20, lookups: 1)
        let batch = due.dequeue(atMost: 9, for: quota, at: start) { _ in 0 }
        #expect(batch.watched == [0] + Array(1...7) && batch.unwatched == [21])
    }

    @Test func `lookups get no more than their share of the window`() {
        let small = Quota(endpoint: .single, documented: 2)
        var due = queues(lookups: 1)
        let batch = due.dequeue(atMost: 1, for: small, at: start) { _ in 0 }
        #expect(batch.count == 0, "a third of two calls is none")
        #expect(due.hasLookups)
    }

    @Test func `an entry that a caller waits for keeps its deadline in the urgent queue`() {
        var due = queues(background: 3)
        due.hurry(2)
        let batch = due.dequeue(atMost: 1, for: quota, at: start) { _ in 0 }
        #expect(batch.all == [2])
        due.hurry(9)
        #expect(due.count == 2, "an entry that is not due is not added")
    }

    @Test func `an entry that failed repeatedly limits its call, and a removed one is in no call`() {
        var due = queues(background: 120)
        due.remove(0)
        let batch = due.dequeue(atMost: 100, for: quota, at: start) { $0 == 1 ? 3 : 0 }
        #expect(batch.all == Array(1...25))
    }

    @Test(arguments: [(0, 100), (1, 100), (2, 50), (3, 25), (7, 1), (8, 1), (255, 1)])
    func `the batch size halves with each failure after the first`(failures: UInt8, size: Int) {
        #expect(DueQueues.maxBatchSize(afterFailures: failures) == size)
    }
}
