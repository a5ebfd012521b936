import Testing

@testable import RecordKeeping

/// The limits of lookups, listeners and waiting requests, and the order in which lookups are sent.
@Suite struct LookupTests {
    private let wanted = IPAddress(v4: 0x0303_0303)

    private func harness(_ settings: Settings = Settings()) -> KeeperHarness {
        KeeperHarness(ignoring: .all, settings: settings)
    }

    @discardableResult
    private func lookUp(
        _ addresses: [IPAddress], by user: UInt32, wait: Duration = .zero, asAdministrator: Bool = false,
        in harness: KeeperHarness
    ) -> (Request.ID, [Effect]) {
        harness.ask(
            .show(addresses, wait: wait), asAdministrator: asAdministrator, user: user, peer: UInt64(user) + 10)
    }

    private func isRefused(_ answer: (Request.ID, [Effect])) -> Bool {
        answer.1.answer(to: answer.0) == .refused(.tooMany(limit: Limits.lookedUpAddresses, .lookups))
    }

    @Test(arguments: [true, false])
    func `a waiting client's lookup is in the next call behind those of another user`(isAdministrator: Bool) throws {
        let harness = harness()
        let call = try #require(lookUp(addresses(9_990), by: 1_000, in: harness).1.calls.first)
        lookUp(
            [wanted], by: isAdministrator ? 0 : 1_001, wait: .seconds(5), asAdministrator: isAdministrator, in: harness)
        let quota = ReportedQuota(remaining: 14, resetsIn: .seconds(55))
        let next = harness.reply(to: call, quota: quota).calls
        #expect(next.first?.addresses.first == wanted)
    }

    @Test func `a waiting client's lookups are sent in the order in which it named them`() throws {
        let harness = harness(.unlimitedProvider)
        let wanted = Array(addresses(60).reversed())
        lookUp(wanted, by: 1_000, wait: .seconds(5), in: harness)
        let call = try #require(harness.pass(Limits.gather).calls.first)
        #expect(call.addresses == wanted)
    }

    @Test(arguments: [true, false])
    func `a waiting client's lookup is sent at once after another user's lookups have used the windows`(
        isAdministrator: Bool
    ) throws {
        let harness = harness()
        var provider = CountedProvider()
        provider.answer(lookUp(addresses(9_990), by: 1_000, in: harness).1.calls, in: harness)
        #expect(provider.left == [.single: 5, .batch: 1], "a ninth of each window is left")
        let sent = lookUp(
            [wanted], by: isAdministrator ? 0 : 1_001, wait: .seconds(5), asAdministrator: isAdministrator, in: harness)
        #expect(sent.1.calls.first?.addresses.first == wanted)
    }

    @Test(arguments: 1...20)
    func `a waiting client's lookup is sent at once, however replies and commits overlap`(seed: UInt64) {
        var random = Random(seed: seed)
        let harness = harness()
        harness.disk = .waits
        var provider = CountedProvider()
        var open = lookUp(addresses(9_990), by: 1_000, in: harness).1.calls + harness.write().calls
        while harness.commit != nil || !open.isEmpty {
            if open.isEmpty || harness.commit != nil && random.next() % 4 == 0 {
                open += harness.write().calls
            } else {
                let call = open.remove(at: Int(random.next() % UInt64(open.count)))
                open += provider.reply(to: call, in: harness).calls
            }
        }
        let sent = lookUp([wanted], by: 0, wait: .seconds(5), asAdministrator: true, in: harness)
        #expect(sent.1.answer(to: sent.0) == nil, "\(provider.left) calls are left")
        let call = (sent.1 + harness.write()).calls.first
        #expect(call?.addresses.first == wanted)
    }

    @Test func `a lookup that nobody waits for gets the only call of a window`() throws {
        let harness = harness(Settings(documentedLimits: [.single: 1, .batch: 1]))
        lookUp([wanted], by: 1_000, in: harness)
        let call = try #require(harness.pass(Limits.gather).calls.first)
        #expect(call.addresses == [wanted])
    }

    @Test func `a lookup is called even after the wait for it has ended`() {
        let harness = harness(Settings(documentedLimits: [.single: 1, .batch: 1]))
        let all = addresses(300)
        var (request, effects) = lookUp(all, by: 1_000, wait: .seconds(90), in: harness)
        var called: [IPAddress] = []
        var isAnswered = false
        for _ in 0..<5 {
            for call in effects.calls {
                called += call.addresses
                harness.reply(to: call, quota: ReportedQuota(remaining: 0, resetsIn: .seconds(60)))
            }
            effects = harness.pass(.seconds(63))
            isAnswered = isAnswered || effects.answer(to: request) != nil
        }
        #expect(isAnswered)
        #expect(called.count == all.count && Set(called) == Set(all))
    }

    @Test func `after refusals, a lookup that nobody waits for gets the only call that is presumed`() throws {
        let harness = harness()
        let usedUp = ReportedQuota(remaining: 0, resetsIn: .seconds(20))
        harness.add(addresses(1))
        for _ in Call.Endpoint.allCases {
            let call = try #require(harness.pass(Limits.gather).calls.first)
            harness.fail(call, .throttled, quota: usedUp)
        }
        harness.ask(.remove(addresses(1)))
        harness.pass(.seconds(30))
        lookUp([wanted], by: 1_000, in: harness)
        #expect(harness.pass(.seconds(1)).calls.map(\.addresses) == [[wanted]])
    }

    @Test func `when all lookups are in use, a user below the fair share displaces some that nobody waits for`() throws
    {
        let harness = harness()
        var calls: [Call] = []
        for user in 0..<100 {
            let own = addresses(100, from: 0x0100_0000 + UInt32(user) * 256)
            calls += lookUp(own, by: 2_000 + UInt32(user), in: harness).1.calls
        }
        #expect(harness.keeper.lookupOwners.count == Limits.lookedUpAddresses)
        #expect(isRefused(lookUp(addresses(1, from: 0x0400_0000), by: 2_000, in: harness)), "the share of 100 is used")
        #expect(!isRefused(lookUp([wanted], by: 3_000, wait: .seconds(5), in: harness)))
        #expect(harness.keeper.lookupOwners.count == Limits.lookedUpAddresses)
        let quota = ReportedQuota(remaining: 14, resetsIn: .seconds(55))
        let next = harness.reply(to: try #require(calls.first), quota: quota).calls
        #expect(next.first?.addresses.first == wanted, "a waiting client comes first")
    }

    @Test func `a user below the fair share also displaces lookups that a user above it waits for`() {
        let harness = harness()
        let all = addresses(Limits.lookedUpAddresses)
        let (hog, _) = lookUp(all, by: 1_000, wait: .seconds(60), in: harness)
        let (request, effects) = lookUp([wanted], by: 1_001, in: harness)
        #expect(!isRefused((request, effects)))
        #expect(isRefused((hog, effects)), "the request that waited for a displaced lookup is refused")
        #expect(harness.keeper.lookupOwners.count == Limits.lookedUpAddresses)
        #expect(harness.keeper.waiters.callers.isEmpty)
        #expect(!isRefused(lookUp([IPAddress(v4: 0x0404_0404)], by: 0, asAdministrator: true, in: harness)))
    }

    @Test func `lookups that another user waits for as well are not displaced`() {
        let harness = harness()
        let all = addresses(Limits.lookedUpAddresses)
        lookUp(all, by: 1_000, wait: .seconds(60), in: harness)
        let (other, _) = lookUp(all, by: 1_001, wait: .seconds(60), in: harness)
        let answer = lookUp([wanted], by: 1_002, in: harness)
        #expect(isRefused(answer) && !isRefused((other, answer.1)))
        #expect(harness.keeper.waiters.callers.count == 2)
    }

    @Test func `lookups of users within the fair share stay, even if they would be sent last`() throws {
        var settings = Settings(documentedLimits: [.single: 1, .batch: 1])
        settings.capacity.lookups = 300
        let harness = harness(settings)
        // The first user's lookups are in a call, except one.
        let call = try #require(lookUp(addresses(100), by: 1_000, in: harness).1.calls.first)
        #expect(call.addresses.count == 100)
        lookUp(addresses(100, from: 0x0200_0000), by: 1_000, in: harness)
        lookUp(addresses(100, from: 0x0300_0000), by: 1_001, in: harness)
        let before = harness.keeper.lookupOwners.count(of: 1_001)
        #expect(!isRefused(lookUp(addresses(50, from: 0x0400_0000), by: 1_002, in: harness)))
        #expect(harness.keeper.lookupOwners.count(of: 1_000) == 150)
        #expect(harness.keeper.lookupOwners.count(of: 1_001) == before)
    }

    @Test func `addresses that were removed from the watch list while fresh leave lookups open`() {
        let harness = harness(.unlimitedProvider)
        let many = addresses(Limits.lookedUpAddresses)
        var calls = harness.add(many).calls[...]
        while let call = calls.popFirst() { calls += harness.reply(to: call).calls }
        harness.ask(.remove(many))
        #expect(harness.keeper.tally.watched == 0 && harness.keeper.tally.cached == many.count)
        #expect(!isRefused(lookUp([wanted], by: 1_000, in: harness)))
        #expect(harness.keeper.lookupOwners.count == 1)
    }

    @Test(arguments: [0, 1])
    func `an address that is removed while a request waits for it counts as a lookup`(capacity: Int) {
        var settings = Settings()
        settings.capacity.lookups = capacity
        let harness = harness(settings)
        harness.add([wanted])
        let (request, _) = lookUp([wanted], by: 1_000, wait: .seconds(60), in: harness)
        let (_, effects) = harness.ask(.remove([wanted]))
        #expect(harness.keeper.lookupOwners.count == capacity)
        let refusal = Response.refused(.tooMany(limit: capacity, .lookups))
        #expect(effects.answer(to: request) == (capacity == 0 ? refusal : nil))
    }

    @Test func `a looked-up address that is added to the watch list no longer counts`() {
        let harness = harness()
        lookUp([wanted], by: 1_000, in: harness)
        #expect(harness.keeper.lookupOwners.count(of: 1_000) == 1)
        harness.add([wanted])
        #expect(harness.keeper.lookupOwners.isEmpty)
    }

    @Test func `a lookup moves back when the last client that waits for it disconnects`() {
        let harness = KeeperHarness(ignoring: .all, settings: Settings(), status: nil)
        lookUp([wanted], by: 1_000, wait: .seconds(60), in: harness)
        lookUp([wanted], by: 1_001, wait: .seconds(60), in: harness)
        harness.handle(.clientLeft(PeerID(number: 1_010)))
        #expect(harness.keeper.due.unawaitedLookups == 0)
        harness.handle(.clientLeft(PeerID(number: 1_011)))
        #expect(harness.keeper.due.unawaitedLookups == 1, "no client waits for it")
    }

    @Test func `a refresh is not urgent any more when its client disconnects`() {
        let harness = KeeperHarness(ignoring: .all, settings: Settings(), status: nil)
        harness.add([wanted])
        lookUp([wanted], by: 1_000, wait: .seconds(60), in: harness)
        #expect(harness.keeper.due.counts == RankCounts(urgent: 1))
        harness.handle(.clientLeft(PeerID(number: 1_010)))
        #expect(harness.keeper.due.counts == RankCounts(background: 1))
    }

    @Test func `administrators have listeners of their own`() {
        let harness = harness()
        func listen(asAdministrator: Bool) -> Response? {
            let (id, effects) = harness.ask(
                .monitor(after: nil, EventSelection()), asAdministrator: asAdministrator, user: 1_000)
            return effects.answer(to: id)
        }
        for _ in 0..<Limits.listeners { #expect(listen(asAdministrator: false) == nil) }
        #expect(listen(asAdministrator: false) == .refused(.tooMany(limit: Limits.listeners, .listeners)))
        for _ in 0..<Limits.administratorsReserve { #expect(listen(asAdministrator: true) == nil) }
        let limit = Limits.listeners + Limits.administratorsReserve
        #expect(listen(asAdministrator: true) == .refused(.tooMany(limit: limit, .listeners)))
    }

    @Test func `administrators can wait when no other client can`() {
        // Without a harness, which would check each of the waiting requests after each event.
        let now = KeeperHarness.start
        var keeper = Keeper(settings: Settings(), seed: 1, startedAt: now)
        _ = keeper.handle(.restored(Restored()), at: now)
        /// Returns whether the request waits.
        func waits(_ number: UInt64, asAdministrator: Bool) -> Bool {
            let id = Request.ID(peer: PeerID(number: 1), number: number)
            let request = Request(
                id: id, isByAdministrator: asAdministrator, user: 1_000, body: .show([wanted], wait: .seconds(60)))
            return keeper.handle(.requested(request), at: now).answer(to: id) == nil
        }
        let limit = UInt64(Limits.waitingRequests)
        #expect((1...limit).allSatisfy { waits($0, asAdministrator: false) })
        #expect(!waits(limit + 1, asAdministrator: false), "a request beyond the limit is answered at once")
        #expect(waits(limit + 2, asAdministrator: true))
    }
}
