import Testing

@testable import RecordKeeping

/// The time between a missing route and its report, in which the provider's name is resolved again.
@Suite struct DoubtTests {
    private let two = IPAddress(v4: 0x0202_0202)
    private let interval = Settings.unlimitedProvider.interval
    private let debounce = Settings.unlimitedProvider.debounce

    @Test(arguments: [[IPAddress(v4: 0x0A00_0001)], [IPAddress(v4: 0x0A00_0002)], []])
    func `a loss is declared after the name is resolved and the route is checked again`(resolved: [IPAddress]) throws {
        let harness = try KeeperHarness.withMovingProvider()
        harness.doubtRoute()
        harness.handle(.resolved(resolved))
        #expect(harness.log.lastChecked == (resolved.isEmpty ? [MovingProvider.old] : resolved))
        harness.expect(.checkRoute)
        harness.answerRouteCheck(MovingProvider.noRoute)
        harness.expect(MovingProvider.lost)
    }

    @Test func `nothing is reported if the provider has moved to addresses that have a route`() throws {
        let harness = try KeeperHarness.withMovingProvider()
        let before = harness.keeper.status(at: harness.now)
        harness.doubtRoute()
        harness.pass(.milliseconds(100))
        harness.handle(.resolved([MovingProvider.new]))
        #expect(harness.log.lastChecked == [MovingProvider.new])
        harness.expect(.checkRoute)
        harness.answerRouteCheck(.open)
        harness.pass(.seconds(60))
        let after = harness.keeper.status(at: harness.now)
        #expect(after.isOnline && after.networkSince == before.networkSince)
    }

    @Test func `a resolver that does not answer delays a loss by a quarter of a second at most`() throws {
        let harness = try KeeperHarness.withMovingProvider()
        harness.doubtRoute()
        harness.pass(.milliseconds(250) - .nanoseconds(1))
        harness.pass(.nanoseconds(1))
        harness.expect(MovingProvider.lost)
        // The late answer shows that the provider has moved, which ends the loss.
        harness.handle(.resolved([MovingProvider.new]))
        #expect(harness.log.lastChecked == [MovingProvider.new])
        harness.expect(.checkRoute)
        harness.answerRouteCheck(.open)
        harness.expect(MovingProvider.restored)
    }

    @Test func `a kernel that does not answer the second check delays a loss by a quarter of a second at most`() throws
    {
        let harness = try KeeperHarness.withMovingProvider()
        harness.doubtRoute()
        harness.handle(.resolved([MovingProvider.old]))
        harness.expect(.checkRoute)
        harness.pass(.milliseconds(250))
        harness.expect(MovingProvider.lost)
        harness.answerRouteCheck(MovingProvider.noRoute)
    }

    @Test func `while a loss is in doubt, no call is sent or cancelled, and the status is online`() throws {
        let harness = try KeeperHarness.withMovingProvider()
        let call = try harness.beginCall(for: two)
        harness.doubtRoute()
        let three = IPAddress(v4: 0x0303_0303)
        let (id, _) = harness.ask(.show([three], wait: .seconds(60)))
        harness.pass(.milliseconds(100))
        #expect(harness.keeper.status(at: harness.now).isOnline)
        #expect(harness.show(two)?.failure == nil)
        harness.reply(to: call)
        harness.expect(.commit(.records(of: [two], cohort: 2) + [.health]))
        harness.handle(.resolved([MovingProvider.new]))
        harness.expect(.checkRoute)
        harness.answerRouteCheck(.open)
        harness.expect(.call([three], .single))
        let last = try #require(harness.log.calls.last)
        harness.reply(to: last)
        harness.expect(.commit(.records(of: [three], cohort: 3) + [.health]), .entries(id, [.fresh]))
    }

    @Test func `a route that returns while its loss is in doubt was never lost`() throws {
        let harness = try KeeperHarness.withMovingProvider()
        harness.doubtRoute()
        harness.handle(.routesChanged)
        harness.pass(debounce - .nanoseconds(1))
        harness.answerRouteCheck(.open)
        harness.pass(.nanoseconds(1))
        harness.expect(.checkRoute)
        harness.answerRouteCheck(.open)
        // The answer to the resolution changes nothing.
        harness.handle(.resolved([MovingProvider.old]))
        harness.pass(.seconds(60))
    }

    @Test func `a failure is attributed after the doubt, to the provider or to the loss`() throws {
        for status in [RouteStatus.open, MovingProvider.noRoute] {
            let harness = try KeeperHarness.withMovingProvider()
            let call = try harness.beginCall(for: two)
            harness.fail(call, .timeout)
            harness.expect(.checkRoute)
            harness.answerRouteCheck(MovingProvider.noRoute)
            harness.expect(.resolve)
            harness.handle(.resolved([MovingProvider.old]))
            harness.expect(.checkRoute)
            harness.answerRouteCheck(status)
            harness.discardEffects()
            let expected: PublishedEvent.Kind = status == .open ? .providerFailed : .networkLost
            #expect(harness.log.announced.map(\.kind) == [expected])
        }
    }

    @Test func `a call that fails while a loss is in doubt waits for the end of the doubt`() throws {
        let harness = try KeeperHarness.withMovingProvider()
        let call = try harness.beginCall(for: two)
        harness.doubtRoute()
        harness.fail(call, .unreachable)
        harness.pass(.milliseconds(250))
        harness.expect(MovingProvider.lost)
        #expect(harness.keeper.provider.failure == nil)
    }

    @Test func `a resolution that began before the doubt does not end it`() throws {
        let harness = try KeeperHarness.withMovingProvider(of: nil)
        harness.pass(interval)
        harness.changeRoutes(.open)
        harness.expect(.resolve)
        harness.changeRoutes(MovingProvider.noRoute)
        harness.expect()
        harness.handle(.resolved([MovingProvider.old]))
        harness.expect(.resolve)
        harness.handle(.resolved([MovingProvider.new]))
        #expect(harness.log.lastChecked == [MovingProvider.new])
        harness.expect(.checkRoute)
        harness.answerRouteCheck(.open)
    }

    @Test func `a daemon that is stopped while a loss is in doubt exits after the doubt`() throws {
        let harness = try KeeperHarness.withMovingProvider()
        let call = try harness.beginCall(for: two)
        harness.doubtRoute()
        harness.fail(call, .timeout)
        harness.handle(.terminating)
        harness.expect()
        harness.pass(.milliseconds(250))
        harness.expect(MovingProvider.lost + [.commit([.health, .outage, .alertsLogged(through: 3)]), .finish])
    }
}
