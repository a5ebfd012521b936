import PostgreSQL

/// Rows for one statement, as an array of values per column: unnest() turns them back into rows.
struct ColumnArrays {
    private let types: [String]
    private var columns: [[String]]

    /// - Parameter types: the types of the columns.
    init(_ types: [String]) {
        self.types = types
        columns = types.map { _ in [] }
    }

    var count: Int { columns.first?.count ?? 0 }

    /// Appends a row with a value for each column.
    mutating func append(_ row: [StateValue]) {
        precondition(row.count == types.count, "each column has a value")
        for (index, value) in row.enumerated() { columns[index].append(value.element) }
    }

    /// The call of unnest().
    var expression: String {
        let arrays = zip(columns, types).map { "ARRAY[\($0.joined(separator: ","))]::\($1)[]" }
        return "unnest(\(arrays.joined(separator: ", ")))"
    }
}

/// A value of the current state.
enum StateValue {
    case integer(Int64?)
    case text(String?)
    case bool(Bool?)
    case degrees(Double?)

    /// The value as an element of an array.
    ///
    /// PostgreSQL cannot store zero bytes in text, which a provider or a client might send. A failure would stop all
    /// commits, so each is replaced with U+FFFD. The journal's rows keep the bytes.
    var element: String {
        switch self {
        case .integer(let number): number.map { "\($0)" } ?? "NULL"
        case .bool(let value): value.map { $0 ? "TRUE" : "FALSE" } ?? "NULL"
        case .degrees(let number): number.map { "'\($0)'" } ?? "NULL"
        case .text(let text): text.map { SQLValue.literal(replacingZeroBytes: $0) } ?? "NULL"
        }
    }
}
