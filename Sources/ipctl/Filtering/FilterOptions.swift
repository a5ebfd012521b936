import ArgumentParser
import Control
import RecordKeeping

/// Options that select entries of the watch list, by what is known about them now and by their changes.
struct FilterOptions: ParsableArguments {
    @OptionGroup var entry: EntryOptions

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Only entries that changed since this time: 24h (ago), 2026-11-20, \"2026-11-20 08:00\".",
            valueName: "time"), transform: { try TimePoint(option: $0) })
    var changedSince: TimePoint?

    @Option(
        help: ArgumentHelp(
            "Count only changes to this field; requires --changed-since; can be repeated.", valueName: "name"),
        completion: .list(FilterOptions.recordFields))
    var changedField: [String] = []

    static let recordFields = Record.Field.allCases.map(\.rawValue)
    static let repeatable = EntryOptions.repeatable.union(["--changed-field"])

    func validate() throws {
        try Choice.check("field", changedField, in: Self.recordFields)
        guard changedField.isEmpty || changedSince != nil else {
            throw ValidationError("--changed-field requires --changed-since")
        }
    }

    /// The conditions; nil if there are none.
    var filter: Interface.Filter? {
        var filter = entry.filter
        filter.changedSince = changedSince?.milliseconds
        filter.changedFields = changedField.isEmpty ? nil : changedField
        return filter == Interface.Filter() ? nil : filter
    }

    /// Returns the error for a watch list without entries, or without matching entries.
    var noMatches: CommandError {
        guard filter == nil else {
            return CommandError(status: .negative, message: "no entry on the watch list matches")
        }
        return CommandError(
            status: .negative, message: "the watch list is empty",
            advice: "Add addresses with: ipctl add ADDRESS…, or ipctl add --file FILE")
    }
}
