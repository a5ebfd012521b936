import ArgumentParser

/// The file format of an exported watch list.
enum ListFormat: String, CaseIterable, ExpressibleByArgument {
    case jsonl, csv

    /// The format that a file name's extension indicates; JSON Lines by default.
    init(ofFile name: String) {
        self = name.lowercased().hasSuffix(".csv") ? .csv : .jsonl
    }

    /// The format, detected from the first byte that is not white space: JSON begins with a brace, a CSV header does
    /// not.
    ///
    /// - Returns: nil if there is only white space.
    init?(ofContent bytes: some Sequence<UInt8>) {
        let blanks: Set<UInt8> = [
            UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"),
        ]
        guard let first = bytes.first(where: { !blanks.contains($0) }) else { return nil }
        self = first == UInt8(ascii: "{") ? .jsonl : .csv
    }
}
