import Testing

@testable import RecordKeeping

@Suite struct ConnectivityTests {
    private let one = IPAddress(v4: 0x0101_0101)
    private let settle = Settings.unlimitedProvider.settle

    /// Reports a route change, waits for the debounce time, and reports that there is no route.
    private func lose(_ story: Story) -> [Effect] {
        story.tell(.routesChanged)
        return story.pass(settle) + story.answerWay(.none(reason: "network is unreachable"))
    }

    @Test func `a burst of route events causes one route check, after the debounce time`() {
        let story = Story()
        var effects: [Effect] = []
        for _ in 0..<100 { effects += story.tell(.routesChanged) }
        effects += story.pass(settle - .nanoseconds(1))
        #expect(effects.questions.isEmpty)
        #expect(story.pass(.nanoseconds(1)).questions.count == 1)
        #expect(story.pass(.seconds(60)).questions.isEmpty)
    }

    @Test func `continuous route events do not delay the route check indefinitely`() {
        let story = Story()
        var questions = 0
        for _ in 0..<100 {
            questions += story.tell(.routesChanged).questions.count
            questions += story.pass(.milliseconds(10)).questions.count
        }
        #expect((3...4).contains(questions), "a second of events, a quarter of a second each: \(questions)")
    }

    @Test func `the loss of the route is announced once, and so is its return`() throws {
        let story = try Story.withRecord(of: one)
        #expect(lose(story).announced.map(\.kind) == [.networkLost])
        #expect(lose(story).announced.isEmpty)
        story.tell(.routesChanged)
        story.pass(settle)
        #expect(story.answerWay(.open).announced.map(\.kind) == [.networkRestored])
        #expect(story.answerWay(.open).announced.isEmpty)
    }

    @Test func `the reported duration of a loss does not depend on the wall clock`() throws {
        let story = try Story.withRecord(of: one)
        _ = lose(story)
        story.pass(.seconds(45))
        story.stepWallClock(by: .seconds(-7_200))
        let told = story.answerWay(.open).announced.first?.message
        #expect(told?.hasSuffix("again, after 45 s") == true, "\(told ?? "nothing")")
    }

    @Test func `nothing is announced if the route remains`() throws {
        let story = try Story.withRecord(of: one)
        story.tell(.routesChanged)
        let effects = story.pass(settle) + story.answerWay(.open)
        #expect(effects.announced.isEmpty)
    }

    @Test func `without a route no call is made, and records are shown as stale once they expire`() throws {
        let story = try Story.withRecord(of: one)
        _ = lose(story)
        let effects = story.pass(.seconds(3_600))
        #expect(effects.calls.isEmpty)
        let (id, shown) = story.ask(.show([one], wait: .seconds(5)))
        guard case .entries(let views)? = shown.answer(to: id) else { return #expect(Bool(false)) }
        #expect(views.map(\.state) == [.stale])
        #expect(views[0].failure?.kind == .offline)
        #expect(views[0].entry.scan?.answer.record == .example)
        story.answerWay(.open)
        #expect(story.log.calls.last?.addresses == [one])
    }

    @Test func `before the name is resolved, a missing global route is not a loss`() {
        let story = Story(way: nil, isResolved: false)
        story.add([one])
        #expect(story.answerWay(.none(reason: "no route")).announced.isEmpty)
        #expect(story.show(one)?.state == .loading, "nobody has said that it cannot be had")
        let effects = story.tell(.resolved([IPAddress(v4: 0x7F00_0001)]))
        #expect(effects.questions == [[IPAddress(v4: 0x7F00_0001)]])
        #expect(story.answerWay(.open).announced.isEmpty)
        #expect(story.pass(Limits.gather).calls.map(\.addresses) == [[one]])
    }

    @Test func `if the name cannot be resolved, a missing global route is a loss`() {
        let story = Story(way: nil, isResolved: false)
        story.answerWay(.none(reason: "no route"))
        #expect(story.tell(.resolved([])).questions.count == 1)
        #expect(story.answerWay(.none(reason: "no route")).announced.map(\.kind) == [.networkLost])
        #expect(story.tell(.resolved([])).questions.isEmpty)
    }

    @Test func `a late result of an earlier route check is ignored`() throws {
        let story = try Story.withRecord(of: one)
        let old = story.keeper.connectivity.epoch
        story.tell(.routesChanged)
        story.pass(settle)
        #expect(story.tell(.wayAnswered(epoch: old, .none(reason: "late"))).announced.isEmpty)
        #expect(story.answerWay(.open).announced.isEmpty)
    }

    @Test func `a call that fails because the route was lost does not count against the provider`() throws {
        let story = Story()
        story.add([one])
        let call = try #require(story.pass(Limits.gather).calls.first)
        let asked = story.fail(call, .unreachable)
        #expect(asked.announced.isEmpty && asked.questions.count == 1)
        let effects = story.answerWay(.none(reason: "no route"))
        #expect(effects.announced.map(\.kind) == [.networkLost])
        #expect(story.show(one)?.failure?.kind == .offline)
        story.answerWay(.open)
        #expect(story.pass(Limits.gather).calls.map(\.addresses) == [[one]], "back, and without a backoff")
    }

    @Test func `calls in flight are cancelled when the route is lost`() throws {
        let story = Story()
        story.add([one])
        let call = try #require(story.pass(Limits.gather).calls.first)
        #expect(lose(story).contains(.cancel(call.id)))
        #expect(story.fail(call, .timeout).announced.isEmpty)
        story.answerWay(.open)
        #expect(story.pass(Limits.gather).calls.count == 1)
    }

    @Test func `waiting callers get a reply at once when the route is lost`() throws {
        let story = Story()
        let (id, _) = story.ask(.show([one], wait: .seconds(60)))
        let answer = lose(story).answer(to: id)
        guard case .entries(let views)? = answer else { return #expect(Bool(false)) }
        #expect(views.map(\.failure?.kind) == [.offline])
    }

    @Test func `a loss survives a restart and is not announced again`() throws {
        let loss = SavedLoss(since: WallTime(milliseconds: 1_799_999_000_000), reason: "no route")
        let story = Story(restored: Restored(networkLoss: loss), way: nil)
        #expect(story.answerWay(.none(reason: "no route")).announced.isEmpty)
        #expect(story.answerWay(.open).announced.map(\.kind) == [.networkRestored])
    }

    @Test func `no call is made before the first route check, and a route is assumed if the check is impossible`() {
        let story = Story(way: nil)
        story.add([one])
        #expect(story.pass(.seconds(1)).calls.isEmpty)
        #expect(story.answerWay(.unknown(reason: "not permitted")).calls.count == 1)
    }

    @Test func `a loss is logged even if the disk is full`() throws {
        let story = try Story.withRecord(of: one)
        story.disk = .waits
        var effects = lose(story)
        #expect(effects.announced.isEmpty)
        effects = story.failToWrite()
        #expect(effects.announced.map(\.kind) == [.networkLost])
        story.pass(.seconds(60))
        #expect(story.write().announced.isEmpty, "once is enough")
    }
}

extension [Effect] {
    /// The addresses of each route check.
    fileprivate var questions: [[IPAddress]] {
        compactMap { if case .askWay(_, let targets) = $0 { targets } else { nil } }
    }
}
