import Testing

@testable import RecordKeeping

/// Each alert is logged in the journal at least once, even if the process is killed at any moment.
@Suite struct AlertLogTests {
    private let one = addresses(1)[0]

    private func lose(_ story: Story) -> [Effect] {
        story.tell(.routesChanged) + story.pass(.seconds(1)) + story.answerWay(.none(reason: "no route"))
    }

    private func marks(_ commits: [Commit]) -> [Int64] {
        commits.flatMap(\.writes).compactMap { if case .alertsLogged(let seq) = $0 { seq } else { nil } }
    }

    @Test func `committed alerts that were not logged are logged at the next start`() {
        let alerts = [Notice.Kind.networkLost, .failed].enumerated().map {
            Notice(seq: Int64($0 + 6), at: Story.start.wall, kind: $1, message: "no route")
        }
        let story = Story(restored: Restored(lastSeq: 7, unloggedAlerts: alerts))
        #expect(story.log.announced == alerts, "each as it was kept")
        #expect(marks(story.add([one]).commits) == [7], "and the next commit says so")
    }

    @Test func `the next commit saves which alerts are logged, and no commit is made for that alone`() throws {
        let story = try Story.withRecord(of: one)
        let effects = lose(story)
        #expect(effects.announced.map(\.kind) == [.networkLost])
        #expect(marks(effects.commits).isEmpty, "the alert is logged after its commit")
        let seq = story.keeper.ledger.lastSeq
        #expect(story.pass(.seconds(86_400)).commits.isEmpty, "an idle daemon writes nothing")
        #expect(marks(story.add(addresses(1, from: 0x0808_0808)).commits) == [seq])
        #expect(marks(story.add(addresses(1, from: 0x0808_0404)).commits).isEmpty, "once is enough")
    }

    @Test func `an orderly shutdown saves which alerts are logged`() throws {
        let story = try Story.withRecord(of: one)
        _ = lose(story)
        let seq = story.keeper.ledger.lastSeq
        let effects = story.tell(.terminating)
        #expect(marks(effects.commits) == [seq])
        #expect(effects.contains(.finish))
        let quiet = try Story.withRecord(of: one)
        let stop = quiet.tell(.terminating)
        #expect(stop.commits.isEmpty && stop.contains(.finish), "and writes nothing otherwise")
    }

    @Test func `shutdown does not wait for a disk that cannot save the mark`() throws {
        let story = try Story.withRecord(of: one)
        _ = lose(story)
        story.disk = .waits
        #expect(!story.tell(.terminating).contains(.finish), "the commit is under way")
        #expect(story.failToWrite().contains(.finish))
    }

    @Test func `a mark whose commit failed is written with the next commit`() throws {
        let story = try Story.withRecord(of: one)
        _ = lose(story)
        let seq = story.keeper.ledger.lastSeq
        story.disk = .waits
        #expect(marks(story.add(addresses(1, from: 0x0808_0808)).commits) == [seq])
        story.failToWrite()
        story.disk = .writesAtOnce
        #expect(marks(story.add(addresses(1, from: 0x0808_0404)).commits) == [seq])
    }
}
