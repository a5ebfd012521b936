import Testing

@testable import RecordKeeping

/// Each alert is logged in the journal at least once, even if the process is killed at any moment.
@Suite struct AlertLogTests {
    private let one = addresses(1)[0]

    private func lose(_ harness: KeeperHarness) -> [Effect] {
        harness.handle(.routesChanged) + harness.pass(.seconds(1)) + harness.answerRouteCheck(.none(reason: "no route"))
    }

    private func marks(_ commits: [Commit]) -> [Int64] {
        commits.flatMap(\.writes).compactMap { if case .alertsLogged(let seq) = $0 { seq } else { nil } }
    }

    @Test func `committed alerts that were not logged are logged at the next start`() {
        let alerts = [PublishedEvent.Kind.networkLost, .failed].enumerated().map {
            PublishedEvent(seq: Int64($0 + 6), at: KeeperHarness.start.wall, kind: $1, message: "no route")
        }
        let harness = KeeperHarness(ignoring: .all, restored: Restored(lastSeq: 7, unloggedAlerts: alerts))
        #expect(harness.log.announced == alerts, "alerts are logged unchanged")
        #expect(marks(harness.add([one]).commits) == [7], "the next commit saves that they are logged")
    }

    @Test func `the next commit saves which alerts are logged, and no commit is made for that alone`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .all, of: one)
        let effects = lose(harness)
        #expect(effects.announced.map(\.kind) == [.networkLost])
        #expect(marks(effects.commits).isEmpty, "the alert is logged after its commit")
        let seq = harness.keeper.commitQueue.lastSeq
        #expect(harness.pass(.seconds(86_400)).commits.isEmpty, "an idle daemon writes nothing")
        #expect(marks(harness.add(addresses(1, from: 0x0808_0808)).commits) == [seq])
        #expect(marks(harness.add(addresses(1, from: 0x0808_0404)).commits).isEmpty, "the mark is saved once")
    }

    @Test func `an orderly shutdown saves which alerts are logged`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .all, of: one)
        _ = lose(harness)
        let seq = harness.keeper.commitQueue.lastSeq
        let effects = harness.handle(.terminating)
        #expect(marks(effects.commits) == [seq])
        #expect(effects.contains(.finish))
        let quiet = try KeeperHarness.withRecord(ignoring: .all, of: one)
        let stop = quiet.handle(.terminating)
        #expect(stop.commits.isEmpty && stop.contains(.finish), "nothing is written without unlogged alerts")
    }

    @Test func `shutdown does not wait for a disk that cannot save the mark`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .all, of: one)
        _ = lose(harness)
        harness.disk = .waits
        #expect(!harness.handle(.terminating).contains(.finish), "a commit is in flight")
        #expect(harness.failToWrite().contains(.finish))
    }

    @Test func `a mark whose commit failed is written with the next commit`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .all, of: one)
        _ = lose(harness)
        let seq = harness.keeper.commitQueue.lastSeq
        harness.disk = .waits
        #expect(marks(harness.add(addresses(1, from: 0x0808_0808)).commits) == [seq])
        harness.failToWrite()
        harness.disk = .writesAtOnce
        #expect(marks(harness.add(addresses(1, from: 0x0808_0404)).commits) == [seq])
    }
}
