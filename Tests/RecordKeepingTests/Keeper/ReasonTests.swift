import Testing

@testable import RecordKeeping

/// The reasons why entries have no fresh record, and the times of the next attempts.
@Suite struct ReasonTests {
    private let one = IPAddress(v4: 0x0808_0808)
    private let many = addresses(300)

    /// Returns the reply to a `Status` call. The reply needs no expectation.
    private func status(_ harness: KeeperHarness) -> StatusView? {
        let (id, effects) = harness.ask(.status)
        harness.consume { if case .answer(id, .status) = $0 { true } else { false } }
        guard case .status(let status)? = effects.answer(to: id) else { return nil }
        return status
    }

    /// Returns a harness that watches 300 addresses, of which 199 wait for the next window: their provider allowed one
    /// call to each endpoint. The windows end after 50 s, plus a second for rounding.
    private func harnessWithoutQuota() throws -> KeeperHarness {
        let harness = KeeperHarness(ignoring: .fetching)
        let exhausted = ReportedQuota(remaining: 0, resetsIn: .seconds(50))
        let batch = try #require(harness.add(many).calls.first)
        harness.discardEffects()
        let single = try #require(harness.reply(to: batch, quota: exhausted).calls.first)
        harness.reply(to: single, quota: exhausted)
        #expect(batch.addresses.count == 100 && single.addresses.count == 1)
        return harness
    }

    @Test func `an entry that waits for the next window says so, and when the window begins`() throws {
        let harness = try harnessWithoutQuota()
        let lastCallAt = harness.now.wall
        harness.pass(.seconds(5))
        let view = try #require(harness.show(many[200]))
        #expect(view.state == .loading, "no call has failed")
        #expect(view.failure?.kind == .quotaExhausted && view.failure?.attempts == 0)
        #expect(view.failure?.at.wall == lastCallAt)
        #expect(view.nextAttemptAt == harness.now.wall + .seconds(46))
        #expect(harness.show(many[0])?.failure == nil, "its record is fresh")
    }

    @Test func `a stale record that waits for the next window has a reason, and keeps its data`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .fetching, of: one)
        harness.pass(.seconds(299))
        let exhausted = ReportedQuota(remaining: 0, resetsIn: .seconds(50))
        let batch = try #require(harness.add(many).calls.first)
        harness.discardEffects()
        var open = harness.reply(to: batch, quota: exhausted).calls
        while let call = open.popLast() { open += harness.reply(to: call, quota: exhausted).calls }
        harness.pass(.seconds(5))
        let view = try #require(harness.show(one))
        #expect(view.state == .stale && view.entry.scan?.answer.record == .example)
        #expect(view.failure?.kind == .quotaExhausted && view.nextAttemptAt != nil)
    }

    @Test func `an entry that waits for calls in flight has no reason`() throws {
        let harness = KeeperHarness(ignoring: .fetching)
        harness.add(many)
        harness.discardEffects()
        let view = try #require(harness.show(many[200]))
        #expect(view.state == .loading && view.failure == nil && view.nextAttemptAt == nil)
    }

    @Test func `a caller gets the reason at once if the next window begins too late, and waits otherwise`() throws {
        let harness = try harnessWithoutQuota()
        let (early, effects) = harness.ask(.show([one], wait: .seconds(5)))
        harness.expect(.entries(early, [.loading]))
        guard case .entries(let views)? = effects.answer(to: early) else { return #expect(Bool(false)) }
        #expect(views.first?.failure?.kind == .quotaExhausted)
        let (late, _) = harness.ask(.show([many[200]], wait: .seconds(60)))
        harness.expect()
        let calls = harness.pass(.seconds(52)).calls
        let call = try #require(calls.first { $0.addresses.contains(many[200]) })
        harness.reply(to: call)
        harness.expect(.entries(late, [.fresh]))
    }

    @Test func `an entry whose calls are kept for lookups says so, and when they are released`() throws {
        let harness = KeeperHarness(ignoring: .fetching, settings: Settings())
        var provider = CountedProvider()
        let (lookup, _) = harness.ask(.show([one], wait: .seconds(5)))
        harness.expect()
        provider.answer(harness.pass(Limits.gather).calls, in: harness, resetsIn: .seconds(59))
        harness.expect(.entries(lookup, [.fresh]))
        let watched = addresses(3_000)
        let calls = harness.add(watched).calls
        harness.discardEffects()
        provider.answer(calls, in: harness, resetsIn: .seconds(59))
        #expect(provider.left == [.single: 14, .batch: 5], "a third of both windows is kept")
        let called = Set(provider.answered.flatMap(\.addresses))
        let waiting = try #require(watched.first { !called.contains($0) })
        harness.pass(.seconds(4))
        let view = try #require(harness.show(waiting))
        #expect(view.state == .loading && view.failure?.kind == .quotaExhausted)
        #expect(view.nextAttemptAt == harness.now.wall + .seconds(50), "shortly before the windows end")
        let health = try #require(status(harness)?.provider)
        #expect(health.state == .ok && health.message?.contains("quota is used up") == true)
        #expect(harness.pass(.milliseconds(49_999)).calls.isEmpty)
        #expect(!harness.pass(.milliseconds(1)).calls.isEmpty)
    }

    @Test func `waiting for the next window is not a failure of the provider`() throws {
        let harness = try harnessWithoutQuota()
        let provider = try #require(status(harness)?.provider)
        #expect(provider.state == .ok)
        #expect(provider.message?.contains("quota is used up") == true)
        var open = harness.pass(.seconds(52)).calls
        let plenty = ReportedQuota(remaining: 40, resetsIn: .seconds(60))
        while let call = open.popLast() { open += harness.reply(to: call, quota: plenty).calls }
        #expect(try #require(status(harness)?.provider).message == nil, "nothing waits")
    }

    @Test func `while commits fail, stale and loading entries name the store and the next attempt`() throws {
        let two = IPAddress(v4: 0x0909_0909)
        let harness = try KeeperHarness.withRecord(ignoring: .upkeep, of: one)
        harness.disk = .waits
        harness.ask(.add([two], tags: [], note: nil))
        harness.discardEffects()
        harness.failToWrite("disk full")
        harness.discardEffects()
        let failedAt = harness.now
        #expect(status(harness)?.storeFailure == "disk full")
        let view = try #require(harness.show(two))
        #expect(view.state == .loading && view.failure?.kind == .storeFailed)
        #expect(view.failure?.message.contains("disk full") == true)
        #expect(view.failure?.at == failedAt && view.failure?.attempts == 1)
        let next = try #require(view.nextAttemptAt)
        #expect((.zero ... .seconds(1)).contains(next - harness.now.wall))
        #expect(harness.show(one)?.failure == nil, "its record is still fresh")
        for _ in 0..<6 {
            harness.pass(.seconds(60))
            harness.discardEffects()
            harness.failToWrite("disk full")
            harness.discardEffects()
        }
        let stale = try #require(harness.show(one))
        #expect(stale.state == .stale && stale.failure?.kind == .storeFailed && stale.nextAttemptAt != nil)
        harness.pass(.seconds(61))
        harness.discardEffects()
        harness.write()
        harness.discardEffects()
        #expect(harness.show(one)?.failure == nil)
        #expect(try #require(status(harness)).storeFailure == nil)
    }
}
