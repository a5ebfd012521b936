import Testing

@testable import RecordKeeping

/// Replies with elements that are repeated byte for byte, and therefore are not decoded.
@Suite struct RepeatedElementTests {
    private let all = addresses(3)
    private let one = addresses(3)[0]
    private let two = addresses(3)[1]

    private static func digest(_ number: Int) -> ElementDigest {
        ElementDigest(hash: UInt64(number), length: 9)
    }

    /// Returns a keeper that knows the digests of all records.
    private func harness() throws -> KeeperHarness {
        let harness = try KeeperHarness.withRecords(of: all)
        try reply(to: try harness.expireRecords(), in: harness, with: .answered(.record(.example)))
        harness.expect(.commit([.cohort(1), .health]))
        return harness
    }

    /// Replies with the same answer about each address, except those in `others`. Nil stands for a repeated element.
    private func reply(
        to call: Call, in harness: KeeperHarness, with answer: ElementAnswer?,
        except others: [IPAddress: ElementAnswer] = [:]
    ) throws {
        var reply = Reply(sentAt: harness.now, answers: [:], quota: ReportedQuota(remaining: nil, resetsIn: nil))
        for (index, address) in call.addresses.enumerated() {
            reply.answers[address] = others[address] ?? answer
            if case .answered = reply.answers[address] { reply.digests[address] = Self.digest(index) }
        }
        reply.repetitions = call.addresses.map { reply.answers[$0] == nil }
        harness.handle(.replied(call.id, reply))
    }

    @Test func `a call contains the digests of the stored answers`() throws {
        let harness = try harness()
        let call = try harness.expireRecords()
        #expect(call.digests == [Self.digest(0), Self.digest(1), Self.digest(2)])
    }

    @Test func `without an answer, the digest is unknown`() throws {
        let harness = KeeperHarness(ignoring: .all, settings: .shortInterval)
        harness.add(all)
        let call = try #require(harness.pass(Limits.gather).calls.first)
        #expect(call.digests == [nil, nil, nil])
        harness.reply(to: call)
        #expect(try harness.expireRecords().digests == [nil, nil, nil], "the reply had none")
    }

    @Test func `repeated elements renew their cohort`() throws {
        let harness = try harness()
        for _ in 0..<2 {
            let call = try harness.expireRecords()
            try reply(to: call, in: harness, with: nil)
            harness.expect(.commit([.cohort(1), .health]))
            #expect(harness.holders == [1: 3])
            for address in all {
                let view = try #require(harness.show(address))
                #expect(view.state == .fresh && view.entry.scan?.at == harness.now)
                #expect(view.entry.scan?.answer == .record(.example))
            }
            #expect(call.digests.allSatisfy { $0 != nil })
        }
    }

    @Test func `after a failure or an omission, the element has to be decoded`() throws {
        let harness = try harness()
        var withoutCity = Record.example
        withoutCity.city = nil
        try reply(
            to: try harness.expireRecords(), in: harness, with: nil,
            except: [one: .malformed("no status"), two: .answered(.record(withoutCity))])
        harness.discardEffects()
        let retry = try #require(harness.pass(.seconds(1) + Limits.gather).calls.first)
        harness.discardEffects()
        #expect(retry.addresses == [one] && retry.digests == [nil])
        try reply(to: retry, in: harness, with: .answered(.record(.example)))
        harness.discardEffects()
        let calls = harness.pass(harness.keeper.settings.interval + .seconds(5)).calls
        harness.discardEffects()
        let digests = calls.flatMap { zip($0.addresses, $0.digests) }
        #expect(try #require(digests.first { $0.0 == two }).1 == nil)
        #expect(try #require(digests.first { $0.0 == one }).1 != nil, "the failure is over")
    }

    @Test func `an address that is removed and added during its call is called again`() throws {
        let harness = try harness()
        let call = try harness.expireRecords()
        let (removal, _) = harness.ask(.remove([two]))
        harness.expect(.commit(.removing([two])), .answer(removal, .removed(1)))
        let (addition, _) = harness.ask(.add([two], tags: [], note: nil))
        harness.expect(.commit(.adding([two])), .answer(addition, .added(1, already: 0)))
        let (show, _) = harness.ask(.show([two], wait: .seconds(30)))
        try reply(to: call, in: harness, with: nil)
        harness.expect(.commit([.cohort(1), .health]))
        let again = try #require(harness.pass(Limits.gather).calls.first)
        #expect(again.addresses == [two] && again.digests == [nil])
        harness.discardEffects()
        harness.reply(to: again)
        let answered = harness.log.contains { if case .answer(show, .entries) = $0 { true } else { false } }
        #expect(answered)
        harness.discardEffects()
        #expect(harness.show(two)?.state == .fresh)
    }

    @Test func `an address that is removed during its call is not called again`() throws {
        let harness = try harness()
        let call = try harness.expireRecords()
        let (removal, _) = harness.ask(.remove([two]))
        harness.expect(.commit(.removing([two])), .answer(removal, .removed(1)))
        try reply(to: call, in: harness, with: nil)
        harness.expect(.commit([.cohort(1), .health]))
        #expect(harness.keeper.footprint.entries == 2)
        #expect(harness.pass(.seconds(5)).calls.isEmpty)
    }
}
