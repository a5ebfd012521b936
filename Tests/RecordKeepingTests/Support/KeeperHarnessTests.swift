import Testing

@testable import RecordKeeping

/// The comparison of the effects that a test states with those that the keeper returns.
@Suite struct KeeperHarnessTests {
    private let one = IPAddress(v4: 0x0101_0101)

    @Test func `an effect that the test does not state fails it, at the next event or at the end`() {
        withKnownIssue {
            let harness = KeeperHarness()
            harness.ask(.remove([one]))
        } matching: {
            $0.description.contains("unexpected effects of requested")
        }
        withKnownIssue {
            let harness = KeeperHarness()
            harness.ask(.remove([one]))
            let (id, _) = harness.ask(.remove([one]))
            harness.expect(.answer(id, .refused(.notWatched(one))))
        }
    }

    @Test func `an effect that does not occur, or is another, fails the test`() {
        let harness = KeeperHarness()
        withKnownIssue { harness.expect(.finish) }
        let (id, _) = harness.ask(.remove([one]))
        withKnownIssue { harness.expect(.answer(id, .removed(1))) }
    }

    @Test func `only the named kinds of effects are ignored`() {
        let harness = KeeperHarness(ignoring: [.answer])
        harness.ask(.remove([one]))
        withKnownIssue { harness.expect(.answer(Request.ID(peer: PeerID(number: 1), number: 1), .removed(1)), .turn) }
    }
}
