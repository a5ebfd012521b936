import Testing

@testable import RecordKeeping

@Suite struct CommitQueueTests {
    private let start = KeeperHarness.start.boot
    private let one = IPAddress(v4: 0x0101_0101)

    private func request(_ number: UInt64) -> Request {
        Request(
            id: Request.ID(peer: PeerID(number: 1), number: number), isByAdministrator: true, body: .remove([one]))
    }

    /// Submits a commit with all queued work.
    private func submit(_ queue: inout CommitQueue) -> Commit.ID {
        var pending = queue.begin()
        while let change = queue.next() { pending.changes.append(change) }
        queue.submit(pending)
        return pending.id
    }

    @Test func `a commit begins only if there is work, and none is in progress`() {
        var queue = CommitQueue()
        #expect(queue.isIdle && !queue.mayBegin(at: start))
        queue.add(.saveHealth)
        #expect(!queue.isIdle && queue.mayBegin(at: start) && queue.needsTurn(at: start))
        let id = submit(&queue)
        queue.add(.saveHealth)
        #expect(!queue.mayBegin(at: start) && !queue.needsTurn(at: start), "the store is writing")
        let isCommitted = queue.committed(id)
        #expect(isCommitted)
        #expect(queue.needsTurn(at: start) && !queue.hasNoCommit, "the commit has to be applied")
        let detached = queue.detachConcluding()
        #expect(detached?.id == id)
        #expect(queue.mayBegin(at: start))
    }

    @Test func `only the result of the commit in progress counts`() {
        var queue = CommitQueue()
        var random = Random(seed: 1)
        queue.add(.saveHealth)
        let id = submit(&queue)
        let other = Commit.ID(number: id.number + 1)
        let isCommitted = [queue.committed(other), queue.committed(id), queue.committed(id)]
        #expect(isCommitted == [false, true, false])
        let failed = queue.failed(id, "disk full", at: KeeperHarness.start, random: &random)
        #expect(failed?.id == nil, "it is on disk")
    }

    @Test func `after a failure, work is tried again after a delay, or at once for a client`() {
        var queue = CommitQueue()
        var random = Random(seed: 1)
        queue.add(.forget(one))
        let id = submit(&queue)
        let failed = queue.failed(id, "disk full", at: KeeperHarness.start, random: &random)
        #expect(failed?.id == id)
        #expect(queue.failure?.reason == "disk full" && queue.failure?.attempts == 1)
        #expect(queue.isFailing && queue.queue.count == 1, "no client waits for the change, so it is kept")
        #expect(!queue.mayBegin(at: start) && queue.mayBegin(at: start + .seconds(1)))
        queue.add(.request(request(1)))
        #expect(queue.mayBegin(at: start))
        let dismissed = queue.dismissRequests()
        #expect(dismissed == [request(1).id])
        #expect(!queue.mayBegin(at: start) && queue.queuedRequests == 0)
        let next = submit(&queue)
        let isCommitted = queue.committed(next)
        #expect(isCommitted && !queue.isFailing && queue.retryAt == nil)
    }

    @Test func `the events about the provider leave the queue together, in order`() {
        var queue = CommitQueue()
        let at = WallTime(milliseconds: 0)
        queue.add(.publish(.networkLost, at: at, message: "a", announced: false))
        queue.add(.saveHealth)
        queue.add(.publish(.networkRestored, at: at, message: "b", announced: false))
        let kinds = queue.nextHealthEvents().map {
            if case .publish(let kind, _, _, _) = $0 { kind } else { PublishedEvent.Kind.added }
        }
        #expect(kinds == [.networkLost, .networkRestored])
        #expect(queue.queue.count == 1)
    }

    @Test func `a commit in several turns is changed in place`() {
        var queue = CommitQueue()
        let pending = queue.begin()
        queue.keepPreparing(pending)
        #expect(queue.isPreparing && queue.needsTurn(at: start))
        let detached = [queue.detachPreparing()?.id, queue.detachPreparing()?.id]
        #expect(detached == [pending.id, nil] && queue.hasNoCommit)
    }
}
