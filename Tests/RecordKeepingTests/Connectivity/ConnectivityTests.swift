import Testing

@testable import RecordKeeping

@Suite struct ConnectivityTests {
    private let one = IPAddress(v4: 0x0101_0101)
    private let debounce = Settings.unlimitedProvider.debounce

    /// Reports a route change, waits for the debounce time, and reports that there is no route.
    private func lose(_ harness: KeeperHarness) -> [Effect] {
        harness.handle(.routesChanged)
        return harness.pass(debounce) + harness.answerRouteCheck(.none(reason: "network is unreachable"))
    }

    @Test func `a burst of route events causes one route check, after the debounce time`() {
        let harness = KeeperHarness(ignoring: .all)
        var effects: [Effect] = []
        for _ in 0..<100 { effects += harness.handle(.routesChanged) }
        effects += harness.pass(debounce - .nanoseconds(1))
        #expect(effects.questions.isEmpty)
        #expect(harness.pass(.nanoseconds(1)).questions.count == 1)
        #expect(harness.pass(.seconds(60)).questions.isEmpty)
    }

    @Test func `continuous route events do not delay the route check indefinitely`() {
        let harness = KeeperHarness(ignoring: .all)
        var questions = 0
        for _ in 0..<100 {
            questions += harness.handle(.routesChanged).questions.count
            questions += harness.pass(.milliseconds(10)).questions.count
        }
        #expect((3...4).contains(questions), "route checks in a second, at most one every 250 ms: \(questions)")
    }

    @Test func `the loss of the route is announced once, and so is its return`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .all, of: one)
        #expect(lose(harness).announced.map(\.kind) == [.networkLost])
        #expect(lose(harness).announced.isEmpty)
        harness.handle(.routesChanged)
        harness.pass(debounce)
        #expect(harness.answerRouteCheck(.open).announced.map(\.kind) == [.networkRestored])
        #expect(harness.answerRouteCheck(.open).announced.isEmpty)
    }

    @Test func `the reported duration of a loss does not depend on the wall clock`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .all, of: one)
        _ = lose(harness)
        harness.pass(.seconds(45))
        harness.stepWallClock(by: .seconds(-7_200))
        let reported = harness.answerRouteCheck(.open).announced.first?.message
        #expect(reported?.hasSuffix("restored after 45 s") == true, "\(reported ?? "nothing")")
    }

    @Test func `nothing is announced if the route remains`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .all, of: one)
        harness.handle(.routesChanged)
        let effects = harness.pass(debounce) + harness.answerRouteCheck(.open)
        #expect(effects.announced.isEmpty)
    }

    @Test func `without a route no call is made, and records are shown as stale once they expire`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .all, of: one)
        _ = lose(harness)
        let effects = harness.pass(.seconds(3_600))
        #expect(effects.calls.isEmpty)
        let (id, shown) = harness.ask(.show([one], wait: .seconds(5)))
        guard case .entries(let views)? = shown.answer(to: id) else { return #expect(Bool(false)) }
        #expect(views.map(\.state) == [.stale])
        #expect(views[0].failure?.kind == .offline)
        #expect(views[0].entry.scan?.answer.record == .example)
        harness.answerRouteCheck(.open)
        #expect(harness.log.calls.last?.addresses == [one])
    }

    @Test func `before the name is resolved, a missing global route is not a loss`() {
        let harness = KeeperHarness(ignoring: .all, status: nil, isResolved: false)
        harness.add([one])
        #expect(harness.answerRouteCheck(.none(reason: "no route")).announced.isEmpty)
        #expect(harness.show(one)?.state == .loading, "the provider's address is still unknown")
        let effects = harness.handle(.resolved([IPAddress(v4: 0x7F00_0001)]))
        #expect(effects.questions == [[IPAddress(v4: 0x7F00_0001)]])
        #expect(harness.answerRouteCheck(.open).announced.isEmpty)
        #expect(harness.pass(Limits.gather).calls.map(\.addresses) == [[one]])
    }

    @Test func `if the name cannot be resolved, a missing global route is a loss`() {
        let harness = KeeperHarness(ignoring: .all, status: nil, isResolved: false)
        harness.answerRouteCheck(.none(reason: "no route"))
        #expect(harness.handle(.resolved([])).questions.count == 1)
        #expect(harness.answerRouteCheck(.none(reason: "no route")).announced.map(\.kind) == [.networkLost])
        #expect(harness.handle(.resolved([])).questions.isEmpty)
    }

    @Test func `a late result of an earlier route check is ignored`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .all, of: one)
        let old = harness.keeper.connectivity.epoch
        harness.handle(.routesChanged)
        harness.pass(debounce)
        #expect(harness.handle(.routeChecked(epoch: old, .none(reason: "late"))).announced.isEmpty)
        #expect(harness.answerRouteCheck(.open).announced.isEmpty)
    }

    @Test func `a call that fails because the route was lost does not count against the provider`() throws {
        let harness = KeeperHarness(ignoring: .all)
        harness.add([one])
        let call = try #require(harness.pass(Limits.gather).calls.first)
        let asked = harness.fail(call, .unreachable)
        #expect(asked.announced.isEmpty && asked.questions.count == 1)
        let effects = harness.answerRouteCheck(.none(reason: "no route"))
        #expect(effects.announced.map(\.kind) == [.networkLost])
        #expect(harness.show(one)?.failure?.kind == .offline)
        harness.answerRouteCheck(.open)
        #expect(harness.pass(Limits.gather).calls.map(\.addresses) == [[one]], "the call is repeated without a backoff")
    }

    @Test func `calls in flight are cancelled when the route is lost`() throws {
        let harness = KeeperHarness(ignoring: .all)
        harness.add([one])
        let call = try #require(harness.pass(Limits.gather).calls.first)
        #expect(lose(harness).contains(.cancel(call.id)))
        #expect(harness.fail(call, .timeout).announced.isEmpty)
        harness.answerRouteCheck(.open)
        #expect(harness.pass(Limits.gather).calls.count == 1)
    }

    @Test func `waiting callers get a reply at once when the route is lost`() throws {
        let harness = KeeperHarness(ignoring: .all)
        let (id, _) = harness.ask(.show([one], wait: .seconds(60)))
        let answer = lose(harness).answer(to: id)
        guard case .entries(let views)? = answer else { return #expect(Bool(false)) }
        #expect(views.map(\.failure?.kind) == [.offline])
    }

    @Test func `a loss survives a restart and is not announced again`() throws {
        let loss = SavedLoss(since: WallTime(milliseconds: 1_799_999_000_000), reason: "no route")
        let harness = KeeperHarness(ignoring: .all, restored: Restored(networkLoss: loss), status: nil)
        #expect(harness.answerRouteCheck(.none(reason: "no route")).announced.isEmpty)
        #expect(harness.answerRouteCheck(.open).announced.map(\.kind) == [.networkRestored])
    }

    @Test func `no call is made before the first route check, and a route is assumed if the check is impossible`() {
        let harness = KeeperHarness(ignoring: .all, status: nil)
        harness.add([one])
        #expect(harness.pass(.seconds(1)).calls.isEmpty)
        #expect(harness.answerRouteCheck(.unknown(reason: "not permitted")).calls.count == 1)
    }

    @Test func `a loss is logged even if the disk is full`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .all, of: one)
        harness.disk = .waits
        var effects = lose(harness)
        #expect(effects.announced.isEmpty)
        effects = harness.failToWrite()
        #expect(effects.announced.map(\.kind) == [.networkLost])
        harness.pass(.seconds(60))
        #expect(harness.write().announced.isEmpty, "the alert is logged once")
    }
}

extension [Effect] {
    /// The addresses of each route check.
    fileprivate var questions: [[IPAddress]] {
        compactMap { if case .checkRoute(_, let targets) = $0 { targets } else { nil } }
    }
}
