import Testing

@testable import RecordKeeping

/// Each alert is logged in the journal at least once, even if the process is killed at any moment.
@Suite struct AlertLogTests {
    private let one = addresses(1)[0]
    private let two = IPAddress(v4: 0x0808_0808)
    private let three = IPAddress(v4: 0x0808_0404)

    /// Loses the route, with event 2 of the log.
    private func lose(_ harness: KeeperHarness) {
        let (debounce, interval) = (harness.keeper.settings.debounce, harness.keeper.settings.interval)
        harness.handle(.routesChanged)
        harness.expect(.timer(in: debounce))
        harness.pass(debounce)
        harness.expect(.checkRoute, .timer(in: interval - debounce))
        harness.loseRoute()
        // The alert is logged after its commit, which therefore does not save that it is logged.
        harness.expect(
            .commit([.event(.networkLost), .health, .outage]), .status(watched: 1, .ok, isOffline: true),
            .timer(in: Limits.resolutionRetry), .log(.networkLost))
        #expect(harness.keeper.commitQueue.lastSeq == 2)
    }

    @Test func `committed alerts that were not logged are logged at the next start`() {
        let alerts = [PublishedEvent.Kind.networkLost, .failed].enumerated().map {
            PublishedEvent(seq: Int64($0 + 6), at: KeeperHarness.start.wall, kind: $1, message: "no route")
        }
        let harness = KeeperHarness(restored: Restored(lastSeq: 7, unloggedAlerts: alerts))
        #expect(harness.log.announced == alerts, "alerts are logged unchanged")
        let (id, _) = harness.ask(.add([one], tags: [], note: nil))
        // The next commit saves that they are logged.
        harness.expect(
            .commit(.adding([one]) + [.history, .alertsLogged(through: 7)]), .answer(id, .added(1, already: 0)),
            .status(watched: 1, .idle), .timer(in: Limits.gather))
    }

    @Test func `the next commit saves which alerts are logged, and no commit is made for that alone`() throws {
        let harness = try KeeperHarness.withRecord(of: one)
        lose(harness)
        // A daemon without a route resolves the provider's name, and writes nothing.
        harness.pass(.seconds(86_400))
        harness.consume { if case .timer = $0 { true } else { $0 == .resolve } }
        harness.expect()
        let (second, _) = harness.ask(.add([two], tags: [], note: nil))
        harness.expect(
            .commit(.adding([two]) + [.history, .alertsLogged(through: 2)]), .answer(second, .added(1, already: 0)),
            .status(watched: 2, .ok, isOffline: true))
        // The mark is saved once.
        let (third, _) = harness.ask(.add([three], tags: [], note: nil))
        harness.expect(
            .commit(.adding([three])), .answer(third, .added(1, already: 0)),
            .status(watched: 3, .ok, isOffline: true))
    }

    @Test func `an orderly shutdown saves which alerts are logged`() throws {
        let harness = try KeeperHarness.withRecord(of: one)
        lose(harness)
        harness.handle(.terminating)
        harness.expect(
            .commit([.health, .outage, .alertsLogged(through: 2)]), .timer(in: .seconds(3)), .finish, .stopTimer)
    }

    @Test func `a shutdown without unlogged alerts writes nothing`() throws {
        let harness = try KeeperHarness.withRecord(of: one)
        harness.handle(.terminating)
        harness.expect(.finish, .stopTimer)
    }

    @Test func `shutdown does not wait for a disk that cannot save the mark`() throws {
        let harness = try KeeperHarness.withRecord(of: one)
        lose(harness)
        harness.disk = .waits
        harness.handle(.terminating)
        harness.expect(.commit([.health, .outage, .alertsLogged(through: 2)]), .timer(in: .seconds(3)))
        harness.failToWrite()
        harness.expect(.logStoreFailure(reason: "disk full"), .finish, .stopTimer)
    }

    @Test func `a mark whose commit failed is written with the next commit`() throws {
        // The delay of the next attempt is random.
        let harness = try KeeperHarness.withRecord(ignoring: [.timer], of: one)
        lose(harness)
        harness.disk = .waits
        let (second, _) = harness.ask(.add([two], tags: [], note: nil))
        harness.expect(.commit(.adding([two]) + [.alertsLogged(through: 2)]))
        harness.failToWrite()
        harness.expect(.logStoreFailure(reason: "disk full"), .answer(second, .refused(.storeFailed("disk full"))))
        harness.disk = .writesAtOnce
        let (third, _) = harness.ask(.add([three], tags: [], note: nil))
        // A commit after a failure saves the route state, too.
        harness.expect(
            .commit(.adding([three]) + [.health, .outage, .alertsLogged(through: 2)]), .logStoreRecovery,
            .answer(third, .added(1, already: 0)), .status(watched: 2, .ok, isOffline: true))
    }
}
