import Testing

@testable import RecordKeeping

/// Requests of clients: their permissions, and the time of their replies.
@Suite struct RequestTests {
    private let one = IPAddress(v4: 0x0101_0101)
    private let three = IPAddress(v4: 0x0909_0909)
    private let two = IPAddress(v4: 0x0808_0808)

    @Test func `an acknowledgement is sent only after the commit`() {
        let harness = KeeperHarness()
        harness.disk = .waits
        let (id, effects) = harness.ask(.add([one], tags: [], note: nil))
        #expect(effects.answer(to: id) == nil)
        #expect(effects.commits.count == 1)
        #expect(harness.write().answer(to: id) == .added(1, already: 0))
    }

    @Test func `all changes that arrive during a commit share the next one`() {
        let harness = KeeperHarness()
        harness.disk = .waits
        harness.add([one])
        let ids = (0..<5).map { harness.ask(.add(addresses(1, from: 0x0900_0000 + $0), tags: [], note: nil)).0 }
        #expect(harness.log.commits.count == 1)
        #expect(harness.write().commits.count == 1)
        let effects = harness.write()
        #expect(ids.allSatisfy { effects.answer(to: $0) == .added(1, already: 0) })
    }

    @Test func `an empty note removes the existing note`() {
        let harness = KeeperHarness()
        for (said, kept) in [("", nil), ("ours", "ours"), (nil, "ours"), ("", nil)] as [(String?, String?)] {
            _ = harness.ask(.add([one], tags: [], note: said))
            #expect(harness.show(one)?.entry.watch?.note == kept)
        }
    }

    @Test func `a change sees earlier changes in the same commit`() {
        let harness = KeeperHarness()
        harness.disk = .waits
        harness.add([two])
        let (add, _) = harness.ask(.add([one], tags: ["a"], note: nil))
        let (again, _) = harness.ask(.add([one, two], tags: ["b"], note: "x"))
        let (remove, _) = harness.ask(.remove([one]))
        let (missing, _) = harness.ask(.remove([one]))
        let effects = harness.write() + harness.write()
        #expect(effects.answer(to: add) == .added(1, already: 0))
        #expect(effects.answer(to: again) == .added(0, already: 2))
        #expect(effects.answer(to: remove) == .removed(1))
        #expect(effects.answer(to: missing) == .refused(.notWatched(one)))
    }

    @Test func `an address that is added again keeps its record, and gets the new labels`() throws {
        let harness = try KeeperHarness.withRecord(of: one)
        let (id, effects) = harness.ask(.add([one, one], tags: ["dns"], note: "resolver"))
        #expect(effects.answer(to: id) == .added(0, already: 1))
        let view = try #require(harness.show(one))
        #expect(view.state == .fresh && view.entry.watch?.tags == ["dns"] && view.entry.watch?.note == "resolver")
        let (same, unchanged) = harness.ask(.add([one], tags: ["dns"], note: nil))
        #expect(unchanged.answer(to: same) == .added(0, already: 1) && unchanged.commits.isEmpty)
    }

    @Test func `only administrators can change the watch list`() {
        let harness = KeeperHarness()
        let (add, added) = harness.ask(.add([one], tags: [], note: nil), asAdministrator: false)
        #expect(added.answer(to: add) == .refused(.permissionDenied))
        let (remove, removed) = harness.ask(.remove([one]), asAdministrator: false)
        #expect(removed.answer(to: remove) == .refused(.permissionDenied))
        #expect(harness.log.commits.isEmpty)
    }

    @Test func `a removal applies to all of its addresses or to none`() throws {
        let harness = try KeeperHarness.withRecord(of: one)
        let (id, effects) = harness.ask(.remove([one, two]))
        #expect(effects.answer(to: id) == .refused(.notWatched(two)))
        #expect(harness.show(one)?.entry.watch != nil)
    }

    @Test func `removing and adding an address again causes no second call within the interval`() throws {
        let harness = try KeeperHarness.withRecord(of: one)
        harness.ask(.remove([one]))
        #expect(harness.show(one)?.entry.watch == nil)
        #expect(harness.show(one)?.state == .fresh)
        harness.add([one])
        #expect(harness.pass(.seconds(299)).calls.isEmpty)
    }

    @Test func `the record of a removed address is deleted when it expires`() throws {
        let harness = try KeeperHarness.withRecord(of: one)
        harness.ask(.remove([one]))
        let effects = harness.pass(.seconds(301))
        #expect(effects.calls.isEmpty)
        #expect(effects.commits.flatMap(\.writes).contains(.remove(one)))
        #expect(harness.show(one)?.entry.scan == nil)
    }

    @Test func `a reply for an address that was removed in the meantime is kept for an interval, like a lookup`() throws
    {
        let harness = KeeperHarness()
        harness.add([one])
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.ask(.remove([one]))
        #expect(harness.show(one)?.entry.watch == nil)
        harness.reply(to: call)
        #expect(harness.show(one)?.state == .fresh)
        let effects = harness.pass(.seconds(301))
        #expect(effects.calls.isEmpty)
        #expect(effects.commits.flatMap(\.writes).contains(.remove(one)))
    }

    @Test func `an address that is removed and added again during its call or its commit is not fetched twice`() throws
    {
        let harness = KeeperHarness()
        harness.add([one])
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.ask(.remove([one]))
        harness.add([one])
        #expect(harness.pass(.seconds(5)).calls.isEmpty)
        // The reply now waits for a slow disk, behind another removal.
        harness.disk = .waits
        harness.ask(.remove([one]))
        harness.reply(to: call)
        harness.ask(.add([one], tags: [], note: nil))
        while harness.commit != nil { harness.write() }
        harness.disk = .writesAtOnce
        #expect(harness.show(one)?.state == .fresh)
        #expect(harness.show(one)?.entry.watch != nil)
        #expect(harness.pass(.seconds(290)).calls.isEmpty)
        #expect(harness.pass(.seconds(20)).calls.count == 1)
    }

    @Test func `an address that is removed during its call is dropped when the call fails`() throws {
        for kind in [Failure.Kind.offline, .rejected, .malformed] {
            let harness = KeeperHarness()
            harness.add([one])
            let call = try #require(harness.pass(Limits.gather).calls.first)
            harness.ask(.remove([one]))
            #expect(harness.fail(call, kind).calls.isEmpty)
            #expect(harness.pass(.seconds(600)).calls.isEmpty, "\(kind)")
            #expect(harness.keeper.footprint.entries == 0, "\(kind)")
        }
    }

    // MARK: Waiting

    @Test func `a waiting caller gets the record after it is on disk`() throws {
        let harness = KeeperHarness()
        let (id, effects) = harness.ask(.show([one], wait: .seconds(5)))
        #expect(effects.answer(to: id) == nil)
        let call = try #require(harness.pass(Limits.gather).calls.first)
        let answer = harness.reply(to: call).answer(to: id)
        guard case .entries(let views)? = answer else { return #expect(Bool(false)) }
        #expect(views.map(\.state) == [.fresh])
        #expect(harness.pass(.seconds(10)).answer(to: id) == nil, "a request is answered once")
    }

    @Test func `a waiting caller gets the known state at its time limit`() {
        let harness = KeeperHarness()
        let (id, _) = harness.ask(.show([one], wait: .seconds(5)))
        #expect(harness.pass(.seconds(5) - .nanoseconds(1)).answer(to: id) == nil)
        guard case .entries(let views)? = harness.pass(.nanoseconds(1)).answer(to: id) else {
            return #expect(Bool(false))
        }
        #expect(views.map(\.state) == [.loading])
    }

    @Test func `callers that wait for the same address share one call`() throws {
        let harness = KeeperHarness()
        let ids = (0..<20).map { harness.ask(.show([one], wait: .seconds(5)), asAdministrator: false, peer: $0).0 }
        let calls = harness.pass(Limits.gather).calls
        #expect(calls.count == 1)
        let effects = harness.reply(to: try #require(calls.first))
        #expect(ids.allSatisfy { effects.answer(to: $0) != nil })
    }

    @Test func `entries are returned in the order of the request, including duplicates`() {
        let harness = KeeperHarness()
        let (id, effects) = harness.ask(.show([two, one, two], wait: .zero))
        guard case .entries(let views)? = effects.answer(to: id) else { return #expect(Bool(false)) }
        #expect(views.map(\.address) == [two, one, two])
    }

    @Test func `a client that disconnects gets no reply`() {
        let harness = KeeperHarness()
        harness.ask(.show([one], wait: .seconds(5)), peer: 9)
        harness.handle(.clientLeft(PeerID(number: 9)))
        let answers = harness.pass(.seconds(60)).filter { if case .answer = $0 { true } else { false } }
        #expect(answers.isEmpty)
    }

    @Test func `a lookup is kept for one interval and no longer`() throws {
        let harness = KeeperHarness()
        harness.ask(.show([one], wait: .seconds(5)), asAdministrator: false)
        harness.reply(to: try #require(harness.pass(Limits.gather).calls.first))
        #expect(harness.pass(.seconds(299)).calls.isEmpty)
        #expect(harness.show(one)?.state == .fresh)
        #expect(harness.pass(.seconds(2)).commits.flatMap(\.writes).contains(.remove(one)))
        #expect(harness.pass(.seconds(3_600)).calls.isEmpty)
    }

    @Test func `lookups by unprivileged clients are limited`() {
        let harness = KeeperHarness(status: .open)
        let many = addresses(Limits.lookedUpAddresses)
        harness.ask(.show(many, wait: .zero), asAdministrator: false)
        let (id, effects) = harness.ask(.show([two], wait: .zero), asAdministrator: false)
        #expect(effects.answer(to: id) == .refused(.tooMany(limit: Limits.lookedUpAddresses)))
    }

    @Test func `at most a third of a window goes to unwatched addresses`() throws {
        let harness = KeeperHarness(settings: Settings(documentedLimits: [.single: 0, .batch: 15]))
        harness.ask(.show(addresses(3_000), wait: .zero), asAdministrator: false)
        var sent: [Call] = []
        var open = harness.log.calls
        while let call = open.popLast() {
            sent.append(call)
            open +=
                harness.reply(to: call, quota: ReportedQuota(remaining: 14 - sent.count + 1, resetsIn: .seconds(50)))
                .calls
        }
        #expect(sent.count == 5)
    }

    @Test func `addresses with waiting callers never fill a call while others are overdue`() throws {
        let harness = KeeperHarness(status: nil)
        harness.add(addresses(400))
        harness.answerRouteCheck(.open)
        let first = try #require(harness.log.calls.first)
        harness.ask(.show(Array(addresses(400).suffix(200)), wait: .seconds(60)), asAdministrator: false)
        let next = try #require(
            harness.reply(to: first, quota: ReportedQuota(remaining: 9, resetsIn: .seconds(9))).calls.first)
        let waited = next.addresses.filter { $0 >= addresses(400)[200] }.count
        #expect(waited == 66 && next.addresses.count == 100)
    }
}
