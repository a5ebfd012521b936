import Testing

@testable import RecordKeeping

/// The interval rule: the times at which calls are made.
@Suite struct RefreshingTests {
    private let one = IPAddress(v4: 0x0101_0101)

    @Test func `an added address is fetched, and its record is fresh after the commit`() throws {
        let harness = KeeperHarness(ignoring: .upkeep)
        let (id, _) = harness.ask(.add([one], tags: [], note: nil))
        // Due addresses are gathered first.
        harness.expect(.commit([.put(one), .event(.added, one), .history]), .answer(id, .added(1, already: 0)))
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.expect(.commit([.health]), .call([one], .single))
        #expect(harness.show(one)?.state == .loading)
        harness.disk = .waits
        harness.reply(to: call)
        harness.expect(.commit(.records(of: [one], cohort: 1) + [.health]))
        #expect(harness.show(one)?.state == .loading, "a record is not reported before its commit")
        harness.write()
        #expect(harness.show(one)?.state == .fresh)
    }

    @Test func `a record that is 299 s old is returned without a call`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .upkeep, of: one)
        harness.pass(.seconds(299))
        let (id, _) = harness.ask(.show([one], wait: .seconds(5)))
        harness.expect(.entries(id, [.fresh]))
    }

    @Test func `a record is refreshed at its deadline, and never earlier`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .upkeep, of: one)
        let scannedAt = try #require(harness.show(one)?.entry.scan?.at.boot)
        harness.pass(.seconds(300) - .nanoseconds(1))
        harness.pass(.nanoseconds(1))
        #expect(harness.show(one)?.state == .stale)
        harness.pass(Limits.gather)
        harness.expect(.call([one], .single), .resolve)
        #expect(harness.now.boot - scannedAt == .seconds(300) + Limits.gather)
    }

    @Test func `queries do not extend the validity of a record`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .upkeep, of: one)
        for _ in 0..<299 {
            harness.pass(.seconds(1))
            #expect(harness.show(one)?.state == .fresh)
        }
        harness.pass(.seconds(1) + Limits.gather)
        harness.expect(.call([one], .single), .resolve)
    }

    @Test func `validity counts from the sending of the request, not from the reply`() throws {
        let harness = KeeperHarness(ignoring: .upkeep)
        harness.add([one])
        harness.discardEffects()
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.expect(.commit([.health]), .call([one], .single))
        let sentAt = harness.now
        harness.pass(.seconds(8))
        let answers = [one: ElementAnswer.answered(.record(.example))]
        let quota = ReportedQuota(remaining: nil, resetsIn: nil)
        harness.handle(.replied(call.id, Reply(sentAt: sentAt, answers: answers, quota: quota)))
        harness.expect(.commit(.records(of: [one], cohort: 1) + [.health]))
        let view = try #require(harness.show(one))
        #expect(view.entry.scan?.at == sentAt)
        #expect(view.expiresAt == sentAt.wall + .seconds(300))
    }

    @Test func `the new record replaces the old in one commit`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .upkeep, of: one)
        let call = try #require(harness.pass(.seconds(300) + Limits.gather).calls.first)
        harness.expect(.call([one], .single), .resolve)
        var newer = Record.example
        newer.city = "Bonn"
        let commits = harness.reply(to: call, newer).commits
        harness.expect(
            .commit(.records(of: [one], cohort: 2) + [.event(.changed, one), .health]), .log(.changed))
        let replaced = commits[0].writes.contains {
            guard case .put(let key, let entry, cohort: .some) = $0 else { return false }
            return key.address == one && entry.scan?.answer.record == newer
        }
        #expect(replaced)
        let change = FieldChange(field: "city", old: "Berlin", new: "Bonn")
        #expect(
            commits[0].writes.contains {
                if case .event(let reported) = $0 { reported.fields == [change] } else { false }
            })
    }

    @Test func `the provider's status fail is valid for an interval, like a record`() throws {
        let harness = KeeperHarness(ignoring: .upkeep)
        harness.add([one])
        harness.discardEffects()
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.expect(.commit([.health]), .call([one], .single))
        let answers = [one: ElementAnswer.answered(.empty(reason: "reserved range"))]
        let quota = ReportedQuota(remaining: nil, resetsIn: nil)
        harness.handle(.replied(call.id, Reply(sentAt: harness.now, answers: answers, quota: quota)))
        harness.expect(.commit(.records(of: [one], cohort: 1) + [.health]))
        #expect(harness.show(one)?.state == .empty)
        #expect(harness.show(one)?.reason == "reserved range")
        harness.pass(.seconds(299))
        harness.pass(.seconds(2))
        harness.expect(.call([one], .single), .resolve)
    }

    @Test(arguments: ["10.0.0.1", "::1", "192.0.2.1", "224.0.0.1", "fe80::1"])
    func `a special-purpose address is empty at once and costs no call`(text: String) throws {
        let address = try IPAddress(text)
        let harness = KeeperHarness(ignoring: .upkeep)
        let (id, _) = harness.ask(.add([address], tags: [], note: nil))
        harness.expect(
            .commit([.put(address), .event(.added, address), .history]), .answer(id, .added(1, already: 0)))
        #expect(harness.show(address)?.state == .empty)
        #expect(harness.show(address)?.reason != nil)
        harness.pass(.seconds(3_600))
        #expect(harness.armed == nil)
    }

    @Test func `if nothing is due, the timer is armed for the next deadline only`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .upkeep, of: one)
        #expect(harness.armed == KeeperHarness.start.boot + Limits.gather + .seconds(300))
        #expect(KeeperHarness(ignoring: .upkeep).armed == nil)
    }

    @Test func `addresses that are due together share calls of up to a hundred`() {
        let harness = KeeperHarness(ignoring: .upkeep)
        let some = addresses(50)
        let (id, _) = harness.ask(.add(some, tags: [], note: nil))
        harness.expect(.commit(.adding(some) + [.history]), .answer(id, .added(50, already: 0)))
        harness.pass(Limits.gather)
        harness.expect(.commit([.health]), .call(some, .batch))

        let full = KeeperHarness(ignoring: .upkeep)
        let many = addresses(250)
        let (other, _) = full.ask(.add(many, tags: [], note: nil))
        // There is one call until a reply reports a quota.
        full.expect(
            .commit(.adding(many) + [.history]), .answer(other, .added(250, already: 0)),
            .commit([.health]), .call(Array(many[..<100]), .batch))
    }

    @Test func `a missing element fails only its address, which is retried after a backoff`() throws {
        let harness = KeeperHarness(ignoring: .upkeep)
        let both = addresses(2)
        harness.add(both)
        harness.discardEffects()
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.expect(.commit([.health]), .call(both, .batch))
        let quota = ReportedQuota(remaining: nil, resetsIn: nil)
        let answers = [both[0]: ElementAnswer.answered(.record(.example))]
        harness.handle(.replied(call.id, Reply(sentAt: harness.now, answers: answers, quota: quota)))
        harness.expect(
            .commit(.records(of: [both[0]], cohort: 1) + [.put(both[1]), .event(.failed, both[1]), .health]),
            .log(.failed))
        #expect(harness.show(both[0])?.state == .fresh)
        let view = try #require(harness.show(both[1]))
        #expect(view.state == .failed && view.failure?.kind == .malformed && view.failure?.attempts == 1)
        #expect(view.nextAttemptAt.map { $0 > harness.now.wall } == true)
        let retry = try #require(harness.pass(.seconds(1) + Limits.gather).calls.first)
        harness.expect(.commit([.health, .alertsLogged(through: 3)]), .call([both[1]], .single))
        harness.reply(to: retry)
        harness.expect(
            .commit(.records(of: [both[1]], cohort: 2) + [.event(.recovered, both[1]), .health]), .log(.recovered))
        #expect(harness.show(both[1])?.state == .fresh)
        #expect(harness.show(both[1])?.failure == nil)
    }

    @Test func `a step of the wall clock expires nothing`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .upkeep, of: one)
        harness.stepWallClock(by: .seconds(86_400))
        harness.handle(.clockStepped)
        #expect(harness.show(one)?.state == .fresh)
        harness.pass(.seconds(299) - Limits.gather)
        harness.pass(.seconds(2))
        harness.expect(.call([one], .single), .resolve)
    }

    @Test(arguments: [1, 86_400, 1_000_000_000])
    func `a record of another boot with a future time is stale and refreshed at once`(ahead: Int) throws {
        var entry = try KeeperHarness.withRecord(ignoring: .upkeep, of: one).keeper.slots.entry(of: 0)
        let wall = KeeperHarness.start.wall + .seconds(ahead)
        // The store converts an instant of another boot in this way.
        entry.scan?.at = Instant(boot: KeeperHarness.start.boot + .seconds(ahead), wall: wall)
        let harness = KeeperHarness(ignoring: .upkeep, entries: storedEntries([one], entry))
        let view = try #require(harness.show(one))
        #expect(view.state == .stale)
        #expect(view.entry.scan.map { $0.at.wall <= harness.now.wall } == true, "a scan is not in the future")
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.expect(.commit([.health, .history]), .call([one], .single))
        harness.reply(to: call)
        harness.expect(.commit([.cohort(2), .move([1], to: 2), .health]))
        #expect(harness.show(one)?.state == .fresh)
    }

    @Test func `after a step of the wall clock, scan times are reported in the new time`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .upkeep, of: one)
        harness.pass(.seconds(10))
        harness.stepWallClock(by: .seconds(86_400))
        let view = try #require(harness.show(one))
        #expect(view.entry.scan?.at.wall == harness.now.wall + .seconds(-10))
    }

    @Test func `two thousand addresses are fetched in full batches`() throws {
        let harness = KeeperHarness(ignoring: .fetching)
        harness.add(addresses(2_000))
        harness.discardEffects()
        var sizes: [Int] = []
        var left: [Call.Endpoint: Int] = [.batch: 15, .single: 45]
        var open = harness.log.calls
        while let call = open.popLast() {
            sizes.append(call.addresses.count)
            left[call.endpoint, default: 0] -= 1
            let quota = ReportedQuota(remaining: left[call.endpoint], resetsIn: .seconds(50))
            open += harness.reply(to: call, quota: quota).calls
        }
        #expect(left == [.batch: 0, .single: 0])
        #expect(sizes.filter { $0 > 1 } == Array(repeating: 100, count: 15))
    }
}
