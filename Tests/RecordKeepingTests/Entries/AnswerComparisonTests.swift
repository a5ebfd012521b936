import Testing

@testable import RecordKeeping

/// The comparison of an entry with a new answer, field by field.
@Suite struct AnswerComparisonTests {
    /// The fields that a record stores. `asn` follows from `as`.
    private static let fields = Record.Field.allCases.filter { $0 != .asn }

    /// The fields that change with a field.
    private static func changing(with field: Record.Field) -> [Record.Field] {
        field == .as ? [.as, .asn] : [field]
    }

    private static func entry(_ record: Record, omitting omissions: [FieldChange] = []) -> Entry {
        Entry(scan: Scan(answer: .record(record), at: KeeperHarness.start, provider: "mock"), omissions: omissions)
    }

    private static func compare(_ entry: Entry, _ record: Record) -> AnswerComparison {
        compare(entry, .record(record))
    }

    private static func compare(_ entry: Entry, _ answer: Answer) -> AnswerComparison {
        AnswerComparison(of: entry, with: Scan(answer: answer, at: KeeperHarness.start, provider: "mock"))
    }

    /// The changes from one record to another, by a comparison of all fields.
    private static func changes(from old: Record, to new: Record) -> [FieldChange] {
        Record.Field.allCases.filter { old[$0] != new[$0] }
            .map { FieldChange(field: $0.rawValue, old: old.text(of: $0), new: new.text(of: $0)) }
    }

    // MARK: Changes

    @Test(arguments: fields) func `records that differ in one field have this change`(field: Record.Field) {
        let (old, new) = (Record.complete(), Record.complete(except: field, variant: 2))
        let comparison = Self.compare(Self.entry(old), new)
        #expect(comparison.changes.map(\.field) == Self.changing(with: field).map(\.rawValue))
        #expect(comparison.changes == Self.changes(from: old, to: new))
        #expect(comparison.changes.allSatisfy { $0.old != nil && $0.new != nil })
        #expect(comparison.omissions.isEmpty)
    }

    @Test(arguments: [
        (["place"], Record.Field.ofPlace), (["network"], Record.Field.ofNetwork),
        (["place", "network"], Record.Field.ofPlace + Record.Field.ofNetwork),
    ])
    func `records that share the rest have the changes of the other fields`(parts: [String], fields: [Record.Field]) {
        let (old, other) = (Record.complete(), Record.complete(variant: 2))
        // A record with these parts of the other one, and one with all of it except these parts.
        var (some, rest) = (old, other)
        if parts.contains("place") { (some.place, rest.place) = (other.place, old.place) }
        if parts.contains("network") { (some.network, rest.network) = (other.network, old.network) }
        for (new, changed) in [(some, fields), (rest, Record.Field.allCases.filter { !fields.contains($0) })] {
            let comparison = Self.compare(Self.entry(old), new)
            #expect(comparison.changes.map(\.field) == Record.Field.allCases.filter(changed.contains).map(\.rawValue))
            #expect(comparison.changes == Self.changes(from: old, to: new) && comparison.omissions.isEmpty)
        }
    }

    @Test func `equal records have no change, whether or not they share their values`() {
        let (old, copy) = (Record.complete(), Record.complete())
        #expect(!old.place.isSame(as: copy.place) && !old.network.isSame(as: copy.network))
        for new in [old, copy] {
            let comparison = Self.compare(Self.entry(old), new)
            #expect(comparison.changes.isEmpty && comparison.omissions.isEmpty)
        }
    }

    @Test func `the first answer has no change`() {
        let comparison = Self.compare(Entry(), .complete())
        #expect(comparison.changes.isEmpty && comparison.omissions.isEmpty)
    }

    @Test func `a record in place of an empty answer has a change of each field, and the reverse`() {
        let reason = Answer.empty(reason: "reserved range")
        let empty = Entry(scan: Scan(answer: reason, at: KeeperHarness.start, provider: "mock"))
        let appeared = Self.compare(empty, .complete())
        #expect(appeared.changes == Self.changes(from: Record(), to: .complete()) && appeared.omissions.isEmpty)
        #expect(appeared.changes.count == Record.Field.allCases.count)
        let disappeared = Self.compare(Self.entry(.complete()), reason)
        #expect(disappeared.changes == Self.changes(from: .complete(), to: Record()))
        #expect(disappeared.omissions.isEmpty, "the provider has said that it has no record")
        let other = Self.compare(empty, .empty(reason: "private range"))
        #expect(other.changes.isEmpty && other.omissions.isEmpty)
    }

    // MARK: Omissions

    /// The omissions of a field that the last record left out, and its value before.
    private static func omissions(of field: Record.Field) -> [FieldChange] {
        changing(with: field).map {
            FieldChange(field: $0.rawValue, old: Record.complete().text(of: $0), new: nil)
        }
    }

    @Test(arguments: fields)
    func `a field that is left out for the first time is not a change yet`(field: Record.Field) {
        let comparison = Self.compare(Self.entry(.complete()), .complete(except: field, variant: nil))
        #expect(comparison.changes.isEmpty)
        #expect(comparison.omissions == Self.omissions(of: field))
    }

    @Test(arguments: fields) func `a field that is left out for the second time has changed`(field: Record.Field) {
        let record = Record.complete(except: field, variant: nil)
        let omissions = Self.omissions(of: field)
        let comparison = Self.compare(Self.entry(record, omitting: omissions), record)
        #expect(comparison.changes == omissions)
        #expect(comparison.omissions.isEmpty)
    }

    @Test(arguments: fields) func `a field that returns is compared with its last value`(field: Record.Field) {
        let entry = Self.entry(.complete(except: field, variant: nil), omitting: Self.omissions(of: field))
        let same = Self.compare(entry, .complete())
        #expect(same.changes.isEmpty && same.omissions.isEmpty)
        let other = Record.complete(except: field, variant: 2)
        let changed = Self.compare(entry, other)
        #expect(changed.changes == Self.changes(from: .complete(), to: other))
        #expect(changed.omissions.isEmpty)
    }

    @Test(arguments: fields) func `a second omission and an omission of another field are distinguished`(
        field: Record.Field
    ) {
        for other in Self.fields where other != field {
            let entry = Self.entry(.complete(except: field, variant: nil), omitting: Self.omissions(of: field))
            var both = Record.complete(except: field, variant: nil)
            both.set(other, to: nil)
            let comparison = Self.compare(entry, both)
            #expect(comparison.changes == Self.omissions(of: field))
            #expect(comparison.omissions == Self.omissions(of: other))
        }
    }

    @Test func `a field that was never there is not an omission`() {
        let comparison = Self.compare(
            Self.entry(.complete(except: .city, variant: nil)), .complete(except: .city, variant: nil))
        #expect(comparison.changes.isEmpty && comparison.omissions.isEmpty)
        let appeared = Self.compare(Self.entry(.complete(except: .city, variant: nil)), .complete())
        #expect(appeared.changes == [FieldChange(field: "city", old: nil, new: "city 1")])
    }
}

extension Record {
    /// A record with all fields.
    ///
    /// - Parameter variant: determines the values.
    fileprivate static func complete(variant: Int = 1) -> Record {
        var record = Record()
        for field in Field.allCases { record.set(field, to: variant) }
        return record
    }

    /// The complete record with another value of one field, or without this field.
    fileprivate static func complete(except field: Field, variant: Int?) -> Record {
        var record = complete()
        record.set(field, to: variant)
        return record
    }

    /// Sets a field to a value that depends on the variant; nil removes it. `asn` is set by setting `as`.
    fileprivate mutating func set(_ field: Field, to variant: Int?) {
        let text = variant.map { field == .as ? "AS\($0) Net" : "\(field.rawValue) \($0)" }
        switch field.storage {
        case .place(let path):
            var place = place.value
            place[keyPath: path] = text
            self.place = Interned(place)
        case .offset: self.offset = variant.map { 3_600 * $0 }
        case .network(let path):
            var network = network.value
            network[keyPath: path] = text
            self.network = Interned(network)
        case .asn: break
        case .degrees(let path): self[keyPath: path] = variant.map { Double($0) + 0.5 }
        case .own(let path): self[keyPath: path] = text
        case .flag(let path): self[keyPath: path] = variant.map { $0 == 1 }
        }
    }
}
