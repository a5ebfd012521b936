import Control
import RecordKeeping
import Varlink

/// The fields of an entry and its record as JSON values, by the names of `FieldValues`. If there is no record of the
/// provider, the fields of the record are those of the local databases.
struct EntryValues {
    let entry: Interface.Entry
    /// The time at which the age is measured, in milliseconds since 1970.
    let now: Int64

    /// The value of a field; nil if it is unknown or an empty list, and for other names.
    subscript(name: String) -> Value? {
        switch name {
        case "watched": .bool(entry.watched)
        case "pinned": .bool(entry.pinned)
        case "tags": entry.tags.isEmpty ? nil : .array(entry.tags.map { .string($0) })
        case "watchedUntil": entry.watchedUntil.map { .int($0) }
        case "scannedAt": entry.scannedAt.map { .int($0) }
        case "expiresAt": entry.expiresAt.map { .int($0) }
        case "changedAt": entry.changedAt.map { .int($0) }
        case "age": FieldValues.age(ofScanAt: entry.scannedAt, at: now).map { .int($0) }
        default:
            if let field = Record.Field(rawValue: name) {
                (entry.record ?? entry.substitute?.record)?[field].map { Value($0) }
            } else {
                // The other fields of an entry are strings.
                FieldValues(entry: entry, now: now)[name].map { .string($0) }
            }
        }
    }
}

extension Value {
    fileprivate init(_ value: Record.Value) {
        self =
            switch value {
            case .text(let text): .string(text)
            case .number(let number): .int(Int64(number))
            case .degrees(let degrees): .double(degrees)
            case .flag(let flag): .bool(flag)
            }
    }
}
