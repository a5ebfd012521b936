import ArgumentParser

/// Options for output in rows.
struct RowOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The format of the output: table, csv, tsv or jsonl (default: table).",
            discussion: "Except in a table, times are in milliseconds since 1970-01-01 UTC."))
    var format: RowFormat?

    @Option(
        help: ArgumentHelp("Print these fields, in this order, separated by commas.", valueName: "name,…"),
        completion: .columnNames, transform: { try RowOptions.names($0) })
    var columns: [String]?

    @Flag(help: "Leave out the line with the names of the columns.")
    var noHeaders = false

    /// Whether the output differs from the default table.
    var isCustom: Bool { format ?? .table != .table || columns != nil }

    private static func names(_ text: String) throws -> [String] {
        let names = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard !names.contains("") else {
            throw ValidationError("expected names separated by commas, such as address,country,isp")
        }
        return names
    }

    /// - Parameter names: the fields that the command has.
    /// - Throws: a `ValidationError` that lists the fields, or that names a conflict with another option.
    func check(names: [String], isJSON: Bool) throws {
        try Choice.check("field", columns ?? [], in: names)
        guard !isJSON || !(isCustom || noHeaders) else {
            throw ValidationError(
                "give --json, or --format and --columns, not both; --format jsonl prints one object per line")
        }
    }
}
