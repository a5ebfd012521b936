import Control
import Varlink

/// Prints the changes of records: as sentences, as rows, or as one JSON document.
struct ChangePrinter {
    private var writer: RowPrinter?
    private let order: SortOptions
    private let isOfOne: Bool

    /// The columns of rows.
    static let names = ["at", "address", "field", "old", "new", "seq"]

    /// - Parameters:
    ///   - isInRows: whether each changed field is a row.
    ///   - isOfOne: whether all changes are of one address, so that sentences need not name it.
    init(_ rows: RowOptions, _ order: SortOptions, isInRows: Bool, isOfOne: Bool) {
        writer = isInRows ? RowPrinter(rows, names: Self.names) : nil
        self.order = order
        self.isOfOne = isOfOne
    }

    /// Prints changes below the earlier ones. Rows are sorted only among these changes.
    mutating func print(_ changes: [Interface.Change], _ output: Output) {
        if output.isJSON {
            output.print(.object(["changes": .array(changes.map { Self.document(of: $0) })]))
        } else if writer != nil {
            var rows: [(String) -> Value?] = []
            for change in changes {
                for field in change.fields { rows.append { Self.value($0, of: field, in: change) } }
            }
            writer?.write(order.sorted(rows) { $0($1) }, to: output)
        } else {
            for change in changes {
                output.print(ChangeLines(change: change, hasAddress: !isOfOne).lines(on: output.terminal))
            }
        }
    }

    /// Returns a change as in the daemon's replies.
    private static func document(of change: Interface.Change) -> Value {
        let fields = change.fields.map { field in
            Value.object([
                "field": .string(field.field), "old": field.old.map { .string($0) } ?? .null,
                "new": field.new.map { .string($0) } ?? .null,
            ])
        }
        return .object([
            "seq": .int(change.seq), "at": .int(change.at), "address": .string(change.address),
            "fields": .array(fields),
        ])
    }

    private static func value(_ name: String, of field: Interface.FieldChange, in change: Interface.Change) -> Value? {
        switch name {
        case "at": .int(change.at)
        case "address": .string(change.address)
        case "seq": .int(change.seq)
        default: EventRows.value(name, of: field)
        }
    }
}
