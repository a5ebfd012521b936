import ArgumentParser

/// The format of output in rows.
enum RowFormat: String, CaseIterable, ExpressibleByArgument {
    /// Aligned columns for people.
    case table
    /// Comma-separated values (RFC 4180).
    case csv
    /// Values separated by tabs. In values, a tab is written as \t, a line break as \n, and a backslash as \\.
    case tsv
    /// JSON Lines: an object per line.
    case jsonl
}
