/// The columns of a CSV file, as named in its header.
struct CSVColumns {
    private let names: [String]

    static let header = CSVRow(ListedEntry.names)

    init(_ header: CSVRow) throws(LineError) {
        names = header.fields
        guard names.contains("address") else {
            throw LineError(
                "not a watch list: expected a line of JSON, or the header \(ListedEntry.names.joined(separator: ","))")
        }
        for (index, name) in names.enumerated() {
            guard ListedEntry.names.contains(name) else {
                throw LineError(
                    "unknown column \(LineError.quoted(name)); expected one of: "
                        + ListedEntry.names.joined(separator: ", "))
            }
            guard !names[..<index].contains(name) else { throw LineError("duplicate column \"\(name)\"") }
        }
    }

    func entry(_ row: CSVRow) throws(LineError) -> ListedEntry {
        guard row.fields.count == names.count else {
            throw LineError("expected \(names.count) columns, got \(row.fields.count)")
        }
        func field(_ name: String) -> String { names.firstIndex(of: name).map { row.fields[$0] } ?? "" }
        return try ListedEntry(
            checking: ListedEntry(
                address: field("address"), tags: field("tags").split { $0 == " " }.map(String.init),
                note: field("note"),
                isPinned: try Self.isPinned(field("pinned")),
                watchedUntil: try Self.time(field("watchedUntil"), named: "watchedUntil")))
    }

    private static func time(_ text: String, named name: String) throws(LineError) -> Int64? {
        guard !text.isEmpty else { return nil }
        guard let time = Int64(text) else {
            throw LineError("\"\(name)\" must be a Unix time in milliseconds, got \(LineError.quoted(text))")
        }
        return time
    }

    private static func isPinned(_ text: String) throws(LineError) -> Bool {
        switch text {
        case "true": true
        case "false", "": false
        default: throw LineError("\"pinned\" must be true or false, got \(LineError.quoted(text))")
        }
    }
}

extension ListedEntry {
    /// The CSV row; tags are separated by spaces, which tags cannot contain.
    var csv: CSVRow {
        CSVRow([
            address, tags.joined(separator: " "), note ?? "", isPinned ? "true" : "false",
            watchedUntil.map { "\($0)" } ?? "",
        ])
    }
}
