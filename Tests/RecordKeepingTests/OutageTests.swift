import Testing

@testable import RecordKeeping

/// The log of outages.
struct OutageTests {
    private let one = IPAddress(v4: 0x0101_0101)
    private let settle = Settings.unlimitedProvider.settle

    private func lose(_ story: Story) {
        story.tell(.routesChanged)
        story.pass(settle)
        story.answerWay(.none(reason: "network is unreachable"))
    }

    private func restore(_ story: Story) {
        story.tell(.routesChanged)
        story.pass(settle)
        story.answerWay(.open)
    }

    /// The outages on disk, each as it was last written.
    private func written(_ story: Story) -> [Outage] {
        var outages: [Int64: Outage] = [:]
        for commit in story.log.commits {
            for case .outage(let outage) in commit.writes { outages[outage.number] = outage }
        }
        return outages.values.sorted { $0.number < $1.number }
    }

    @Test func `an outage is written when it begins and when it ends, with its number of deferred refreshes`() throws {
        let story = try Story.withRecord(of: one)
        lose(story)
        let began = story.now.wall
        #expect(written(story).map(\.until) == [nil])
        story.pass(Settings.unlimitedProvider.interval)
        restore(story)
        let outage = try #require(written(story).first)
        #expect(
            outage
                == Outage(
                    number: 1, since: began, until: story.now.wall, cause: .network, message: "network is unreachable",
                    deferred: 1))
    }

    @Test func `a failing provider is one outage, and the loss of the route during it is another`() throws {
        let story = Story()
        let call = try #require(story.add([one]).calls.first ?? story.pass(Limits.gather).calls.first)
        story.fail(call, .rejected)
        #expect(written(story).map(\.cause) == [.provider])
        #expect(written(story).map(\.deferred) == [1])
        lose(story)
        #expect(written(story).map(\.cause) == [.provider, .network])
        #expect(written(story).map { $0.until == nil } == [false, true])
        restore(story)
        var calls = story.pass(.seconds(61)).calls
        if calls.isEmpty { calls = story.log.calls.suffix(1) }
        story.reply(to: try #require(calls.last))
        #expect(written(story).allSatisfy { $0.until != nil })
    }

    @Test func `an outage reports its first failure and the latest kind of failure`() throws {
        let story = Story()
        var call = try #require(story.add([one]).calls.first ?? story.pass(Limits.gather).calls.first)
        story.fail(call, .throttled, message: "HTTP status 429")
        #expect(written(story).map(\.message) == ["HTTP status 429"])
        call = try #require(story.pass(.seconds(61)).calls.first)
        story.fail(call, .unauthorized, message: "banned")
        #expect(written(story).map(\.message) == ["HTTP status 429; then banned"])
        #expect(written(story).map(\.until) == [nil], "it is one outage all the same")
    }

    @Test func `an outage continues after a restart, or ends with it`() throws {
        let since = WallTime(milliseconds: 1_799_999_000_000)
        let outage = Outage(number: 4, since: since, cause: .network, message: "no route", deferred: 3)
        let loss = SavedLoss(since: since, reason: "no route")
        let lost = Story(restored: Restored(networkLoss: loss, outage: outage, lastOutage: 4), way: nil)
        #expect(lost.keeper.outages.current == outage)
        restore(lost)
        #expect(written(lost).map(\.number) == [4])
        #expect(written(lost).first?.until == lost.now.wall)
        let well = Story(restored: Restored(outage: outage, lastOutage: 4))
        #expect(well.keeper.outages.current == nil)
        lose(well)
        #expect(written(well).map(\.number) == [4, 5])
    }

    @Test(arguments: [
        (saved: 3, overdue: 5, told: 5), (saved: 3, overdue: 1, told: 3), (saved: nil, overdue: 4, told: 4),
    ])
    func `refreshes that fell due while the daemon was down count as deferred`(
        saved: Int?, overdue: Int, told: Int
    ) throws {
        let since = Story.start.wall + .seconds(-1_000)
        let outage = saved.map {
            Outage(number: 4, since: since, cause: .network, message: "no route", deferred: $0)
        }
        let old = try Story.withRecord(of: one).keeper.slots.entry(of: 0)
        var entry = old
        entry.scan?.at = Story.start.advanced(by: .seconds(-10_000))
        var fresh = old
        fresh.scan?.at = Story.start
        let entries = addresses(overdue).map { SavedEntry($0, entry) } + [SavedEntry(one, fresh)]
        let story = Story(
            entries: entries,
            restored: Restored(
                networkLoss: SavedLoss(since: since, reason: "no route"), outage: outage, lastOutage: 4), way: nil)
        #expect(story.keeper.outages.current?.deferred == told)
    }

    @Test func `a query returns the current state of the outage`() throws {
        let story = try Story.withRecord(of: one)
        lose(story)
        let (id, effects) = story.ask(.outages(before: nil, limit: 5))
        #expect(effects.contains(.readOutages(id, before: nil, limit: 5)))
        story.pass(Settings.unlimitedProvider.interval)
        let read = written(story)
        #expect(read.map(\.deferred) == [0])
        guard case .outages(let told)? = story.tell(.outagesRead(id, read)).answer(to: id) else {
            Issue.record("no answer")
            return
        }
        #expect(told.map(\.deferred) == [1])
    }

    @Test func `the queue stays bounded while the route changes and the disk fails`() throws {
        let story = try Story.withRecord(of: one)
        story.disk = .waits
        var told = 0
        for _ in 0..<3_000 {
            lose(story)
            restore(story)
            while story.commit != nil { told += story.failToWrite().announced.count }
        }
        #expect(story.keeper.footprint.unwritten <= Limits.waitingNotices + 64)
        for _ in 0..<10 {
            story.pass(.seconds(61))
            while story.commit != nil { told += story.failToWrite().announced.count }
        }
        #expect(told == 6_000, "the journal hears of each")
    }

    @Test func `a commit saves the route state after all of its events, even if a turn is short`() throws {
        let story = Story(changesPerTurn: 2)
        story.disk = .waits
        story.add([one])
        for _ in 0..<3 {
            lose(story)
            restore(story)
        }
        lose(story)
        story.disk = .writesAtOnce
        for commit in story.write().commits {
            var last: Notice.Kind?
            for case .notice(let notice) in commit.writes { last = notice.kind }
            for case .networkLoss(let loss) in commit.writes { #expect((loss != nil) == (last == .networkLost)) }
        }
        #expect(story.log.announced.map(\.kind).last == .networkLost && story.log.announced.count == 7)
    }

    @Test func `the end of an outage is written again after a failed commit`() throws {
        let story = try Story.withRecord(of: one)
        lose(story)
        story.disk = .waits
        restore(story)
        story.failToWrite()
        story.disk = .writesAtOnce
        story.pass(.seconds(61))
        #expect(written(story).last?.until != nil)
        #expect(story.keeper.outages.unsaved.isEmpty)
    }
}
