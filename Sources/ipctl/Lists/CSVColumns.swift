/// Which column of a CSV file holds what, by its header.
struct CSVColumns {
    private let names: [String]

    static let header = CSVRow(ListedEntry.names)

    init(_ header: CSVRow) throws(BadLine) {
        names = header.fields
        guard names.contains("address") else {
            throw BadLine(
                "this is no list: it begins with a line of JSON, or with the header \(ListedEntry.names.joined(separator: ","))"
            )
        }
        for (index, name) in names.enumerated() {
            guard ListedEntry.names.contains(name) else {
                throw BadLine(
                    "there is no column \(BadLine.quoted(name)); the columns are \(ListedEntry.names.joined(separator: ", "))"
                )
            }
            guard !names[..<index].contains(name) else { throw BadLine("there are two columns \"\(name)\"") }
        }
    }

    func entry(_ row: CSVRow) throws(BadLine) -> ListedEntry {
        guard row.fields.count == names.count else {
            throw BadLine("there are \(names.count) columns, and this has \(row.fields.count)")
        }
        func field(_ name: String) -> String { names.firstIndex(of: name).map { row.fields[$0] } ?? "" }
        return try ListedEntry(
            checking: ListedEntry(
                address: field("address"), tags: field("tags").split { $0 == " " }.map(String.init),
                note: field("note"),
                isPinned: try Self.isPinned(field("pinned"))))
    }

    private static func isPinned(_ text: String) throws(BadLine) -> Bool {
        switch text {
        case "true": true
        case "false", "": false
        default: throw BadLine("\(BadLine.quoted(text)) is neither true nor false, as \"pinned\" has to be")
        }
    }
}

extension ListedEntry {
    /// Tags are words, so that a blank parts them.
    var csv: CSVRow { CSVRow([address, tags.joined(separator: " "), note ?? "", isPinned ? "true" : "false"]) }
}
