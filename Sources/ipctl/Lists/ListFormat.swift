import ArgumentParser

/// How a watch list is written down.
enum ListFormat: String, CaseIterable, ExpressibleByArgument {
    case jsonl, csv

    /// By the end of a file's name; JSON Lines where that says nothing.
    init(ofFile name: String) {
        self = name.lowercased().hasSuffix(".csv") ? .csv : .jsonl
    }

    /// By the first byte that is no blank: a line of JSON begins with a brace, a header does not.
    ///
    /// - Returns: nil where all are blank.
    init?(ofContent bytes: some Sequence<UInt8>) {
        let blanks: Set<UInt8> = [
            UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"),
        ]
        guard let first = bytes.first(where: { !blanks.contains($0) }) else { return nil }
        self = first == UInt8(ascii: "{") ? .jsonl : .csv
    }
}
