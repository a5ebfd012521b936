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
        output.print(bytes: bytes(of: rows, for: output))
    }

    /// Returns rows that follow the earlier ones, as complete lines.
    mutating func bytes(of rows: [(String) -> Value?], for output: Output) -> [UInt8] {
        defer { hasBegun = true }
        switch format {
        case .table:
            let cells = rows.map { row in names.map { Table.Cell(Self.time($0, row($0)) ?? Self.text(row($0))) } }
            let lines = table.nextLines(cells, on: output.terminal, isWhole: false)
            return (hasHeaders || hasBegun ? lines : Array(lines.dropFirst())).flatMap { output.bytes(of: $0) }
        case .csv:
            return lines(rows, for: output) { CSVRow($0).bytes }
        case .tsv:
            return lines(rows, for: output) { Array(($0.map(Self.escaped).joined(separator: "\t") + "\n").utf8) }
        case .jsonl:
            return rows.flatMap { row in output.document(members: names.map { ($0, row($0) ?? .null) }) }
        }
    }

    private func lines(
        _ rows: [(String) -> Value?], for output: Output, _ line: ([String]) -> [UInt8]
    ) -> [UInt8] {
        let header = hasHeaders && !hasBegun ? [names] : []
        let isTerminal = output.terminal.columns != nil
        return (header + rows.map { row in names.map { Self.text(row($0)) } }).flatMap { fields in
            // A terminal must not receive control characters, except between the values.
            line(isTerminal ? fields.map(\.printableLines) : fields)
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

    /// The fields of entries, changes, outages and host names that are times.
    private static let timeNames: Set = [
        "at", "scannedAt", "expiresAt", "changedAt", "since", "until", "watchedUntil", "answeredAt", "failedSince",
        "nextAt",
    ]

    private static func text(_ value: Value?) -> String { value?.fieldText ?? "" }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\t", with: "\\t").replacing("\n", with: "\\n")
            .replacing("\r", with: "\\r")
    }
}
