import Testing

@testable import RecordKeeping

/// Calls that wait until their reservation is on disk.
@Suite struct ReservedCallTests {
    private let one = IPAddress(v4: 0x0101_0101)

    @Test func `a call is reserved at one endpoint, even if another event occurs before the reservation is on disk`() {
        let harness = KeeperHarness()
        harness.add([one])
        harness.discardEffects()
        harness.disk = .waits
        harness.pass(Limits.gather)
        harness.expect(.commit([.health]))
        harness.handle(.clockStepped)
        harness.write()
        harness.expect(.call([one], .single))
    }

    @Test func `the timer is not armed for the end of a window if nothing is due`() throws {
        let settings = Settings(providerName: "ip-api.com", documentedLimits: [.single: 45, .batch: 15])
        let harness = KeeperHarness(settings: settings)
        let (id, _) = harness.ask(.show([one], wait: .seconds(1)))
        harness.expect(.timer(in: Limits.gather))
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.expect(
            .commit([.health, .history]), .timer(in: .seconds(1) - Limits.gather), .call([one], .single))
        harness.reply(to: call, quota: ReportedQuota(remaining: 44, resetsIn: .seconds(60)))
        harness.expect(
            .commit(.records(of: [one], cohort: 1) + [.health]), .status(watched: 0, .ok), .entries(id, [.fresh]),
            .timer(in: settings.interval))
    }
}
