import Varlink

/// The entries of a reply as rows, with the fields of their records.
struct EntryRows {
    /// The parameters of the reply.
    let parameters: Value
    /// The time at which ages are measured, in milliseconds since 1970.
    private let now: Int64

    init(of parameters: Value, now: Int64 = Times.now) {
        (self.parameters, self.now) = (parameters, now)
    }

    private var entries: [Value] {
        if case .array(let entries)? = parameters["entries"] { entries } else { [] }
    }

    var rows: [(String) -> Value?] {
        entries.map { entry in { name in name == "age" ? age(of: entry) : entry[name] ?? entry["record"]?[name] } }
    }

    /// Returns the age of a record, which is not part of the reply.
    private func age(of entry: Value) -> Value? {
        guard case .int(let scannedAt)? = entry["scannedAt"] else { return nil }
        return FieldValues.age(ofScanAt: scannedAt, at: now).map { .int($0) }
    }

    /// The reply without some of its entries.
    func keeping(_ isKept: [Bool]) -> EntryRows {
        guard isKept.contains(false), case .object(var members) = parameters else { return self }
        members["entries"] = .array(zip(entries, isKept).filter(\.1).map(\.0))
        return EntryRows(of: .object(members), now: now)
    }
}
