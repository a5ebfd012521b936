import Testing

@testable import RecordKeeping

/// `Monitor` requests: kept events, and events as they happen.
@Suite struct ListenerTests {
    private let one = IPAddress(v4: 0x0101_0101)
    private let two = IPAddress(v4: 0x0808_0808)

    @Test func `a listener receives events in order, after they are on disk`() throws {
        let harness = KeeperHarness(ignoring: .upkeep)
        let (id, _) = harness.ask(.monitor(after: nil, EventSelection()))
        let (adding, _) = harness.ask(.add([one], tags: [], note: nil))
        harness.expect(
            .commit(.adding([one]) + [.history]), .answer(adding, .added(1, already: 0)), .publish(.added, to: [id]))
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.expect(.commit([.health]), .call([one], .single))
        harness.disk = .waits
        harness.reply(to: call)
        harness.expect(.commit(.records(of: [one], cohort: 1) + [.health]))
        harness.write()
        harness.expect(.publish(.refreshed, to: [id]))
    }

    @Test func `a listener with tags receives the events of entries that have one of them now`() {
        let harness = KeeperHarness(ignoring: .all)
        let (id, _) = harness.ask(.monitor(after: nil, EventSelection(kinds: [.added], tags: ["dns", "mail"])))
        harness.ask(.add([one], tags: ["dns", "prod"], note: nil))
        harness.ask(.add([two], tags: ["prod"], note: nil))
        harness.ask(.add([IPAddress(v4: 0x0909_0909)], tags: [], note: nil))
        #expect(harness.log.reported(to: id).map(\.address) == [one])
    }

    @Test func `a listener with a filter receives the events of entries that match it when they are sent`() throws {
        let all = addresses(3)
        let harness = try KeeperHarness.withRecords(of: all)
        var filter = EntryFilter()
        (filter.asns, filter.states) = ([64_500], [.fresh])
        let selection = EventSelection(kinds: [.changed, .refreshed, .removed], filter: filter)
        let (id, _) = harness.ask(.monitor(after: nil, selection))
        let call = try harness.expireRecords()
        var moved = Record.example
        moved.as = "AS64500 Example"
        harness.reply(to: call, answering: [all[1]: .answered(.record(moved))])
        harness.discardEffects()
        // A removed entry matches no filter.
        harness.ask(.remove([all[1]]))
        harness.discardEffects()
        let events = harness.log.reported(to: id)
        #expect(events.allSatisfy { $0.address == all[1] })
        #expect(events.map(\.kind).sorted { $0.rawValue < $1.rawValue } == [.changed, .refreshed])
    }

    @Test func `the kept events of a listener with a filter are those of entries that match it now`() {
        let harness = KeeperHarness(ignoring: .all)
        harness.ask(.add([one], tags: ["dns"], note: nil))
        harness.ask(.add([two], tags: ["test"], note: nil))
        let kept = harness.log.commits.flatMap(\.writes).compactMap { if case .event(let it) = $0 { it } else { nil } }
        var filter = EntryFilter()
        filter.notTags = ["test"]
        let (id, _) = harness.ask(.monitor(after: 0, EventSelection(filter: filter)))
        harness.handle(.eventsRead(id, EventPage(kept)))
        #expect(kept.map(\.address) == [one, two])
        #expect(harness.log.reported(to: id).map(\.address) == [one])
    }

    // MARK: Listeners that begin during a commit

    /// Returns a keeper with records of these addresses, whose refreshed records are being written: that of the second
    /// address has changed, and the others are repeated.
    private func harnessDuringCommit(of all: [IPAddress], changesPerTurn: Int) throws -> KeeperHarness {
        let harness = try KeeperHarness.withRecords(of: all, changesPerTurn: changesPerTurn)
        let call = try harness.expireRecords()
        harness.disk = .waits
        harness.beginsTurns = false
        harness.reply(to: call, answering: [all[1]: .answered(.record(.inBonn))])
        harness.expect(.commit([.cohort(1), .put(all[1], cohort: 1), .event(.changed, all[1]), .health]))
        return harness
    }

    @Test(arguments: [1, 2, 3, 4, 2_000])
    func `a listener that begins while a commit is written receives its refreshed events`(changesPerTurn: Int) throws {
        let all = addresses(4)
        let harness = try harnessDuringCommit(of: all, changesPerTurn: changesPerTurn)
        let (id, _) = harness.ask(.monitor(after: nil, EventSelection(kinds: [.refreshed])))
        let (other, _) = harness.ask(.monitor(after: nil, EventSelection(addresses: [all[2]])), peer: 2)
        harness.expect()
        let written = harness.write()
        harness.discardEffects()
        let effects = written + harness.finishTurns().flatMap { $0 }
        harness.discardEffects()
        #expect(effects.reported(to: id).map(\.address) == all)
        #expect(effects.reported(to: other).map(\.address) == [all[2]])
        let states = effects.compactMap { if case .publish(_, let entry, to: _) = $0 { entry } else { nil } }
        #expect(states.count == 4 && states.allSatisfy { $0.state == .fresh && $0.entry.scan?.at == harness.now })
    }

    @Test func `a listener that begins while a commit is applied receives the refreshed events from then on`() throws {
        let all = addresses(4)
        let harness = try harnessDuringCommit(of: all, changesPerTurn: 1)
        harness.write()
        harness.expect()
        // A listener that begins in each turn, and the number of events that were published before.
        var (begun, published): ([(id: Request.ID, published: Int)], [IPAddress?]) = ([], [])
        var peer: UInt64 = 1
        while harness.wantsTurn {
            peer += 1
            let (id, _) = harness.ask(.monitor(after: nil, EventSelection(kinds: [.refreshed])), peer: peer)
            begun.append((id, published.count))
            published += harness.beginTurn().reported(to: begun[0].id).map(\.address)
            harness.discardEffects()
        }
        #expect(published == all)
        #expect(Set(begun.map(\.published)).isSuperset(of: 0...3), "some begin before each of the events")
        for (id, before) in begun {
            #expect(harness.log.reported(to: id).map(\.address) == Array(all.dropFirst(before)))
        }
    }

    @Test func `an event of a failure has the time of the next attempt`() throws {
        let harness = KeeperHarness(ignoring: .all)
        let (id, _) = harness.ask(.monitor(after: nil, EventSelection(kinds: [.failed])))
        harness.add([one, two])
        let call = try #require(harness.pass(Limits.gather).calls.first)
        // If no answer were usable, the endpoint would be failing instead.
        let answers: [IPAddress: ElementAnswer] = [one: .malformed("no status"), two: .answered(.record(.example))]
        let quota = ReportedQuota(remaining: nil, resetsIn: nil)
        let effects = harness.handle(.replied(call.id, Reply(sentAt: harness.now, answers: answers, quota: quota)))
        let published = effects.compactMap { if case .publish(_, let entry, to: [id]) = $0 { entry } else { nil } }
        let entry = try #require(published.first)
        #expect(entry.address == one && entry.state == .failed && entry.failure?.kind == .malformed)
        #expect(try #require(entry.nextAttemptAt) > harness.now.wall)
    }

    @Test func `a listener receives only events that match its filters`() throws {
        let harness = KeeperHarness(ignoring: .upkeep)
        let (id, _) = harness.ask(.monitor(after: nil, EventSelection(kinds: [.removed], addresses: [one])))
        let (adding, _) = harness.ask(.add([one, two], tags: [], note: nil))
        harness.expect(.commit(.adding([one, two]) + [.history]), .answer(adding, .added(2, already: 0)))
        let (other, _) = harness.ask(.remove([two]))
        harness.expect(.commit(.removing([two])), .answer(other, .removed(1)))
        let (matching, _) = harness.ask(.remove([one]))
        harness.expect(.commit(.removing([one])), .answer(matching, .removed(1)), .publish(.removed, to: [id]))
        #expect(harness.log.reported(to: id).map(\.address) == [one])
    }

    @Test func `a listener with a cursor receives kept events and then live ones, each once`() {
        let harness = KeeperHarness(ignoring: .upkeep)
        harness.add([one])
        harness.discardEffects()
        harness.add([two])
        harness.discardEffects()
        let (id, effects) = harness.ask(.monitor(after: 0, EventSelection()))
        #expect(effects == [.readEvents(id, after: 0, limit: Limits.eventsPerRead)])
        harness.expect(.reading(id))
        let kept = harness.log.commits.flatMap(\.writes).compactMap { if case .event(let it) = $0 { it } else { nil } }
        let (whileReading, _) = harness.ask(.remove([two]))
        harness.expect(.commit(.removing([two])), .answer(whileReading, .removed(1)))
        let read = harness.handle(.eventsRead(id, EventPage(kept)))
        harness.expect(.publish(.added, to: [id]), .publish(.added, to: [id]), .reading(id))
        #expect(read.contains(.readEvents(id, after: 2, limit: Limits.eventsPerRead)))
        let last = PublishedEvent(seq: 3, at: harness.now.wall, kind: .removed, address: two)
        harness.handle(.eventsRead(id, EventPage([last])))
        harness.expect(.publish(.removed, to: [id]))
        let (live, _) = harness.ask(.remove([one]))
        harness.expect(.commit(.removing([one])), .answer(live, .removed(1)), .publish(.removed, to: [id]))
        let reported = harness.log.reported(to: id)
        #expect(reported.map(\.seq) == [1, 2, 3, 4] && reported[2] == last)
    }

    @Test func `an event that is read from the disk and also published is sent once`() {
        let harness = KeeperHarness(ignoring: .upkeep, restored: Restored(lastSeq: 1))
        let (id, _) = harness.ask(.monitor(after: 0, EventSelection()))
        harness.expect(.reading(id))
        harness.disk = .waits
        let (adding, _) = harness.ask(.add([one], tags: [], note: nil))
        harness.expect(.commit(.adding([one]) + [.history]))
        let kept = (1...2).map { PublishedEvent(seq: Int64($0), at: harness.now.wall, kind: .added, address: one) }
        // The disk has both before the keeper is notified of the commit.
        let read = harness.handle(.eventsRead(id, EventPage(kept)))
        harness.expect(.publish(.added, to: [id]))
        #expect(read.reported(to: id).map(\.seq) == [1])
        let written = harness.write()
        harness.expect(.answer(adding, .added(1, already: 0)), .publish(.added, to: [id]))
        #expect(written.reported(to: id).map(\.seq) == [2])
    }

    @Test func `rows that cannot be decoded are skipped, and do not count as a gap`() {
        let harness = KeeperHarness(ignoring: .upkeep, restored: Restored(lastSeq: 9))
        func event(_ seq: Int64) -> PublishedEvent {
            PublishedEvent(seq: seq, at: harness.now.wall, kind: .added, address: one)
        }
        let (id, _) = harness.ask(.monitor(after: 2, EventSelection()))
        harness.expect(.reading(id))
        let first = harness.handle(.eventsRead(id, EventPage([event(4)], seqs: 3...5)))
        harness.expect(.publish(.added, to: [id]), .reading(id))
        #expect(first.reported(to: id) == [event(4)])
        #expect(first.contains(.readEvents(id, after: 5, limit: Limits.eventsPerRead)))
        harness.handle(.eventsRead(id, EventPage([], seqs: 6...9)))
        harness.expect()
        let (adding, _) = harness.ask(.add([one], tags: [], note: nil))
        // New events are published.
        harness.expect(
            .commit(.adding([one]) + [.history]), .answer(adding, .added(1, already: 0)), .publish(.added, to: [id]))
        let (removing, effects) = harness.ask(.remove([one]))
        harness.expect(.commit(.removing([one])), .answer(removing, .removed(1)), .publish(.removed, to: [id]))
        #expect(effects.reported(to: id).map(\.seq) == [11])
    }

    @Test func `an unknown cursor is refused, and the error for an outdated one names the oldest event`() {
        let harness = KeeperHarness(restored: Restored(lastSeq: 50))
        let (wrong, _) = harness.ask(.monitor(after: 51, EventSelection()))
        harness.expect(.answer(wrong, .refused(.invalidCursor)))
        let (old, _) = harness.ask(.monitor(after: 10, EventSelection()))
        harness.expect(.reading(old))
        let oldest = PublishedEvent(seq: 31, at: harness.now.wall, kind: .added, address: one)
        harness.handle(.eventsRead(old, EventPage([oldest])))
        harness.expect(.answer(old, .refused(.eventsGone(oldest: 31))))
    }
}
