import Control
import Varlink

/// Prints rows with the same columns.
struct RowPrinter {
    let format: RowFormat
    let names: [String]
    private let hasHeaders: Bool
    private var hasBegun = false
    private var table: Table

    init(_ options: RowOptions, names: [String]) {
        format = options.format ?? .table
        self.names = options.columns ?? names
        hasHeaders = !options.noHeaders
        table = Table(columns: self.names.map { Table.Column(title: $0.uppercased(), shrinksTo: 8) })
    }

    /// Prints rows below the earlier ones.
    ///
    /// - Parameter rows: functions that return the value of a column; nil if it is unknown.
    mutating func write(_ rows: [(String) -> Value?], to output: Output) {
        switch format {
        case .table:
            let cells = rows.map { row in names.map { Table.Cell(Self.time($0, row($0)) ?? Self.text(row($0))) } }
            let lines = table.nextLines(cells, on: output.terminal, isWhole: false)
            output.print(hasHeaders || hasBegun ? lines : Array(lines.dropFirst()))
        case .csv:
            put(rows, to: output) { CSVRow($0).bytes }
        case .tsv:
            put(rows, to: output) { Array(($0.map(Self.escaped).joined(separator: "\t") + "\n").utf8) }
        case .jsonl:
            for row in rows { output.print(members: names.map { ($0, row($0) ?? .null) }) }
        }
        hasBegun = true
    }

    private func put(_ rows: [(String) -> Value?], to output: Output, _ line: ([String]) -> [UInt8]) {
        let header = hasHeaders && !hasBegun ? [names] : []
        let isTerminal = output.terminal.columns != nil
        for fields in header + rows.map({ row in names.map { Self.text(row($0)) } }) {
            // A terminal must not receive control characters, except between the values.
            output.print(bytes: line(isTerminal ? fields.map(\.printableLines) : fields))
        }
    }

    /// Returns a time field as a date and time, and an age with its unit; nil for other fields and for unknown values.
    /// The other formats print them as numbers, as in JSON.
    private static func time(_ name: String, _ value: Value?) -> String? {
        guard case .int(let number)? = value else { return nil }
        // An age is a number of milliseconds divided by 1,000, so the product does not overflow.
        if name == "age" { return Times.span(milliseconds: number * 1_000) }
        return timeNames.contains(name) ? Times.date(number) : nil
    }

    /// The fields of entries, changes and outages that are times.
    private static let timeNames: Set = ["at", "scannedAt", "expiresAt", "changedAt", "since", "until", "watchedUntil"]

    /// The value as in `--field`: the elements of a list are separated by commas.
    private static func text(_ value: Value?) -> String {
        switch value {
        case nil, .null: ""
        case .bool(let value): "\(value)"
        case .int(let value): "\(value)"
        case .double(let value): "\(value)"
        case .string(let value): value
        case .array(let values): values.map { text($0) }.joined(separator: ",")
        // A failure, or a record of local databases.
        case .object(let members): (members["kind"] ?? members["database"]).map { text($0) } ?? ""
        }
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\t", with: "\\t").replacing("\n", with: "\\n")
            .replacing("\r", with: "\\r")
    }
}
