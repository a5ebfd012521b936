import Testing

@testable import RecordKeeping

@Suite struct ConnectivityTests {
    private let one = IPAddress(v4: 0x0101_0101)
    private let debounce = Settings.unlimitedProvider.debounce

    /// Reports a route change, waits for the debounce time, and reports that there is no route.
    @discardableResult
    private func lose(_ harness: KeeperHarness) -> [Effect] {
        harness.handle(.routesChanged)
        harness.pass(debounce)
        harness.expect(.checkRoute)
        return harness.loseRoute("network is unreachable")
    }

    @Test func `a burst of route events causes one route check, after the debounce time`() {
        let harness = KeeperHarness(ignoring: .upkeep)
        for _ in 0..<100 { harness.handle(.routesChanged) }
        harness.pass(debounce - .nanoseconds(1))
        harness.pass(.nanoseconds(1))
        harness.expect(.checkRoute)
        harness.pass(.seconds(60))
    }

    @Test func `continuous route events do not delay the route check indefinitely`() {
        let harness = KeeperHarness(ignoring: [.timer, .routeCheck])
        var questions = 0
        for _ in 0..<100 {
            questions += harness.handle(.routesChanged).questions.count
            questions += harness.pass(.milliseconds(10)).questions.count
        }
        #expect((3...4).contains(questions), "route checks in a second, at most one every 250 ms: \(questions)")
    }

    @Test func `the loss of the route is announced once, and so is its return`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .upkeep, of: one)
        lose(harness)
        harness.expect(.commit([.event(.networkLost), .health, .outage]), .log(.networkLost))
        for status in [RouteStatus.none(reason: "network is unreachable"), .open] {
            harness.handle(.routesChanged)
            harness.pass(debounce)
            harness.expect(.checkRoute)
            harness.answerRouteCheck(status)
        }
        harness.expect(
            .resolve, .commit([.event(.networkRestored), .health, .outage, .alertsLogged(through: 2)]),
            .log(.networkRestored))
        harness.answerRouteCheck(.open)
    }

    @Test func `the reported duration of a loss does not depend on the wall clock`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .upkeep, of: one)
        lose(harness)
        harness.discardEffects()
        harness.pass(.seconds(45))
        harness.expect(.resolve)
        harness.stepWallClock(by: .seconds(-7_200))
        let reported = harness.answerRouteCheck(.open).announced.first?.message
        #expect(reported?.hasSuffix("restored after 45 s") == true, "\(reported ?? "nothing")")
        harness.expect(
            .resolve, .commit([.event(.networkRestored), .health, .outage, .alertsLogged(through: 2)]),
            .log(.networkRestored))
    }

    @Test func `nothing is announced if the route remains`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .upkeep, of: one)
        harness.handle(.routesChanged)
        harness.pass(debounce)
        harness.expect(.checkRoute)
        harness.answerRouteCheck(.open)
    }

    @Test func `without a route no call is made, and records are shown as stale once they expire`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .upkeep, of: one)
        lose(harness)
        harness.discardEffects()
        harness.pass(.seconds(3_600))
        harness.expect(Array(repeating: .resolve, count: 120))
        let (id, shown) = harness.ask(.show([one], wait: .seconds(5)))
        harness.expect(.entries(id, [.stale]))
        guard case .entries(let views)? = shown.answer(to: id) else { return #expect(Bool(false)) }
        #expect(views.map(\.state) == [.stale])
        #expect(views[0].failure?.kind == .offline)
        #expect(views[0].entry.scan?.answer.record == .example)
        harness.answerRouteCheck(.open)
        harness.expect(
            .resolve, .commit([.event(.networkRestored), .health, .outage, .history, .alertsLogged(through: 2)]),
            .call([one], .single), .log(.networkRestored))
    }

    @Test func `before the name is resolved, a missing global route is not a loss`() {
        let harness = KeeperHarness(ignoring: .upkeep, status: nil, isResolved: false)
        harness.add([one])
        harness.discardEffects()
        harness.answerRouteCheck(.none(reason: "no route"))
        #expect(harness.show(one)?.state == .loading, "the provider's address is still unknown")
        let effects = harness.handle(.resolved([IPAddress(v4: 0x7F00_0001)]))
        #expect(effects.questions == [[IPAddress(v4: 0x7F00_0001)]])
        harness.expect(.checkRoute)
        harness.answerRouteCheck(.open)
        harness.pass(Limits.gather)
        harness.expect(.commit([.health]), .call([one], .single))
    }

    @Test func `if the name cannot be resolved, a missing global route is a loss`() {
        let harness = KeeperHarness(ignoring: .upkeep, status: nil, isResolved: false)
        harness.answerRouteCheck(.none(reason: "no route"))
        harness.handle(.resolved([]))
        harness.expect(.checkRoute)
        harness.answerRouteCheck(.none(reason: "no route"))
        harness.expect(.commit([.event(.networkLost), .health, .outage, .history]), .log(.networkLost))
        harness.handle(.resolved([]))
    }

    @Test func `a late result of an earlier route check is ignored`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .upkeep, of: one)
        let old = harness.keeper.connectivity.epoch
        harness.handle(.routesChanged)
        harness.pass(debounce)
        harness.expect(.checkRoute)
        harness.handle(.routeChecked(epoch: old, .none(reason: "late")))
        harness.answerRouteCheck(.open)
    }

    @Test func `a call that fails because the route was lost does not count against the provider`() throws {
        let harness = KeeperHarness(ignoring: .upkeep)
        harness.add([one])
        harness.discardEffects()
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.expect(.commit([.health]), .call([one], .single))
        harness.fail(call, .unreachable)
        harness.expect(.checkRoute)
        harness.loseRoute()
        harness.expect(.commit([.event(.networkLost), .health, .outage]), .log(.networkLost))
        #expect(harness.show(one)?.failure?.kind == .offline)
        harness.answerRouteCheck(.open)
        harness.discardEffects()
        harness.pass(Limits.gather)
        harness.expect(.commit([.health, .alertsLogged(through: 3)]), .call([one], .single))
    }

    @Test func `calls in flight are cancelled when the route is lost`() throws {
        let harness = KeeperHarness(ignoring: .upkeep)
        harness.add([one])
        harness.discardEffects()
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.expect(.commit([.health]), .call([one], .single))
        lose(harness)
        harness.expect(.cancel(call.id), .commit([.event(.networkLost), .health, .outage]), .log(.networkLost))
        harness.fail(call, .timeout)
        harness.answerRouteCheck(.open)
        harness.expect(
            .resolve, .commit([.event(.networkRestored), .health, .outage, .alertsLogged(through: 2)]),
            .log(.networkRestored))
        harness.pass(Limits.gather)
        harness.expect(.commit([.health, .alertsLogged(through: 3)]), .call([one], .single))
    }

    @Test func `waiting callers get a reply at once when the route is lost`() throws {
        let harness = KeeperHarness(ignoring: .upkeep)
        let (id, _) = harness.ask(.show([one], wait: .seconds(60)))
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.expect(.commit([.health, .history]), .call([one], .single))
        let answer = lose(harness).answer(to: id)
        harness.expect(
            .cancel(call.id), .entries(id, [.failed]), .commit([.event(.networkLost), .health, .outage]),
            .log(.networkLost))
        guard case .entries(let views)? = answer else { return #expect(Bool(false)) }
        #expect(views.map(\.failure?.kind) == [.offline])
    }

    @Test func `a loss survives a restart and is not announced again`() throws {
        let loss = SavedLoss(since: WallTime(milliseconds: 1_799_999_000_000), reason: "no route")
        let harness = KeeperHarness(ignoring: .upkeep, restored: Restored(networkLoss: loss), status: nil)
        harness.answerRouteCheck(.none(reason: "no route"))
        harness.expect()
        harness.answerRouteCheck(.open)
        harness.expect(
            .resolve, .commit([.event(.networkRestored), .health, .outage, .history]), .log(.networkRestored))
    }

    @Test func `no call is made before the first route check, and a route is assumed if the check is impossible`() {
        let harness = KeeperHarness(ignoring: .upkeep, status: nil)
        harness.add([one])
        harness.discardEffects()
        harness.pass(.seconds(1))
        harness.answerRouteCheck(.unknown(reason: "not permitted"))
        harness.expect(.commit([.health]), .call([one], .single))
    }

    @Test func `a loss is logged even if the disk is full`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .upkeep, of: one)
        harness.disk = .waits
        lose(harness)
        let commit = EffectOutline.commit([.event(.networkLost), .health, .outage])
        harness.expect(commit)
        harness.failToWrite()
        harness.expect(.logStoreFailure(reason: "disk full"), .log(.networkLost))
        harness.pass(.seconds(60))
        harness.expect(commit, .resolve, .resolve)
        // The alert is logged once.
        harness.write()
        harness.expect(.logStoreRecovery)
    }
}

extension [Effect] {
    /// The addresses of each route check.
    fileprivate var questions: [[IPAddress]] {
        compactMap { if case .checkRoute(_, let targets) = $0 { targets } else { nil } }
    }
}
