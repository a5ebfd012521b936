/// The change of one fact of a record, in human-readable form.
package struct FactChange: Hashable, Sendable {
    /// The name of the fact, as `ipctl show` prints it.
    package let name: String
    /// The older value; "(none)" if the provider omitted it.
    package let old: String
    package let new: String

    /// Creates the change of a field that this version does not know.
    fileprivate init(unknown change: FieldChange) {
        (name, old, new) = (change.field, change.old ?? Self.none, change.new ?? Self.none)
    }

    /// - Parameters:
    ///   - fields: the fields of the fact that changed, the main one first; not empty.
    ///   - changes: the changes of these fields.
    fileprivate init(_ fields: [Record.Field], _ changes: [Record.Field: FieldChange]) {
        let first = fields[0]
        name = fields.count == 1 ? first.nameInText : first.fact.name
        old = Self.text(fields) { changes[$0]?.old }
        new = Self.text(fields) { changes[$0]?.new }
    }

    private static let none = "(none)"

    private static func text(_ fields: [Record.Field], _ value: (Record.Field) -> String?) -> String {
        let known = fields.filter { value($0) != nil }
        let parts = known.compactMap { field in value(field).map { field.displayed($0) } }
        guard let main = parts.first else { return none }
        guard parts.count > 1 else { return main }
        switch known[0].fact {
        case .coordinates, .timeZone: return parts.joined(separator: ", ")
        default: return "\(main) (\(parts[1]))"
        }
    }
}

extension [FieldChange] {
    /// The changes grouped by fact, in the order in which the first field of each fact appears.
    package var facts: [FactChange] {
        var changes: [Record.Field: FieldChange] = [:]
        for change in self {
            if let field = Record.Field(rawValue: change.field) { changes[field] = change }
        }
        var listed: Set<Record.Fact> = []
        return compactMap { change in
            guard let field = Record.Field(rawValue: change.field) else { return FactChange(unknown: change) }
            guard listed.insert(field.fact).inserted else { return nil }
            let fields = field.fact.fields.filter { changes[$0] != nil }
            return FactChange(fields.isEmpty ? [field] : fields, changes)
        }
    }

    /// The changes as one line: "city Berlin → Bonn, postal code 10115 → 53111".
    package var sentence: String {
        facts.map { "\($0.name) \($0.old) → \($0.new)" }.joined(separator: ", ")
    }
}

extension Record.Field {
    /// Returns a value of the field in human-readable form: "yes" for a flag that is set, "UTC+1" for an offset of 3600
    /// seconds.
    fileprivate func displayed(_ text: String) -> String {
        switch storage {
        case .flag: text == "true" ? "yes" : text == "false" ? "no" : text
        case .offset: Int(text).map(Record.utcOffset) ?? text
        default: text
        }
    }
}

extension Record {
    /// Returns an offset such as "UTC+1" or "UTC-3:30".
    package static func utcOffset(_ seconds: Int) -> String {
        let minutes = seconds.magnitude / 60 % 60
        let tail = minutes == 0 ? "" : minutes < 10 ? ":0\(minutes)" : ":\(minutes)"
        return "UTC\(seconds < 0 ? "-" : "+")\(seconds.magnitude / 3_600)\(tail)"
    }
}
