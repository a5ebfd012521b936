import Testing

@testable import RecordKeeping

/// Replies about records that were fetched together. If a reply repeats all of them, only their common time is written.
@Suite struct RenewedCohortTests {
    private let all = addresses(3)
    private let one = addresses(3)[0]
    private let two = addresses(3)[1]
    private let three = addresses(3)[2]

    // MARK: Repeated records

    @Test func `a reply that repeats all records of a cohort writes only the new time`() throws {
        let harness = try KeeperHarness.withRecords(of: all)
        let interval = harness.keeper.settings.interval
        for _ in 0..<3 {
            let call = try harness.expireRecords()
            #expect(call.addresses == all)
            let effects = harness.reply(to: call)
            harness.expect(.commit([.cohort(1), .health]))
            let time = Commit.Write.cohort(CohortID(number: 1), at: harness.now, provider: "mock")
            #expect(effects.commits.flatMap(\.writes).contains(time))
            #expect(harness.holders == [1: 3])
            for address in all {
                let view = try #require(harness.show(address))
                #expect(view.state == .fresh && view.entry.scan?.at == harness.now)
                #expect(view.expiresAt == harness.now.wall + interval)
            }
            #expect(harness.armed == harness.now.boot + interval)
        }
    }

    @Test func `a repeated record is published with its new time`() throws {
        let harness = try KeeperHarness.withRecords(of: all)
        let (listener, _) = harness.ask(.monitor(after: nil, EventSelection(kinds: [.refreshed])))
        let effects = harness.reply(to: try harness.expireRecords())
        harness.expect([.commit([.cohort(1), .health])] + all.map { _ in .publish(.refreshed, to: [listener]) })
        let published = effects.compactMap { if case .publish(_, let entry, to: _) = $0 { entry } else { nil } }
        #expect(published.map(\.address) == all)
        #expect(published.allSatisfy { $0.state == .fresh && $0.entry.scan?.at == harness.now })
    }

    @Test func `a record that differs only in the bytes of equal characters is stored, and has not changed`() throws {
        let harness = try KeeperHarness.withRecords(of: all)
        var (composed, decomposed) = (Record.example, Record.example)
        (composed.city, decomposed.city) = ("Z\u{FC}rich", "Zu\u{308}rich")
        harness.reply(to: try harness.expireRecords(), answering: [two: .answered(.record(composed))])
        harness.discardEffects()
        harness.reply(to: try harness.expireRecords(), answering: [two: .answered(.record(decomposed))])
        harness.expect(
            .commit([.cohort(1), .put(two, cohort: 1), .health, .alertsLogged(through: 4)]))
        let city = try #require(harness.show(two)?.entry.scan?.answer.record?.city)
        #expect(city.unicodeScalars.count == 7)
    }

    // MARK: Other records

    @Test(
        arguments: [ElementAnswer.answered(.record(.inBonn)), .answered(.empty(reason: "reserved range"))],
        [1, 2, Limits.changesPerTurn])
    func `a changed record is stored, and the others of its cohort are not written`(
        answer: ElementAnswer, changesPerTurn: Int
    ) throws {
        let harness = try KeeperHarness.withRecords(of: all, changesPerTurn: changesPerTurn)
        harness.reply(to: try harness.expireRecords(), answering: [two: answer])
        harness.expect(
            .commit([.cohort(1), .put(two, cohort: 1), .event(.changed, two), .health]), .log(.changed))
        #expect(harness.holders == [1: 3])
        for address in all { #expect(harness.show(address)?.entry.scan?.at == harness.now) }
        // Now all answers are repeated, including an empty one.
        harness.reply(to: try harness.expireRecords(), answering: [two: answer])
        harness.expect(.commit([.cohort(1), .health, .alertsLogged(through: 4)]))
        #expect(harness.holders == [1: 3])
        for address in all { #expect(harness.show(address)?.entry.scan?.at == harness.now) }
    }

    @Test(arguments: [ElementAnswer.malformed("no status"), nil])
    func `a record whose refresh fails is moved to a cohort with the old time, and the others are not written`(
        answer: ElementAnswer?
    ) throws {
        let harness = try KeeperHarness.withRecords(of: all)
        let fetchedAt = harness.now
        harness.reply(to: try harness.expireRecords(), answering: [two: answer])
        let repliedAt = harness.now
        harness.expect(
            .commit([.cohort(2), .move([2], to: 2), .cohort(1), .put(two), .event(.failed, two), .health]),
            .log(.failed))
        #expect(harness.holders == [1: 2, 2: 1])
        let view = try #require(harness.show(two))
        #expect(view.state == .stale && view.failure?.kind == .malformed && view.entry.scan?.at == fetchedAt)
        let retry = try #require(harness.pass(.seconds(1) + Limits.gather).calls.first)
        harness.expect(.commit([.health, .alertsLogged(through: 4)]), .call([two], .single))
        // The record is stored, although it is the same as before, because the failure has to be removed.
        harness.reply(to: retry)
        harness.expect(
            .commit(.records(of: [two], cohort: 3) + [.event(.recovered, two), .health]), .log(.recovered))
        #expect(harness.holders == [1: 2, 3: 1])
        #expect(harness.cohort(of: one)?.at == repliedAt && harness.cohort(of: two)?.at == harness.now)
        #expect(harness.show(two)?.state == .fresh && harness.show(two)?.failure == nil)
    }

    @Test func `a record that lacks a field is written again when the next reply confirms the omission`() throws {
        let harness = try KeeperHarness.withRecords(of: all)
        var withoutCity = Record.example
        withoutCity.city = nil
        let answers: [IPAddress: ElementAnswer?] = [two: .answered(.record(withoutCity))]
        harness.reply(to: try harness.expireRecords(), answering: answers)
        harness.expect(.commit([.cohort(1), .put(two, cohort: 1), .health]))
        harness.reply(to: try harness.expireRecords(), answering: answers)
        harness.expect(
            .commit([.cohort(1), .put(two, cohort: 1), .event(.changed, two), .health]), .log(.changed))
        harness.reply(to: try harness.expireRecords(), answering: answers)
        harness.expect(.commit([.cohort(1), .health, .alertsLogged(through: 4)]))
        #expect(harness.holders == [1: 3])
    }

    // MARK: Several cohorts

    @Test func `of several cohorts whose records are all repeated, the largest is kept`() throws {
        let harness = try KeeperHarness.withRecords(of: [one])
        try fetch([two, three], in: harness, cohort: 2)
        let call = try harness.expireRecords()
        #expect(call.addresses == all)
        harness.reply(to: call)
        harness.expect(.commit([.cohort(2), .move([1], to: 2), .health]))
        #expect(harness.holders == [2: 3])
        harness.reply(to: try harness.expireRecords())
        harness.expect(.commit([.cohort(2), .health, .removeCohort(1)]))
    }

    @Test func `of two cohorts of the same size, the first is kept`() throws {
        let harness = try KeeperHarness.withRecords(of: [one])
        try fetch([two], in: harness, cohort: 2)
        let call = try harness.expireRecords()
        #expect(call.addresses == [one, two])
        harness.reply(to: call)
        harness.expect(.commit([.cohort(1), .move([2], to: 1), .health]))
        #expect(harness.holders == [1: 2])
    }

    @Test func `a cohort whose records are refreshed by several calls is divided`() throws {
        let harness = try KeeperHarness.withRecords(of: all)
        harness.fail(try harness.expireRecords(), .unauthorized)
        harness.expect(.commit([.event(.providerFailed), .health]), .log(.providerFailed))
        // The other endpoint is called, with one address at a time.
        let first = try #require(harness.pass(Limits.gather).calls.first)
        harness.expect(.commit([.health, .alertsLogged(through: 4)]), .call([one], .single))
        let rest = harness.reply(to: first).calls
        harness.expect(
            .commit([.cohort(2), .move([1], to: 2), .health]), .call([two], .single), .call([three], .single))
        harness.reply(to: rest[0])
        harness.expect(.commit([.cohort(3), .move([2], to: 3), .health]))
        // The last record is the only one of its cohort by now.
        harness.reply(to: rest[1])
        harness.expect(.commit([.cohort(1), .health]))
        #expect(harness.holders == [1: 1, 2: 1, 3: 1])
    }

    /// Adds addresses, and fetches their records, which expire so soon after those of the other addresses that one call
    /// refreshes all of them.
    private func fetch(_ addresses: [IPAddress], in harness: KeeperHarness, cohort: Int64) throws {
        harness.add(addresses)
        harness.discardEffects()
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.discardEffects()
        harness.reply(to: call)
        harness.expect(.commit(.records(of: addresses, cohort: cohort) + [.health]))
    }

    // MARK: Records that leave a cohort

    @Test func `a label change leaves the record in its cohort`() throws {
        let harness = try KeeperHarness.withRecords(of: all)
        let (id, _) = harness.ask(.label([two], LabelChange(note: "new")))
        harness.expect(.commit([.put(two)]), .answer(id, .labelled(1)))
        harness.reply(to: try harness.expireRecords())
        harness.expect(.commit([.cohort(1), .health]))
        #expect(harness.show(two)?.entry.watch?.note == "new")
        #expect(harness.show(two)?.entry.scan?.at == harness.now)
    }

    @Test func `a removed address keeps its fresh record with its cohort, which is renewed without it later`() throws {
        let harness = try KeeperHarness.withRecords(of: all)
        let fetchedAt = harness.now
        harness.pass(.seconds(10))
        let (id, _) = harness.ask(.remove([two]))
        harness.expect(.commit([.remove(two), .put(two, cohort: 1), .event(.removed, two)]), .answer(id, .removed(1)))
        #expect(harness.holders == [1: 3])
        let view = try #require(harness.show(two))
        #expect(view.state == .fresh && view.entry.watch == nil && view.entry.scan?.at == fetchedAt)
        harness.pass(.seconds(50))
        harness.expect(.commit([.remove(two)]))
        #expect(harness.holders == [1: 2])
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.expect(.call([one, three], .batch), .resolve)
        harness.reply(to: call)
        harness.expect(.commit([.cohort(1), .health]))
    }

    @Test func `an address that is removed during its call leaves its cohort, and joins it again`() throws {
        let harness = try KeeperHarness.withRecords(of: all)
        let call = try harness.expireRecords()
        let (id, _) = harness.ask(.remove([two]))
        harness.expect(.commit(.removing([two])), .answer(id, .removed(1)))
        #expect(harness.holders == [1: 2])
        harness.reply(to: call)
        harness.expect(.commit([.cohort(1), .put(two, cohort: 1), .health]))
        #expect(harness.holders == [1: 3])
        #expect(harness.show(two)?.state == .fresh && harness.show(two)?.entry.watch == nil)
    }
}
