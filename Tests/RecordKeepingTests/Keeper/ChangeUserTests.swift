import Testing

@testable import RecordKeeping

/// The user in events of the watch list: the user of the client that caused the event.
@Suite struct ChangeUserTests {
    private let one = IPAddress(v4: 0x0101_0101)
    private let two = IPAddress(v4: 0x0808_0808)

    private func ask(_ harness: KeeperHarness, _ body: Request.Body, as user: UInt32) {
        let id = harness.nextRequest(of: 1)
        harness.handle(.requested(Request(id: id, isByAdministrator: true, user: user, body: body)))
    }

    /// The events that the harness has written, each as its kind, address and user.
    private func written(by harness: KeeperHarness) -> [String] {
        harness.log.commits.flatMap(\.writes).compactMap {
            guard case .event(let event) = $0, let address = event.address else { return nil }
            return "\(event.kind) \(address) \(event.user.map { "\($0)" } ?? "nobody")"
        }
    }

    @Test func `additions and removals carry the user of the client`() {
        let harness = KeeperHarness(ignoring: .all)
        ask(harness, .add([one, two], tags: [], note: nil), as: 1_000)
        ask(harness, .add([one], tags: ["again"], note: nil), as: 1_001)
        ask(harness, .remove([two]), as: 0)
        #expect(written(by: harness) == ["added 1.1.1.1 1000", "added 8.8.8.8 1000", "removed 8.8.8.8 0"])
    }

    @Test func `listeners receive the user`() {
        let harness = KeeperHarness(ignoring: .all)
        let (listener, _) = harness.ask(.monitor(after: nil, EventSelection()))
        ask(harness, .add([one], tags: [], note: nil), as: 1_000)
        #expect(harness.log.reported(to: listener).map(\.user) == [1_000])
    }

    @Test func `events that watch-list files cause carry no user`() {
        let harness = KeeperHarness(ignoring: .all)
        harness.handle(.listsRead(ListReading([ListedAddress(address: one), ListedAddress(address: two)])))
        harness.handle(.listsRead(ListReading([ListedAddress(address: two)])))
        #expect(
            written(by: harness) == ["added 1.1.1.1 nobody", "added 8.8.8.8 nobody", "removed 1.1.1.1 nobody"])
    }
}
