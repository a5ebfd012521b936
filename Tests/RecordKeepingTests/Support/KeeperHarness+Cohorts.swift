import Testing

@testable import RecordKeeping

/// Records that were fetched together, and their cohorts.
extension KeeperHarness {
    /// Returns a keeper that watches these addresses. Their records, which are equal, belong to cohort 1, and expire
    /// after a minute. The ids of the entries ascend from 1.
    static func withRecords(
        of addresses: [IPAddress], changesPerTurn: Int = Limits.changesPerTurn,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> KeeperHarness {
        let harness = KeeperHarness(
            ignoring: .upkeep, settings: .shortInterval, changesPerTurn: changesPerTurn, sourceLocation: sourceLocation)
        harness.add(addresses)
        harness.discardEffects()
        let call = try #require(harness.pass(Limits.gather).calls.first)
        harness.discardEffects()
        harness.reply(to: call)
        harness.expect(.commit(.records(of: addresses, cohort: 1) + [.health]), sourceLocation: sourceLocation)
        return harness
    }

    /// Lets all records expire.
    ///
    /// - Returns: the call that refreshes them.
    func expireRecords() throws -> Call {
        let call = try #require(pass(keeper.settings.interval + Limits.gather).calls.first)
        discardEffects()
        return call
    }

    /// Replies to a call with the example record of each address, or with another answer; nil stands for a missing
    /// element.
    @discardableResult
    func reply(to call: Call, answering others: [IPAddress: ElementAnswer?]) -> [Effect] {
        var answers: [IPAddress: ElementAnswer] = [:]
        for address in call.addresses {
            if let other = others[address] {
                answers[address] = other
            } else {
                answers[address] = .answered(.record(.example))
            }
        }
        let quota = ReportedQuota(remaining: nil, resetsIn: nil)
        return handle(.replied(call.id, Reply(sentAt: now, answers: answers, quota: quota)))
    }

    /// Replies to a call with elements that all repeat the stored answers byte for byte, and are not decoded.
    @discardableResult
    func repeatAnswers(to call: Call) -> [Effect] {
        var reply = Reply(sentAt: now, answers: [:], quota: ReportedQuota(remaining: nil, resetsIn: nil))
        reply.repetitions = call.addresses.map { _ in true }
        return handle(.replied(call.id, reply))
    }

    /// Returns the cohort to which the record of an address belongs; nil if there is no record.
    func cohort(of address: IPAddress) -> CohortTable.Row? {
        let slots = keeper.slots
        guard let index = slots.index(of: address), slots.peek(index).cohort != 0 else { return nil }
        return slots.cohorts[slots.peek(index).cohort]
    }

    /// The number of holders of each row of the store. A cohort and the one that takes over its row have the same id
    /// until the commit is on disk.
    var holders: [Int64: Int32] {
        let cohorts = keeper.slots.cohorts
        return Dictionary(cohorts.inUse.map { (cohorts[$0].id.number, cohorts[$0].holders) }, uniquingKeysWith: +)
    }
}

extension Settings {
    /// A provider without documented limits, and records that expire soon, so that no commit of a short test maintains
    /// the history.
    static var shortInterval: Settings {
        var settings = Settings.unlimitedProvider
        settings.interval = .seconds(60)
        return settings
    }
}

extension Record {
    /// The example record with another city.
    static var inBonn: Record {
        var record = Record.example
        record.city = "Bonn"
        return record
    }
}
