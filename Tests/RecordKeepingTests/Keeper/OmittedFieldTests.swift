import Testing

@testable import RecordKeeping

/// Fields that a reply leaves out: one omission is not a change.
@Suite struct OmittedFieldTests {
    private let one = IPAddress(v4: 0x0101_0101)

    private static var withoutCity: Record {
        var record = Record.example
        record.city = nil
        return record
    }

    /// Lets the record expire, and answers the call with another record.
    ///
    /// - Returns: the changes that are added to the history.
    private func refresh(_ harness: KeeperHarness, with record: Record) throws -> [[FieldChange]] {
        let call = try #require(harness.pass(.seconds(300) + Limits.gather).calls.first)
        let effects = harness.reply(to: call, record)
        return effects.commits.flatMap(\.writes).compactMap {
            if case .event(let event) = $0, event.kind == .changed { event.fields } else { nil }
        }
    }

    @Test func `a field that one reply leaves out has not changed`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .all, of: one)
        #expect(try refresh(harness, with: Self.withoutCity).isEmpty)
        let view = try #require(harness.show(one))
        #expect(view.entry.scan?.answer.record == Self.withoutCity, "the record is what the provider said last")
        #expect(view.entry.changedAt == nil)
        #expect(try refresh(harness, with: .example).isEmpty, "the field is back with its value")
        #expect(harness.show(one)?.entry.changedAt == nil)
    }

    @Test func `a field that two replies in a row leave out has changed`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .all, of: one)
        #expect(try refresh(harness, with: Self.withoutCity).isEmpty)
        let gone = [FieldChange(field: "city", old: "Berlin", new: nil)]
        #expect(try refresh(harness, with: Self.withoutCity) == [gone])
        #expect(try refresh(harness, with: Self.withoutCity).isEmpty, "the change is recorded once")
        #expect(try refresh(harness, with: .example) == [[FieldChange(field: "city", old: nil, new: "Berlin")]])
    }

    @Test func `a field that returns with another value has changed from its last value`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .all, of: one)
        #expect(try refresh(harness, with: Self.withoutCity).isEmpty)
        var other = Record.example
        other.city = "Bonn"
        let change = FieldChange(field: "city", old: "Berlin", new: "Bonn")
        #expect(try refresh(harness, with: other) == [[change]])
    }

    @Test func `other fields of a reply with an omission change at once`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .all, of: one)
        var other = Self.withoutCity
        other.country = "France"
        let change = FieldChange(field: "country", old: "Germany", new: "France")
        #expect(try refresh(harness, with: other) == [[change]])
    }

    @Test func `omissions in turn never add up to a change`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .all, of: one)
        var withoutCountry = Record.example
        withoutCountry.country = nil
        for record in [Self.withoutCity, withoutCountry, Self.withoutCity, .example, Self.withoutCity, .example] {
            #expect(try refresh(harness, with: record).isEmpty)
        }
    }

    @Test func `an address that the provider has no record of any more changes at once`() throws {
        let harness = try KeeperHarness.withRecord(ignoring: .all, of: one)
        #expect(try refresh(harness, with: Self.withoutCity).isEmpty)
        let call = try #require(harness.pass(.seconds(300) + Limits.gather).calls.first)
        let answers = [one: ElementAnswer.answered(.empty(reason: "reserved range"))]
        let quota = ReportedQuota(remaining: nil, resetsIn: nil)
        harness.handle(.replied(call.id, Reply(sentAt: harness.now, answers: answers, quota: quota)))
        let fields: [FieldChange] = harness.log.commits.flatMap(\.writes).flatMap { write -> [FieldChange] in
            if case .event(let event) = write, event.kind == .changed { event.fields } else { [] }
        }
        #expect(fields.map(\.field) == ["country", "city", "as", "asn"])
        #expect(fields.map(\.old) == ["Germany", "Berlin", "AS3320 Deutsche Telekom AG", "3320"])
        #expect(fields.allSatisfy { $0.new == nil })
    }
}
