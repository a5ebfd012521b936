import Testing

@testable import RecordKeeping

/// Requests of clients: their permissions, and the time of their replies.
@Suite struct RequestTests {
    private let one = IPAddress(v4: 0x0101_0101)
    private let three = IPAddress(v4: 0x0909_0909)
    private let two = IPAddress(v4: 0x0808_0808)

    @Test func `an acknowledgement is sent only after the commit`() {
        let story = Story()
        story.disk = .waits
        let (id, effects) = story.ask(.add([one], tags: [], note: nil))
        #expect(effects.answer(to: id) == nil)
        #expect(effects.commits.count == 1)
        #expect(story.write().answer(to: id) == .added(1, already: 0))
    }

    @Test func `all changes that arrive during a commit share the next one`() {
        let story = Story()
        story.disk = .waits
        story.add([one])
        let ids = (0..<5).map { story.ask(.add(addresses(1, from: 0x0900_0000 + $0), tags: [], note: nil)).0 }
        #expect(story.log.commits.count == 1)
        #expect(story.write().commits.count == 1)
        let effects = story.write()
        #expect(ids.allSatisfy { effects.answer(to: $0) == .added(1, already: 0) })
    }

    @Test func `an empty note removes the existing note`() {
        let story = Story()
        for (said, kept) in [("", nil), ("ours", "ours"), (nil, "ours"), ("", nil)] as [(String?, String?)] {
            _ = story.ask(.add([one], tags: [], note: said))
            #expect(story.show(one)?.entry.watch?.note == kept)
        }
    }

    @Test func `a change sees earlier changes in the same commit`() {
        let story = Story()
        story.disk = .waits
        story.add([two])
        let (add, _) = story.ask(.add([one], tags: ["a"], note: nil))
        let (again, _) = story.ask(.add([one, two], tags: ["b"], note: "x"))
        let (remove, _) = story.ask(.remove([one]))
        let (missing, _) = story.ask(.remove([one]))
        let effects = story.write() + story.write()
        #expect(effects.answer(to: add) == .added(1, already: 0))
        #expect(effects.answer(to: again) == .added(0, already: 2))
        #expect(effects.answer(to: remove) == .removed(1))
        #expect(effects.answer(to: missing) == .refused(.notWatched(one)))
    }

    @Test func `an address that is added again keeps its record, and gets the new labels`() throws {
        let story = try Story.withRecord(of: one)
        let (id, effects) = story.ask(.add([one, one], tags: ["dns"], note: "resolver"))
        #expect(effects.answer(to: id) == .added(0, already: 1))
        let view = try #require(story.show(one))
        #expect(view.state == .fresh && view.entry.watch?.tags == ["dns"] && view.entry.watch?.note == "resolver")
        let (same, unchanged) = story.ask(.add([one], tags: ["dns"], note: nil))
        #expect(unchanged.answer(to: same) == .added(0, already: 1) && unchanged.commits.isEmpty)
    }

    @Test func `only administrators can change the watch list`() {
        let story = Story()
        let (add, added) = story.ask(.add([one], tags: [], note: nil), asAdministrator: false)
        #expect(added.answer(to: add) == .refused(.permissionDenied))
        let (remove, removed) = story.ask(.remove([one]), asAdministrator: false)
        #expect(removed.answer(to: remove) == .refused(.permissionDenied))
        #expect(story.log.commits.isEmpty)
    }

    @Test func `a removal applies to all of its addresses or to none`() throws {
        let story = try Story.withRecord(of: one)
        let (id, effects) = story.ask(.remove([one, two]))
        #expect(effects.answer(to: id) == .refused(.notWatched(two)))
        #expect(story.show(one)?.entry.watch != nil)
    }

    @Test func `removing and adding an address again causes no second call within the interval`() throws {
        let story = try Story.withRecord(of: one)
        story.ask(.remove([one]))
        #expect(story.show(one)?.entry.watch == nil)
        #expect(story.show(one)?.state == .fresh)
        story.add([one])
        #expect(story.pass(.seconds(299)).calls.isEmpty)
    }

    @Test func `the record of a removed address is deleted when it expires`() throws {
        let story = try Story.withRecord(of: one)
        story.ask(.remove([one]))
        let effects = story.pass(.seconds(301))
        #expect(effects.calls.isEmpty)
        #expect(effects.commits.flatMap(\.writes).contains(.remove(one)))
        #expect(story.show(one)?.entry.scan == nil)
    }

    @Test func `a reply for an address that was removed in the meantime is kept for an interval, like a lookup`() throws
    {
        let story = Story()
        story.add([one])
        let call = try #require(story.pass(Limits.gather).calls.first)
        story.ask(.remove([one]))
        #expect(story.show(one)?.entry.watch == nil)
        story.reply(to: call)
        #expect(story.show(one)?.state == .fresh)
        let effects = story.pass(.seconds(301))
        #expect(effects.calls.isEmpty)
        #expect(effects.commits.flatMap(\.writes).contains(.remove(one)))
    }

    @Test func `an address that is removed and added again during its call or its commit is not fetched twice`() throws
    {
        let story = Story()
        story.add([one])
        let call = try #require(story.pass(Limits.gather).calls.first)
        story.ask(.remove([one]))
        story.add([one])
        #expect(story.pass(.seconds(5)).calls.isEmpty)
        // The reply now waits for a slow disk, behind another removal.
        story.disk = .waits
        story.ask(.remove([one]))
        story.reply(to: call)
        story.ask(.add([one], tags: [], note: nil))
        while story.commit != nil { story.write() }
        story.disk = .writesAtOnce
        #expect(story.show(one)?.state == .fresh)
        #expect(story.show(one)?.entry.watch != nil)
        #expect(story.pass(.seconds(290)).calls.isEmpty)
        #expect(story.pass(.seconds(20)).calls.count == 1)
    }

    @Test func `an address that is removed during its call is dropped when the call fails`() throws {
        for kind in [Failure.Kind.offline, .rejected, .malformed] {
            let story = Story()
            story.add([one])
            let call = try #require(story.pass(Limits.gather).calls.first)
            story.ask(.remove([one]))
            #expect(story.fail(call, kind).calls.isEmpty)
            #expect(story.pass(.seconds(600)).calls.isEmpty, "\(kind)")
            #expect(story.keeper.footprint.entries == 0, "\(kind)")
        }
    }

    // MARK: Waiting

    @Test func `a waiting caller gets the record after it is on disk`() throws {
        let story = Story()
        let (id, effects) = story.ask(.show([one], wait: .seconds(5)))
        #expect(effects.answer(to: id) == nil)
        let call = try #require(story.pass(Limits.gather).calls.first)
        let answer = story.reply(to: call).answer(to: id)
        guard case .entries(let views)? = answer else { return #expect(Bool(false)) }
        #expect(views.map(\.state) == [.fresh])
        #expect(story.pass(.seconds(10)).answer(to: id) == nil, "one answer and no second")
    }

    @Test func `a waiting caller gets the known state at its time limit`() {
        let story = Story()
        let (id, _) = story.ask(.show([one], wait: .seconds(5)))
        #expect(story.pass(.seconds(5) - .nanoseconds(1)).answer(to: id) == nil)
        guard case .entries(let views)? = story.pass(.nanoseconds(1)).answer(to: id) else {
            return #expect(Bool(false))
        }
        #expect(views.map(\.state) == [.loading])
    }

    @Test func `callers that wait for the same address share one call`() throws {
        let story = Story()
        let ids = (0..<20).map { story.ask(.show([one], wait: .seconds(5)), asAdministrator: false, peer: $0).0 }
        let calls = story.pass(Limits.gather).calls
        #expect(calls.count == 1)
        let effects = story.reply(to: try #require(calls.first))
        #expect(ids.allSatisfy { effects.answer(to: $0) != nil })
    }

    @Test func `entries are returned in the order of the request, including duplicates`() {
        let story = Story()
        let (id, effects) = story.ask(.show([two, one, two], wait: .zero))
        guard case .entries(let views)? = effects.answer(to: id) else { return #expect(Bool(false)) }
        #expect(views.map(\.address) == [two, one, two])
    }

    @Test func `a client that disconnects gets no reply`() {
        let story = Story()
        story.ask(.show([one], wait: .seconds(5)), peer: 9)
        story.tell(.clientLeft(PeerID(number: 9)))
        let answers = story.pass(.seconds(60)).filter { if case .answer = $0 { true } else { false } }
        #expect(answers.isEmpty)
    }

    @Test func `a lookup is kept for one interval and no longer`() throws {
        let story = Story()
        story.ask(.show([one], wait: .seconds(5)), asAdministrator: false)
        story.reply(to: try #require(story.pass(Limits.gather).calls.first))
        #expect(story.pass(.seconds(299)).calls.isEmpty)
        #expect(story.show(one)?.state == .fresh)
        #expect(story.pass(.seconds(2)).commits.flatMap(\.writes).contains(.remove(one)))
        #expect(story.pass(.seconds(3_600)).calls.isEmpty)
    }

    @Test func `lookups by unprivileged clients are limited`() {
        let story = Story(way: .open)
        let many = addresses(Limits.lookedUpAddresses)
        story.ask(.show(many, wait: .zero), asAdministrator: false)
        let (id, effects) = story.ask(.show([two], wait: .zero), asAdministrator: false)
        #expect(effects.answer(to: id) == .refused(.tooMany(limit: Limits.lookedUpAddresses)))
    }

    @Test func `at most a third of a window goes to unwatched addresses`() throws {
        let story = Story(settings: Settings(documentedLimits: [.single: 0, .batch: 15]))
        story.ask(.show(addresses(3_000), wait: .zero), asAdministrator: false)
        var sent: [Call] = []
        var open = story.log.calls
        while let call = open.popLast() {
            sent.append(call)
            open +=
                story.reply(to: call, quota: QuotaTold(remaining: 14 - sent.count + 1, resetsIn: .seconds(50))).calls
        }
        #expect(sent.count == 5)
    }

    @Test func `addresses with waiting callers never fill a call while others are overdue`() throws {
        let story = Story(way: nil)
        story.add(addresses(400))
        story.answerWay(.open)
        let first = try #require(story.log.calls.first)
        story.ask(.show(Array(addresses(400).suffix(200)), wait: .seconds(60)), asAdministrator: false)
        let next = try #require(
            story.reply(to: first, quota: QuotaTold(remaining: 9, resetsIn: .seconds(9))).calls.first)
        let waited = next.addresses.filter { $0 >= addresses(400)[200] }.count
        #expect(waited == 66 && next.addresses.count == 100)
    }

    // MARK: Listening

    @Test func `a listener receives events in order, after they are on disk`() throws {
        let story = Story()
        let (id, _) = story.ask(.monitor(after: nil, kinds: nil, addresses: nil))
        let effects = story.add([one])
        #expect(effects.told(to: id).map(\.kind) == [.added])
        let call = try #require(story.pass(Limits.gather).calls.first)
        #expect(story.reply(to: call).told(to: id).map(\.kind) == [.refreshed])
    }

    @Test func `a listener receives only events that match its filters`() throws {
        let story = Story()
        let (id, _) = story.ask(.monitor(after: nil, kinds: [.removed], addresses: [one]))
        story.add([one, two])
        let effects = story.ask(.remove([two])).1 + story.ask(.remove([one])).1
        #expect(effects.told(to: id).map(\.address) == [one])
    }

    @Test func `a listener with a cursor receives kept events and then live ones, each once`() {
        let story = Story()
        story.add([one])
        story.add([two])
        let (id, effects) = story.ask(.monitor(after: 0, kinds: nil, addresses: nil))
        #expect(effects == [.readNotices(id, after: 0, limit: Limits.noticesPerRead)])
        let kept = story.log.commits.flatMap(\.writes).compactMap { if case .notice(let it) = $0 { it } else { nil } }
        let whileReading = story.ask(.remove([two])).1
        #expect(whileReading.told(to: id).isEmpty)
        let read = story.tell(.noticesRead(id, NoticePage(kept)))
        #expect(read.told(to: id).map(\.seq) == [1, 2])
        #expect(read.contains(.readNotices(id, after: 2, limit: Limits.noticesPerRead)))
        let last = Notice(seq: 3, at: story.now.wall, kind: .removed, address: two)
        #expect(story.tell(.noticesRead(id, NoticePage([last]))).told(to: id) == [last])
        #expect(story.ask(.remove([one])).1.told(to: id).map(\.seq) == [4])
    }

    @Test func `an event that is read from the disk and also published is sent once`() {
        let story = Story(restored: Restored(lastSeq: 1))
        let (id, _) = story.ask(.monitor(after: 0, kinds: nil, addresses: nil))
        story.disk = .waits
        story.add([one])
        let kept = (1...2).map { Notice(seq: Int64($0), at: story.now.wall, kind: .added, address: one) }
        // The disk has both before the keeper is notified of the commit.
        let read = story.tell(.noticesRead(id, NoticePage(kept)))
        #expect(read.told(to: id).map(\.seq) == [1])
        #expect(story.write().told(to: id).map(\.seq) == [2])
    }

    @Test func `rows that cannot be decoded are skipped, and do not count as a gap`() {
        let story = Story(restored: Restored(lastSeq: 9))
        func notice(_ seq: Int64) -> Notice { Notice(seq: seq, at: story.now.wall, kind: .added, address: one) }
        let (id, _) = story.ask(.monitor(after: 2, kinds: nil, addresses: nil))
        let first = story.tell(.noticesRead(id, NoticePage([notice(4)], seqs: 3...5)))
        #expect(first.told(to: id) == [notice(4)])
        #expect(first.contains(.readNotices(id, after: 5, limit: Limits.noticesPerRead)))
        #expect(story.tell(.noticesRead(id, NoticePage([], seqs: 6...9))).answer(to: id) == nil)
        story.add([one])
        #expect(story.ask(.remove([one])).1.told(to: id).map(\.seq) == [11], "it hears what happens")
    }

    @Test func `an unknown cursor is refused, and the error for an outdated one names the oldest event`() {
        let story = Story(restored: Restored(lastSeq: 50))
        let (wrong, refused) = story.ask(.monitor(after: 51, kinds: nil, addresses: nil))
        #expect(refused.answer(to: wrong) == .refused(.invalidCursor))
        let (old, _) = story.ask(.monitor(after: 10, kinds: nil, addresses: nil))
        let oldest = Notice(seq: 31, at: story.now.wall, kind: .added, address: one)
        #expect(
            story.tell(.noticesRead(old, NoticePage([oldest]))).answer(to: old) == .refused(.eventsGone(oldest: 31)))
    }
}
