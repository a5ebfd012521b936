import ArgumentParser

/// The file format of `ipctl export`: a watch list, or the records in a form for other programs.
enum ExportFormat: String, CaseIterable, ExpressibleByArgument {
    case jsonl, csv, mmdb

    /// The format that a file name's extension indicates; JSON Lines by default.
    init(ofFile name: String) {
        if name.lowercased().hasSuffix(".mmdb") {
            self = .mmdb
        } else {
            self = ListFormat(ofFile: name) == .csv ? .csv : .jsonl
        }
    }
}
