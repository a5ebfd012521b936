/// Rows for one statement, as an array of values per column: unnest() turns them back into rows.
struct ColumnArrays {
    private let types: [String]
    private var columns: [[SQLArgument]]

    /// - Parameter types: the types of the columns.
    init(_ types: [String]) {
        self.types = types
        columns = types.map { _ in [] }
    }

    var count: Int { columns.first?.count ?? 0 }

    /// Appends a row with a value for each column.
    mutating func append(_ row: [SQLArgument]) {
        precondition(row.count == types.count, "each column has a value")
        for (index, value) in row.enumerated() { columns[index].append(value) }
    }

    /// The call of unnest().
    func expression() throws(FleetStoreError) -> String {
        var arrays: [String] = []
        for (column, type) in zip(columns, types) { arrays.append(SQLArgument.array(try column.elements(), of: type)) }
        return "unnest(\(arrays.joined(separator: ", ")))"
    }
}
