import Control
import RecordKeeping

/// The fields of an entry and its record, by their names in the interface.
struct FieldValues {
    let entry: Interface.Entry
    /// The time at which the age is measured, in milliseconds since 1970.
    var now = Times.now

    private static let entryNames = [
        "address", "state", "watched", "watchedUntil", "origin", "pinned", "tags", "note", "provider", "scannedAt",
        "age",
        "expiresAt", "changedAt", "reason", "failure", "offline",
    ]

    static let names = entryNames + FilterOptions.recordFields

    /// The columns of rows by default: without the age, so that unchanged entries have the same rows at any time.
    static let defaultColumns = names.filter { $0 != "age" }

    /// The fields, for help texts.
    static let help = """
        Fields of the entry: \(entryNames.joined(separator: ", ")). Fields of the record: \
        \(FilterOptions.recordFields.joined(separator: ", ")). The age is in seconds since the scan. The field offline \
        names the local databases that have a record, if there is no fresh one.
        """

    /// Returns the seconds since a scan; 0 if the clock was set back since then.
    ///
    /// - Parameter scannedAt: in milliseconds since 1970; nil if there is no record.
    static func age(ofScanAt scannedAt: Int64?, at now: Int64) -> Int64? {
        scannedAt.map { max(0, now.clampedSubtracting($0)) / 1_000 }
    }

    /// The value of a field; nil if it is unknown, and for a name that is not in `names`. If there is no record of the
    /// provider, the fields of the record are those of the local databases.
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
        case "age": Self.age(ofScanAt: entry.scannedAt, at: now).map { "\($0)" }
        case "expiresAt": entry.expiresAt.map { "\($0)" }
        case "changedAt": entry.changedAt.map { "\($0)" }
        case "reason": entry.reason
        case "failure": entry.failure?.kind
        case "offline": entry.offline?.database
        default: Record.Field(rawValue: name).flatMap { (entry.record ?? entry.substitute?.record)?.text(of: $0) }
        }
    }
}
