import Testing

@testable import RecordKeeping

/// Cohorts in commits that contain several changes, or that fail.
@Suite struct CohortCommitTests {
    private let all = addresses(3)
    private let one = addresses(3)[0]
    private let two = addresses(3)[1]
    private let three = addresses(3)[2]

    /// Passes events to the keeper while a commit is being written, so that they share the next commit, which the disk
    /// does not complete.
    ///
    /// - Parameter commit: the writes of that commit.
    private func share(
        _ commit: [WriteOutline], in harness: KeeperHarness, sourceLocation: SourceLocation = #_sourceLocation,
        events: () -> Void
    ) {
        harness.disk = .waits
        let (id, _) = harness.ask(.label([one], LabelChange(addTags: ["first"])))
        harness.expect(.commit([.put(one)]), sourceLocation: sourceLocation)
        events()
        harness.write()
        harness.expect(.answer(id, .labelled(1)), .commit(commit), sourceLocation: sourceLocation)
    }

    /// The writes of the pending commit that create or update cohorts.
    private func cohorts(in harness: KeeperHarness) -> [Commit.Write] {
        harness.commit?.writes.filter { if case .cohort = $0 { true } else { false } } ?? []
    }

    // MARK: Several changes

    @Test func `two replies in one commit renew two cohorts`() throws {
        let harness = try KeeperHarness.withRecords(of: [one, two])
        harness.pass(.seconds(10))
        let others = addresses(2, from: 0x0200_0000)
        harness.add(others)
        harness.discardEffects()
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.expect(.call(others, .batch))
        harness.reply(to: call)
        harness.expect(.commit(.records(of: others, cohort: 2) + [.health]))
        let calls = harness.pass(.seconds(61)).calls
        harness.discardEffects()
        #expect(calls.map(\.addresses) == [[one, two], others])
        share([.cohort(1), .cohort(2), .health], in: harness) {
            for call in calls { harness.reply(to: call) }
        }
        #expect(harness.holders == [1: 4, 2: 4], "the commit holds the old and the new cohorts")
        harness.write()
        #expect(harness.holders == [1: 2, 2: 2])
        for address in [one, two] + others { #expect(harness.show(address)?.entry.scan?.at == harness.now) }
    }

    @Test(arguments: [true, false]) func `a label change in the commit of a reply keeps the new time`(isFirst: Bool)
        throws
    {
        let harness = try KeeperHarness.withRecords(of: all)
        let call = try harness.expireRecords()
        var label: Request.ID?
        share(isFirst ? [.put(two), .cohort(1), .health] : [.cohort(1), .put(two), .health], in: harness) {
            if isFirst { label = harness.ask(.label([two], LabelChange(note: "new"))).0 }
            harness.reply(to: call)
            if !isFirst { label = harness.ask(.label([two], LabelChange(note: "new"))).0 }
        }
        harness.write()
        harness.expect(.answer(try #require(label), .labelled(1)))
        #expect(harness.holders == [1: 3])
        let view = try #require(harness.show(two))
        #expect(view.state == .fresh && view.entry.scan?.at == harness.now && view.entry.watch?.note == "new")
    }

    @Test(arguments: [true, false]) func `a label change next to another changed record keeps the new time`(
        isFirst: Bool
    ) throws {
        let harness = try KeeperHarness.withRecords(of: all)
        let call = try harness.expireRecords()
        let reply: [WriteOutline] = [.cohort(1), .put(three, cohort: 1), .event(.changed, three)]
        let writes: [WriteOutline] = isFirst ? [.put(two)] + reply : reply + [.put(two)]
        var label: Request.ID?
        share(writes + [.health], in: harness) {
            if isFirst { label = harness.ask(.label([two], LabelChange(note: "new"))).0 }
            harness.reply(to: call, answering: [three: .answered(.record(.inBonn))])
            if !isFirst { label = harness.ask(.label([two], LabelChange(note: "new"))).0 }
        }
        harness.write()
        harness.expect(.answer(try #require(label), .labelled(1)), .log(.changed))
        #expect(harness.holders == [1: 3])
        let view = try #require(harness.show(two))
        #expect(view.state == .fresh && view.entry.scan?.at == harness.now && view.entry.watch?.note == "new")
    }

    @Test func `an address that is removed after the reply keeps its record with the new time`() throws {
        let harness = try KeeperHarness.withRecords(of: all)
        let call = try harness.expireRecords()
        var removal: Request.ID?
        let removing: [WriteOutline] = [.remove(two), .put(two, cohort: 1), .event(.removed, two)]
        share([.cohort(1)] + removing + [.health], in: harness) {
            harness.reply(to: call)
            removal = harness.ask(.remove([two])).0
        }
        harness.write()
        harness.expect(.answer(try #require(removal), .removed(1)))
        #expect(harness.holders == [1: 3])
        let view = try #require(harness.show(two))
        #expect(view.state == .fresh && view.entry.watch == nil && view.entry.scan?.at == harness.now)
    }

    @Test func `an address that is removed before the reply does not count, and its cohort is not renewed`() throws {
        let harness = try KeeperHarness.withRecords(of: all)
        let call = try harness.expireRecords()
        var removal: Request.ID?
        share(.removing([two]) + [.cohort(2), .move([1, 3], to: 2), .health], in: harness) {
            removal = harness.ask(.remove([two])).0
            harness.reply(to: call)
        }
        harness.disk = .writesAtOnce
        harness.write()
        harness.expect(.answer(try #require(removal), .removed(1)))
        #expect(harness.holders == [2: 2] && harness.keeper.footprint.entries == 2)
        let (id, _) = harness.ask(.label([one], LabelChange(note: "new")))
        harness.expect(.commit([.put(one), .removeCohort(1)]), .answer(id, .labelled(1)))
    }

    // MARK: Failures

    @Test func `a commit that fails leaves the time of a cohort as it was, and is repeated unchanged`() throws {
        let harness = try KeeperHarness.withRecords(of: all)
        let fetchedAt = harness.now
        let call = try harness.expireRecords()
        let sentAt = harness.now
        harness.disk = .waits
        harness.reply(to: call)
        harness.expect(.commit([.cohort(1), .health]))
        let written = cohorts(in: harness)
        #expect(written == [.cohort(CohortID(number: 1), at: sentAt, provider: "mock")])
        #expect(harness.holders == [1: 5], "the commit holds the old and the new cohort")
        harness.failToWrite()
        harness.expect(.logStoreFailure(reason: "disk full"))
        #expect(harness.holders == [1: 3])
        for address in all { #expect(harness.cohort(of: address)?.at == fetchedAt) }
        #expect(harness.show(one)?.state == .stale)
        harness.pass(.seconds(1))
        harness.expect(.commit([.cohort(1), .health]))
        #expect(cohorts(in: harness) == written)
        harness.write()
        harness.expect(.logStoreRecovery)
        #expect(harness.holders == [1: 3])
        for address in all { #expect(harness.cohort(of: address)?.at == sentAt) }
        #expect(harness.show(one)?.state == .fresh)
    }

    @Test func `a commit that fails leaves each record in its cohort, and the new cohort is not stored`() throws {
        let harness = try KeeperHarness.withRecords(of: all)
        let fetchedAt = harness.now
        let call = try harness.expireRecords()
        harness.disk = .waits
        harness.reply(to: call, answering: [two: .malformed("no status")])
        func expectCommit(withCohort cohort: Int64) {
            let writes: [WriteOutline] = [
                .cohort(cohort), .move([2], to: cohort), .cohort(1), .put(two), .event(.failed, two), .health,
            ]
            harness.expect(.commit(writes))
            #expect(harness.holders == [1: 5])
        }
        expectCommit(withCohort: 2)
        harness.failToWrite()
        harness.expect(.logStoreFailure(reason: "disk full"))
        #expect(harness.holders == [1: 3])
        for address in all { #expect(harness.cohort(of: address)?.at == fetchedAt) }
        harness.pass(.seconds(1))
        // The id of the first attempt is not used again.
        expectCommit(withCohort: 3)
        harness.disk = .writesAtOnce
        harness.write()
        harness.expect(.logStoreRecovery, .log(.failed))
        #expect(harness.holders == [1: 2, 3: 1])
        #expect(harness.cohort(of: two)?.at == fetchedAt)
        // The store has never had the second cohort.
        let (id, _) = harness.ask(.label([one], LabelChange(note: "new")))
        harness.expect(.commit([.put(one), .alertsLogged(through: 4)]), .answer(id, .labelled(1)))
    }

    // MARK: Removal

    @Test func `a cohort without records is removed with the next commit that succeeds, and with no other`() throws {
        let harness = try KeeperHarness.withRecords(of: [one])
        harness.reply(to: try harness.expireRecords(), answering: [one: .answered(.record(.inBonn))])
        harness.expect(
            .commit(.records(of: [one], cohort: 2) + [.event(.changed, one), .health]), .log(.changed))
        // Nothing is written for the removal alone.
        harness.pass(.seconds(30))
        harness.disk = .waits
        let (id, _) = harness.ask(.label([one], LabelChange(note: "a")))
        harness.expect(.commit([.put(one), .removeCohort(1), .alertsLogged(through: 2)]))
        harness.failToWrite()
        harness.expect(.logStoreFailure(reason: "disk full"), .answer(id, .refused(.storeFailed("disk full"))))
        harness.disk = .writesAtOnce
        harness.pass(.seconds(1))
        harness.expect(.commit([.health, .removeCohort(1), .alertsLogged(through: 2)]), .logStoreRecovery)
        let (again, _) = harness.ask(.label([one], LabelChange(note: "b")))
        harness.expect(.commit([.put(one)]), .answer(again, .labelled(1)))
    }

    @Test func `the footprint counts the cohorts in use, those that a commit holds, and those without records`() throws
    {
        let harness = try KeeperHarness.withRecords(of: [one])
        func counts() -> [Int] {
            let footprint = harness.keeper.footprint
            return [footprint.cohorts, footprint.heldCohorts, footprint.emptyCohorts]
        }
        #expect(counts() == [1, 0, 0])
        let call = try harness.expireRecords()
        harness.disk = .waits
        harness.reply(to: call, answering: [one: .answered(.record(.inBonn))])
        harness.expect(.commit(.records(of: [one], cohort: 2) + [.event(.changed, one), .health]))
        #expect(counts() == [2, 1, 0])
        harness.write()
        harness.expect(.log(.changed))
        #expect(counts() == [1, 0, 1])
    }
}
