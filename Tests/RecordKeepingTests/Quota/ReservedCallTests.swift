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
}
