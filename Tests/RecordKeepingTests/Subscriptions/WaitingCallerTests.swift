import Testing

@testable import RecordKeeping

/// `Show` callers that begin to wait while a commit is applied.
@Suite struct WaitingCallerTests {
    private let one = IPAddress(v4: 0x0101_0101)
    private let two = IPAddress(v4: 0x0A00_0000)
    private let fine = IPAddress(v4: 0x0101_0102)
    private let others = addresses(20, from: 0x0B00_0000)

    /// Returns a keeper with short turns, which the test begins, and a call for two addresses.
    private func harnessWithCall(changesPerTurn: Int) throws -> (KeeperHarness, Call) {
        let harness = KeeperHarness(ignoring: .upkeep, changesPerTurn: changesPerTurn)
        harness.add([one, fine])
        harness.discardEffects()
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.expect(.commit([.health]), .call([one, fine], .batch))
        harness.disk = .waits
        harness.beginsTurns = false
        return (harness, call)
    }

    /// Adds the second address, and the others while the reply waits for the next commit. Then applies that commit;
    /// its callers are answered in the next turn.
    ///
    /// - Returns: the request that added the others.
    private func apply(
        _ answer: ElementAnswer, to call: Call, in harness: KeeperHarness, _ event: PublishedEvent.Kind? = nil
    ) throws -> Request.ID {
        let (second, _) = harness.ask(.add([two], tags: [], note: nil))
        harness.expect(.commit(.adding([two])))
        let quota = ReportedQuota(remaining: nil, resetsIn: nil)
        let answers = [one: answer, fine: ElementAnswer.answered(.record(.example))]
        harness.handle(.replied(call.id, Reply(sentAt: harness.now, answers: answers, quota: quota)))
        let (third, _) = harness.ask(.add(others, tags: [], note: nil))
        harness.write()
        let kept = event.map { [WriteOutline.event($0, one)] } ?? []
        let cohort: Int64? = if case .answered = answer { 1 } else { nil }
        harness.expect(
            .answer(second, .added(1, already: 0)),
            .commit([.cohort(1), .put(one, cohort: cohort)] + kept + [.put(fine, cohort: 1), .health]))
        harness.write()
        harness.expect(event.map { [.log($0)] } ?? [])
        let number = try #require(harness.keeper.slots.index(of: one))
        #expect(harness.keeper.slots.activity(of: number) == .resting && harness.wantsTurn)
        return third
    }

    @Test func `a caller waits for a record that has expired before the timer fires`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .all, of: one)
        harness.stall(.seconds(301))
        let (id, effects) = harness.ask(.show([one], wait: .seconds(30)))
        #expect(!effects.contains { if case .answer(id, _) = $0 { true } else { false } }, "the record is stale")
        let call = try #require(harness.pass(Limits.gather).calls.first)
        let answers = harness.reply(to: call).compactMap { effect -> [EntryView]? in
            if case .answer(id, .entries(let views)) = effect { views } else { nil }
        }
        #expect(answers.map { $0.map(\.state) } == [[.fresh]])
    }

    @Test func `a caller that arrives after a failure was applied waits for the next attempt`() throws {
        // A turn applies two entries, lets both rest, and publishes one event.
        let (harness, call) = try harnessWithCall(changesPerTurn: 5)
        let third = try apply(.malformed("no status"), to: call, in: harness, .failed)
        let (id, _) = harness.ask(.show([one], wait: .seconds(60)))
        harness.beginsTurns = true
        harness.disk = .writesAtOnce
        // The failure precedes the request, so it does not answer it.
        harness.beginTurn()
        harness.expect(.commit(.adding(others) + [.alertsLogged(through: 4)]), .answer(third, .added(20, already: 0)))
        let calls = harness.pass(.seconds(2)).calls
        harness.expect(.call(others, .batch), .commit([.health]), .call([one], .single))
        harness.reply(to: try #require(calls.last))
        harness.expect(
            .commit(.records(of: [one], cohort: 2) + [.event(.recovered, one), .health]), .log(.recovered),
            .entries(id, [.fresh]))
    }

    @Test func `a caller that waits for a record that is being deleted gets the next one`() throws {
        let harness = KeeperHarness(ignoring: .upkeep)
        let (first, _) = harness.ask(.show([one], wait: .seconds(10)))
        let lookup = try #require(harness.pass(Limits.gather).calls.first)
        harness.expect(.commit([.health, .history]), .call([one], .single))
        harness.reply(to: lookup)
        harness.expect(.commit(.records(of: [one], cohort: 1) + [.health]), .entries(first, [.fresh]))
        harness.disk = .waits
        harness.pass(harness.keeper.settings.interval)
        // The record is being deleted.
        harness.expect(.commit([.remove(one)]))
        let (id, _) = harness.ask(.show([one], wait: .seconds(10)))
        harness.disk = .writesAtOnce
        harness.write()
        harness.expect()
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.expect(.call([one], .single), .resolve)
        harness.reply(to: call)
        // The cohort of the deleted record is removed with the next commit.
        harness.expect(
            .commit(.records(of: [one], cohort: 2) + [.health, .removeCohort(1)]), .entries(id, [.fresh]))
    }

    @Test func `a client that disconnects during a commit does not affect a later caller with its index`() throws {
        // A turn applies two entries and lets both rest.
        let (harness, call) = try harnessWithCall(changesPerTurn: 4)
        let (left, _) = harness.ask(.show([one], wait: .seconds(60)), peer: 2)
        let third = try apply(.answered(.record(.example)), to: call, in: harness)
        harness.handle(.clientLeft(left.peer))
        let (id, _) = harness.ask(.show([others[0]], wait: .seconds(60)), peer: 3)
        harness.disk = .writesAtOnce
        harness.finishTurns()
        harness.expect(.commit(.adding(others)), .answer(third, .added(20, already: 0)))
        #expect(harness.log.answer(to: left) == nil && harness.log.answer(to: id) == nil)
    }
}
