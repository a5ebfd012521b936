import Testing

@testable import RecordKeeping

/// The resolution of the provider's name while the route is lost, and while there is one.
@Suite struct ResolutionTests {
    private let one = IPAddress(v4: 0x0101_0101)
    private let two = IPAddress(v4: 0x0202_0202)
    private let debounce = Settings.unlimitedProvider.debounce
    private let interval = Settings.unlimitedProvider.interval

    /// Returns a keeper whose route is lost.
    private func harnessWithoutRoute() throws -> KeeperHarness {
        let harness = try KeeperHarness.withMovingProvider()
        harness.doubtRoute()
        harness.handle(.resolved([MovingProvider.old]))
        harness.expect(.checkRoute)
        harness.answerRouteCheck(MovingProvider.noRoute)
        harness.expect(MovingProvider.lost)
        return harness
    }

    // MARK: Loss

    @Test func `while the route is lost, the name is resolved at intervals, and new addresses are checked`() throws {
        let harness = try harnessWithoutRoute()
        for _ in 0..<3 {
            harness.pass(.seconds(30) - .nanoseconds(1))
            harness.pass(.nanoseconds(1))
            harness.expect(.resolve)
            harness.handle(.resolved([]))
        }
        harness.pass(.seconds(30))
        harness.expect(.resolve)
        harness.handle(.resolved([MovingProvider.new]))
        #expect(harness.log.lastChecked == [MovingProvider.new])
        harness.expect(.checkRoute)
        harness.answerRouteCheck(.open)
        harness.expect(MovingProvider.restored)
        harness.handle(.resolved([MovingProvider.new]))
        // Nothing is resolved at intervals while there is a route.
        harness.pass(.seconds(60))
    }

    @Test func `a slow resolver is not asked again before it answers`() throws {
        let harness = try harnessWithoutRoute()
        harness.pass(.seconds(30))
        harness.expect(.resolve)
        harness.pass(.seconds(300))
        harness.handle(.resolved([]))
        harness.pass(.seconds(30))
        harness.expect(.resolve)
    }

    @Test func `while the route is lost, route events resolve the name again, at most once a second`() throws {
        let harness = try harnessWithoutRoute()
        harness.pass(.seconds(5))
        harness.changeRoutes(MovingProvider.noRoute)
        harness.expect(.resolve)
        harness.handle(.resolved([]))
        harness.changeRoutes(MovingProvider.noRoute)
        harness.expect()
        harness.changeRoutes(MovingProvider.noRoute)
        harness.expect()
        harness.pass(.seconds(1) - debounce - debounce)
        harness.expect(.resolve)
        harness.handle(.resolved([MovingProvider.old]))
        harness.pass(.seconds(30))
        harness.expect(.resolve)
    }

    @Test func `new addresses without a route do not cause another resolution`() throws {
        let harness = try harnessWithoutRoute()
        harness.pass(.seconds(30))
        harness.expect(.resolve)
        harness.handle(.resolved([MovingProvider.new]))
        harness.expect(.checkRoute)
        harness.answerRouteCheck(MovingProvider.noRoute)
        harness.pass(.seconds(29))
    }

    @Test func `after a restart during a loss, the name is resolved at intervals, too`() {
        let loss = SavedLoss(since: WallTime(milliseconds: 1_799_999_000_000), reason: "no route")
        let harness = KeeperHarness(
            ignoring: .upkeep, restored: Restored(networkLoss: loss), status: MovingProvider.noRoute)
        harness.pass(.seconds(30))
        harness.expect(.resolve)
    }

    // MARK: No loss

    @Test func `an idle daemon does not wake up to resolve the name`() throws {
        let harness = try KeeperHarness.withMovingProvider(of: nil)
        #expect(harness.armed == nil)
        harness.pass(.seconds(86_400))
    }

    @Test func `a call resolves the name if the last resolution is older than the interval`() throws {
        let harness = try KeeperHarness.withMovingProvider(of: nil)
        harness.pass(interval - Limits.gather)
        harness.add([one])
        harness.discardEffects()
        harness.pass(Limits.gather)
        harness.expect(.commit([.health]), .call([one], .single), .resolve)
        harness.add([two])
        harness.discardEffects()
        harness.pass(.seconds(60))
        harness.expect(.commit([.health]), .call([two], .batch))
        harness.handle(.resolved([MovingProvider.new]))
        #expect(harness.log.lastChecked == [MovingProvider.new])
        harness.expect(.checkRoute)
        harness.answerRouteCheck(.open)
    }

    @Test func `a route event resolves the name if the last resolution is older than the interval`() throws {
        let harness = try KeeperHarness.withMovingProvider(of: nil)
        harness.pass(interval - debounce - .nanoseconds(1))
        harness.changeRoutes(.open)
        harness.expect()
        harness.pass(.nanoseconds(1))
        harness.changeRoutes(.open)
        harness.expect(.resolve)
        harness.handle(.resolved([MovingProvider.new]))
        harness.expect(.checkRoute)
        harness.answerRouteCheck(.open)
        harness.changeRoutes(.open)
    }
}
