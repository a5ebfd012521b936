import Control
import RecordKeeping

/// The fields of an entry and its record, by their names in the interface.
struct FieldValues {
    let entry: Interface.Entry

    private static let entryNames = [
        "address", "state", "watched", "watchedUntil", "origin", "pinned", "tags", "note", "provider", "scannedAt",
        "expiresAt",
        "changedAt", "reason", "failure",
    ]

    static let names = entryNames + FilterOptions.recordFields

    /// The fields, for help texts.
    static let help = """
        Fields of the entry: \(entryNames.joined(separator: ", ")). Fields of the record: \
        \(FilterOptions.recordFields.joined(separator: ", ")).
        """

    /// The value of a field; nil if it is unknown, and for a name that is not in `names`.
    subscript(name: String) -> String? {
        switch name {
        case "address": entry.address
        case "state": entry.state
        case "watched": "\(entry.watched)"
        case "watchedUntil": entry.watchedUntil.map { "\($0)" }
        case "origin": entry.origin
        case "pinned": "\(entry.pinned)"
        case "tags": entry.tags.joined(separator: ",")
        case "note": entry.note
        case "provider": entry.provider
        case "scannedAt": entry.scannedAt.map { "\($0)" }
        case "expiresAt": entry.expiresAt.map { "\($0)" }
        case "changedAt": entry.changedAt.map { "\($0)" }
        case "reason": entry.reason
        case "failure": entry.failure?.kind
        default: Record.Field(rawValue: name).flatMap { entry.record?.text(of: $0) }
        }
    }
}
