import ArgumentParser

/// The format of lines that are enriched.
enum LineFormat: String, CaseIterable, ExpressibleByArgument {
    /// Any text. An annotation follows the line or each address.
    case text
    /// JSON Lines. An object gets a member with the fields of each address.
    case json = "jsonl"
    /// Comma-separated values (RFC 4180). A row gets a column for each field.
    case csv
    /// Pairs of the form key=value. A line gets a pair for each field of each address.
    case logfmt
}
