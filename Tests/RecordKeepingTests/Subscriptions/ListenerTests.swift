import Testing

@testable import RecordKeeping

/// `Monitor` requests: kept events, and events as they happen.
@Suite struct ListenerTests {
    private let one = IPAddress(v4: 0x0101_0101)
    private let two = IPAddress(v4: 0x0808_0808)

    @Test func `a listener receives events in order, after they are on disk`() throws {
        let harness = KeeperHarness(ignoring: .all)
        let (id, _) = harness.ask(.monitor(after: nil, kinds: nil, addresses: nil))
        let effects = harness.add([one])
        #expect(effects.reported(to: id).map(\.kind) == [.added])
        let call = try #require(harness.pass(Limits.gather).calls.first)
        #expect(harness.reply(to: call).reported(to: id).map(\.kind) == [.refreshed])
    }

    @Test func `a listener receives only events that match its filters`() throws {
        let harness = KeeperHarness(ignoring: .all)
        let (id, _) = harness.ask(.monitor(after: nil, kinds: [.removed], addresses: [one]))
        harness.add([one, two])
        let effects = harness.ask(.remove([two])).1 + harness.ask(.remove([one])).1
        #expect(effects.reported(to: id).map(\.address) == [one])
    }

    @Test func `a listener with a cursor receives kept events and then live ones, each once`() {
        let harness = KeeperHarness(ignoring: .all)
        harness.add([one])
        harness.add([two])
        let (id, effects) = harness.ask(.monitor(after: 0, kinds: nil, addresses: nil))
        #expect(effects == [.readEvents(id, after: 0, limit: Limits.eventsPerRead)])
        let kept = harness.log.commits.flatMap(\.writes).compactMap { if case .event(let it) = $0 { it } else { nil } }
        let whileReading = harness.ask(.remove([two])).1
        #expect(whileReading.reported(to: id).isEmpty)
        let read = harness.handle(.eventsRead(id, EventPage(kept)))
        #expect(read.reported(to: id).map(\.seq) == [1, 2])
        #expect(read.contains(.readEvents(id, after: 2, limit: Limits.eventsPerRead)))
        let last = PublishedEvent(seq: 3, at: harness.now.wall, kind: .removed, address: two)
        #expect(harness.handle(.eventsRead(id, EventPage([last]))).reported(to: id) == [last])
        #expect(harness.ask(.remove([one])).1.reported(to: id).map(\.seq) == [4])
    }

    @Test func `an event that is read from the disk and also published is sent once`() {
        let harness = KeeperHarness(ignoring: .all, restored: Restored(lastSeq: 1))
        let (id, _) = harness.ask(.monitor(after: 0, kinds: nil, addresses: nil))
        harness.disk = .waits
        harness.add([one])
        let kept = (1...2).map { PublishedEvent(seq: Int64($0), at: harness.now.wall, kind: .added, address: one) }
        // The disk has both before the keeper is notified of the commit.
        let read = harness.handle(.eventsRead(id, EventPage(kept)))
        #expect(read.reported(to: id).map(\.seq) == [1])
        #expect(harness.write().reported(to: id).map(\.seq) == [2])
    }

    @Test func `rows that cannot be decoded are skipped, and do not count as a gap`() {
        let harness = KeeperHarness(ignoring: .all, restored: Restored(lastSeq: 9))
        func event(_ seq: Int64) -> PublishedEvent {
            PublishedEvent(seq: seq, at: harness.now.wall, kind: .added, address: one)
        }
        let (id, _) = harness.ask(.monitor(after: 2, kinds: nil, addresses: nil))
        let first = harness.handle(.eventsRead(id, EventPage([event(4)], seqs: 3...5)))
        #expect(first.reported(to: id) == [event(4)])
        #expect(first.contains(.readEvents(id, after: 5, limit: Limits.eventsPerRead)))
        #expect(harness.handle(.eventsRead(id, EventPage([], seqs: 6...9))).answer(to: id) == nil)
        harness.add([one])
        #expect(harness.ask(.remove([one])).1.reported(to: id).map(\.seq) == [11], "new events are published")
    }

    @Test func `an unknown cursor is refused, and the error for an outdated one names the oldest event`() {
        let harness = KeeperHarness(ignoring: .all, restored: Restored(lastSeq: 50))
        let (wrong, refused) = harness.ask(.monitor(after: 51, kinds: nil, addresses: nil))
        #expect(refused.answer(to: wrong) == .refused(.invalidCursor))
        let (old, _) = harness.ask(.monitor(after: 10, kinds: nil, addresses: nil))
        let oldest = PublishedEvent(seq: 31, at: harness.now.wall, kind: .added, address: one)
        #expect(
            harness.handle(.eventsRead(old, EventPage([oldest]))).answer(to: old) == .refused(.eventsGone(oldest: 31)))
    }
}
