import JSON
import RecordKeeping

/// The names of the members of entries and of their records. Similar entries have the same members in the same order,
/// so the name that followed the previous member last time is tried first.
struct EntryNames {
    /// The members of a fresh entry, in the order in which the daemon writes them. `ScannedEntry` reads some of them.
    enum Member: String, CaseIterable {
        case address, state, watched, origin, pinned, tags, record, provider, scannedAt, expiresAt, changedAt
    }

    var members = OrderedNames(Member.allCases)
    /// The fields, approximately in the order in which the daemon writes them: first those that records share.
    var fields = OrderedNames(shared + Record.Field.allCases.filter { !shared.contains($0) })

    private static let shared = Record.Field.ofPlace + Record.Field.ofNetwork
}

/// Values with their names, in the order in which they probably occur.
struct OrderedNames<Value: RawRepresentable> where Value.RawValue == String {
    /// The name of a member.
    enum Name {
        case value(Value)
        /// A name that has no value.
        case other
    }

    private let values: [Value]
    private let names: [PlainName]
    /// The index of the value that probably comes next.
    private var next = 0

    init(_ values: [Value]) {
        self.values = values
        names = values.map { PlainName($0.rawValue) }
    }

    /// Reads the name of the next member. At the end of the object, reads the end and returns nil.
    @inline(__always)
    mutating func nextName(in scanner: inout JSONScanner) throws(JSONError) -> Name? {
        if let index = scanner.nextName(among: names, startingAt: next) {
            next = index + 1 == names.count ? 0 : index + 1
            return .value(values[index])
        }
        return try nextUnusualName(in: &scanner)
    }

    private func nextUnusualName(in scanner: inout JSONScanner) throws(JSONError) -> Name? {
        guard let name = try scanner.nextName() else { return nil }
        return values.first { scanner.text(name, equals: $0.rawValue) }.map { .value($0) } ?? .other
    }
}
