import Testing

@testable import RecordKeeping

/// `History` requests for the changes of several or of matching entries.
struct HistoryReadingTests {
    private let harness = KeeperHarness(ignoring: .all)
    private let all = addresses(4)

    init() {
        harness.add(Array(all.prefix(3)))
        harness.ask(.label([all[0]], LabelChange(addTags: ["prod"])))
    }

    private func change(_ seq: Int64, _ index: Int) -> PublishedEvent {
        PublishedEvent(seq: seq, at: harness.now.wall, kind: .changed, address: all[index])
    }

    private static let prod = EntryFilter { $0.tags = ["prod"] }

    @Test func `the changes of several addresses are one read, and all must be watched`() {
        let query = ChangeQuery(addresses: Array(all.prefix(2)), fields: [.isp], limit: 5)
        let (id, effects) = harness.ask(.history(query, matching: nil))
        #expect(effects == [.readChanges(id, query)])
        let page = ChangePage([change(7, 1), change(3, 0)], next: 3)
        // The page may end at a change that could not be read. It is sent at once, so that it holds no memory.
        #expect(harness.handle(.changesRead(id, page)).answer(to: id) == .changes(page))
        #expect(harness.keeper.footprint.listings == 0)
        let (other, refused) = harness.ask(.history(ChangeQuery(addresses: all, limit: 5), matching: nil))
        #expect(refused.answer(to: other) == .refused(.notWatched(all[3])))
    }

    @Test func `changes are read until the page is full, and the next page continues there`() {
        let (id, effects) = harness.ask(.history(ChangeQuery(before: 90, limit: 2), matching: Self.prod))
        #expect(effects == [.readChanges(id, ChangeQuery(before: 90, limit: Limits.changesPerRead))])
        let first = ChangePage([change(80, 1), change(70, 0), change(60, 3), change(50, 2)], next: 50)
        let more = harness.handle(.changesRead(id, first))
        #expect(more == [.readChanges(id, ChangeQuery(before: 50, limit: Limits.changesPerRead))])
        let last = harness.handle(.changesRead(id, ChangePage([change(40, 0), change(30, 0)])))
        #expect(last.answer(to: id) == .changes(ChangePage([change(70, 0), change(40, 0)], next: 40)))
        #expect(harness.keeper.footprint.listings == 0)
    }

    @Test func `if few changes match, a page has fewer changes than it may have`() {
        var (id, effects) = harness.ask(.history(ChangeQuery(limit: 2), matching: Self.prod))
        var next = Int64(1_000_000)
        while effects.answer(to: id) == nil {
            next -= 1
            effects = harness.handle(.changesRead(id, ChangePage([change(next, 1)], next: next)))
        }
        #expect(1_000_000 - next == Int64(Limits.readsPerHistory))
        #expect(effects.answer(to: id) == .changes(ChangePage([], next: next)))
    }

    @Test func `a condition about changed fields is resolved first, in several reads`() {
        let filter = EntryFilter { $0.changedFields = [.isp] }
        let (id, effects) = harness.ask(.history(ChangeQuery(limit: 2), matching: filter))
        var read = ChangeQuery(fields: [.isp], limit: Limits.changesPerRead)
        #expect(effects == [.readChanges(id, read)])
        read.before = 40
        let more = harness.handle(.changesRead(id, ChangePage([change(50, 1), change(40, 1)], next: 40)))
        #expect(more == [.readChanges(id, read)])
        let reading = harness.handle(.changesRead(id, ChangePage([change(30, 0)])))
        #expect(reading == [.readChanges(id, ChangeQuery(limit: Limits.changesPerRead))])
        let page = ChangePage([change(60, 2), change(50, 1), change(30, 0), change(20, 0)])
        let expected = ChangePage([change(50, 1), change(30, 0)], next: 30)
        #expect(harness.handle(.changesRead(id, page)).answer(to: id) == .changes(expected))
        #expect(harness.keeper.footprint.listings == 0)
    }

    @Test func `a client that leaves, and an unreadable database, end a search for changed fields`() {
        let filter = EntryFilter {
            $0.changedSince = WallTime(milliseconds: 5)
            $0.changedFields = [.isp]
        }
        let (left, effects) = harness.ask(.list(ListQuery(filters: [filter], limit: 2)))
        let read = ChangeQuery(since: WallTime(milliseconds: 5), fields: [.isp], limit: Limits.changesPerRead)
        #expect(effects == [.readChanges(left, read)])
        harness.handle(.clientLeft(left.peer))
        #expect(harness.handle(.changesRead(left, ChangePage([change(1, 0)], next: 1))) == [])
        let (id, _) = harness.ask(.list(ListQuery(filters: [filter], limit: 2)))
        #expect(harness.handle(.unreadable(id, "broken")).answer(to: id) == .refused(.storeFailed("broken")))
        #expect(harness.keeper.footprint.listings == 0)
    }

    @Test func `the searches of one user for changed fields are bounded`() {
        let filter = EntryFilter { $0.changedFields = [.isp] }
        func begin(by user: UInt32) -> (Request.ID, [Effect]) {
            harness.ask(.list(ListQuery(filters: [filter], limit: 2)), user: user)
        }
        let begun = (0..<Limits.selectionsPerUser).map { _ in begin(by: 7).0 }
        let (refused, effects) = begin(by: 7)
        let refusal = Refusal.tooMany(limit: Limits.selectionsPerUser, .waitingRequests)
        #expect(effects.answer(to: refused) == .refused(refusal))
        #expect(begin(by: 8).1.count == 1)
        harness.handle(.changesRead(begun[0], ChangePage([])))
        #expect(begin(by: 7).1.answer(to: refused) == nil)
    }

    @Test func `the changes of many addresses are selected from those of all entries`() {
        let many = addresses(Limits.addressesPerHistory + 1, from: 0x0300_0000)
        harness.add(many)
        let (id, effects) = harness.ask(.history(ChangeQuery(addresses: many, before: 90, limit: 5), matching: nil))
        #expect(effects == [.readChanges(id, ChangeQuery(before: 90, limit: Limits.changesPerRead))])
        let event = PublishedEvent(seq: 70, at: harness.now.wall, kind: .changed, address: many[7])
        let answer = harness.handle(.changesRead(id, ChangePage([change(80, 0), event])))
        #expect(answer.answer(to: id) == .changes(ChangePage([event])))
    }

    @Test func `a client that leaves, and an unreadable database, end the reading`() {
        let (left, _) = harness.ask(.history(ChangeQuery(limit: 2), matching: nil))
        harness.handle(.clientLeft(left.peer))
        #expect(harness.handle(.changesRead(left, ChangePage([change(1, 0)]))) == [])
        let (id, _) = harness.ask(.history(ChangeQuery(limit: 2), matching: nil))
        #expect(harness.handle(.unreadable(id, "broken")).answer(to: id) == .refused(.storeFailed("broken")))
        #expect(harness.keeper.footprint.listings == 0)
    }
}
