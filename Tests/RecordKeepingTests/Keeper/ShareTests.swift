import Testing

@testable import RecordKeeping

/// The shares of urgent refreshes, background refreshes and lookups in the quota windows.
@Suite struct ShareTests {
    private let ignored = Set<EffectKind>.all

    /// Returns a keeper that is offline, so that due addresses are queued.
    private func offline(_ settings: Settings = Settings()) -> KeeperHarness {
        KeeperHarness(ignoring: ignored, settings: settings, status: nil)
    }

    @discardableResult
    private func lookUp(_ addresses: [IPAddress], wait: Duration = .zero, in harness: KeeperHarness) -> [Call] {
        harness.ask(.show(addresses, wait: wait), asAdministrator: false, user: 1_000).1.calls
    }

    @Test func `lookups one by one use the batch endpoint when the single endpoint is used up`() throws {
        let harness = KeeperHarness(ignoring: ignored, settings: Settings())
        var provider = CountedProvider()
        for (index, address) in addresses(60).enumerated() {
            lookUp([address], wait: .seconds(5), in: harness)
            let calls = harness.pass(Limits.gather).calls
            #expect(calls.map(\.addresses) == [[address]], "lookup \(index + 1)")
            provider.answer(calls, in: harness, resetsIn: .seconds(55))
        }
        #expect(provider.left == [.single: 0, .batch: 0])
    }

    @Test func `the first call of a window is not kept for addresses that will be due later`() throws {
        let harness = KeeperHarness(
            ignoring: ignored, settings: Settings(documentedLimits: [.single: 1, .batch: 1]))
        let wanted = addresses(4, from: 0x0200_0000)
        func call() throws -> Call { try #require(harness.pass(Limits.gather).calls.first) }
        func answer(_ call: Call) {
            harness.reply(to: call, quota: ReportedQuota(remaining: 0, resetsIn: .seconds(60)))
            harness.pass(.seconds(130) - Limits.gather)
        }
        harness.add(addresses(1))
        answer(try call())
        lookUp([wanted[0]], in: harness)
        answer(try call())
        // The windows are over, and the watched address is due in 40 s. A batch is sent, and then a single call.
        lookUp([wanted[1], wanted[2]], wait: .seconds(5), in: harness)
        #expect(try call().endpoint == .batch)
        lookUp([wanted[3]], wait: .seconds(5), in: harness)
        #expect(try call().addresses == [wanted[3]])
    }

    @Test func `a call from three full queues has a third of each`() throws {
        let harness = offline(.unlimitedProvider)
        let (watched, wanted) = (addresses(400), addresses(200, from: 0x0200_0000))
        let (urgent, background) = (Array(watched[200...]), Array(watched[..<200]))
        harness.add(watched)
        lookUp(urgent, wait: .seconds(60), in: harness)
        lookUp(wanted, in: harness)
        let call = try #require(harness.answerRouteCheck(.open).calls.first)
        for queue in [urgent, background, wanted] {
            #expect(Set(call.addresses).intersection(queue).count >= 33)
        }
        #expect(call.addresses.count == 100)
    }

    @Test func `over a contended window, each class gets a third at both endpoints`() {
        let harness = offline()
        let (watched, wanted) = (addresses(4_000), addresses(2_000, from: 0x0200_0000))
        let (urgent, background) = (Array(watched[2_000...]), Array(watched[..<2_000]))
        harness.add(watched)
        lookUp(urgent, wait: .seconds(60), in: harness)
        lookUp(wanted, in: harness)
        var provider = CountedProvider()
        provider.answer(harness.answerRouteCheck(.open).calls, in: harness)
        #expect(provider.left == [.single: 2, .batch: 0], "kept for lookups with a waiting client")
        provider.answer(harness.pass(.seconds(46)).calls, in: harness, resetsIn: .seconds(4))
        #expect(provider.left == [.single: 0, .batch: 0])
        for queue in [urgent, background, wanted] {
            #expect(provider.count(of: queue, at: .batch) >= 495)
            #expect(provider.count(of: queue, at: .single) == 15)
        }
    }

    @Test func `without refreshes, lookups use whole windows`() {
        let harness = offline()
        lookUp(addresses(3_000), in: harness)
        var provider = CountedProvider()
        provider.answer(harness.answerRouteCheck(.open).calls, in: harness)
        #expect(provider.left == [.single: 5, .batch: 1], "kept for lookups with a waiting client")
        provider.answer(harness.pass(.seconds(46)).calls, in: harness, resetsIn: .seconds(4))
        #expect(provider.left == [.single: 0, .batch: 0])
    }

    @Test func `refreshes that fall due later in the window keep their share`() {
        let harness = KeeperHarness(ignoring: ignored, settings: Settings())
        let watched = addresses(1_000)
        var first = CountedProvider()
        first.answer(harness.add(watched).calls, in: harness)
        #expect(first.answered.flatMap(\.addresses).count == 1_000)
        harness.pass(.seconds(290))
        var provider = CountedProvider()
        provider.answer(lookUp(addresses(5_000, from: 0x0200_0000), in: harness), in: harness)
        #expect((5...10).contains(provider.left[.batch] ?? 0), "lookups get more than a third")
        #expect((15...30).contains(provider.left[.single] ?? 0))
        provider.answer(harness.pass(.seconds(10)).calls, in: harness, resetsIn: .seconds(40))
        #expect(provider.count(of: watched, at: .batch) >= 500)
        #expect(provider.left == [.single: 0, .batch: 0])
    }

    @Test func `lookups that come later in the window find their share, which is released at its end`() {
        let harness = KeeperHarness(ignoring: ignored, settings: Settings())
        var provider = CountedProvider()
        lookUp(addresses(1, from: 0x0200_0000), wait: .seconds(5), in: harness)
        provider.answer(harness.pass(Limits.gather).calls, in: harness, resetsIn: .seconds(59))
        provider.answer(harness.add(addresses(3_000)).calls, in: harness, resetsIn: .seconds(59))
        #expect(provider.left == [.single: 14, .batch: 5])
        let wanted = addresses(1, from: 0x0200_0001)
        let calls = lookUp(wanted, wait: .seconds(5), in: harness)
        #expect(calls.map { $0.addresses.contains(wanted[0]) } == [true], "the lookup is sent at once")
        #expect(calls.map(\.addresses.count) == [100], "refreshes fill the call")
        provider.answer(calls, in: harness, resetsIn: .seconds(58))
        #expect(provider.left == [.single: 14, .batch: 4])
        provider.answer(harness.pass(.seconds(55)).calls, in: harness, resetsIn: .seconds(4))
        #expect(provider.left == [.single: 0, .batch: 0], "refreshes use what lookups did not need")
    }

    @Test func `a few refreshes are called one by one while the last batch is kept for lookups`() {
        let limits: [Call.Endpoint: Int] = [.single: 9, .batch: 3]
        let harness = KeeperHarness(ignoring: ignored, settings: Settings(documentedLimits: limits))
        var provider = CountedProvider(limits)
        lookUp(addresses(1, from: 0x0200_0000), wait: .seconds(5), in: harness)
        provider.answer(harness.pass(Limits.gather).calls, in: harness, resetsIn: .seconds(59))
        provider.answer(harness.add(addresses(200)).calls, in: harness, resetsIn: .seconds(59))
        #expect(provider.left == [.single: 8, .batch: 1])
        let few = addresses(2, from: 0x0300_0000)
        harness.add(few)
        provider.answer(harness.pass(Limits.gather).calls, in: harness, resetsIn: .seconds(58))
        #expect(provider.left == [.single: 6, .batch: 1])
        #expect(provider.count(of: few, at: .single) == 2)
    }

    @Test func `a call that was reserved before it was kept is released like any other`() throws {
        let limits: [Call.Endpoint: Int] = [.single: 3, .batch: 3]
        let harness = KeeperHarness(ignoring: ignored, settings: Settings(documentedLimits: limits))
        var provider = CountedProvider(limits)
        lookUp(addresses(1, from: 0x0200_0000), wait: .seconds(5), in: harness)
        provider.answer(harness.pass(Limits.gather).calls, in: harness, resetsIn: .seconds(59))
        let watched = addresses(1_000)
        provider.answer(harness.add(watched).calls, in: harness, resetsIn: .seconds(59))
        #expect(provider.left == [.single: 0, .batch: 1], "one batch is kept for lookups")
        let called = Set(provider.answered.flatMap(\.addresses))
        let waiting = try #require(watched.first { !called.contains($0) })
        let view = try #require(harness.show(waiting))
        #expect(view.failure?.kind == .quotaExhausted && view.nextAttemptAt == harness.now.wall + .seconds(54))
        #expect(harness.pass(.milliseconds(53_999)).calls.isEmpty)
        #expect(harness.pass(.milliseconds(1)).calls.map(\.addresses.count) == [100])
    }

    @Test func `addresses whose reserved call the quota does not allow any more wait for the next window`() throws {
        let limits: [Call.Endpoint: Int] = [.single: 3, .batch: 3]
        let harness = KeeperHarness(ignoring: ignored, settings: Settings(documentedLimits: limits))
        // Another client has used one batch of the window.
        var provider = CountedProvider([.single: 3, .batch: 2])
        lookUp(addresses(1, from: 0x0200_0000), wait: .seconds(5), in: harness)
        provider.answer(harness.pass(Limits.gather).calls, in: harness, resetsIn: .seconds(59))
        let watched = addresses(1_000)
        provider.answer(harness.add(watched).calls, in: harness, resetsIn: .seconds(59))
        #expect(provider.left == [.single: 0, .batch: 0])
        let called = Set(provider.answered.flatMap(\.addresses))
        let waiting = try #require(watched.first { !called.contains($0) })
        let view = try #require(harness.show(waiting))
        #expect(view.failure?.kind == .quotaExhausted && view.nextAttemptAt == harness.now.wall + .seconds(60))
    }
}
