import Varlink

/// A line of JSON Lines (jsonlines.org): `{"address":"192.0.2.1","note":null,"pinned":false,"tags":["dns"]}`.
extension ListedEntry {
    var json: [UInt8] { Wire.encode(JSONText(entry: self)).dropLast() + [UInt8(ascii: "\n")] }

    /// - Parameter line: without its end.
    init(json line: ArraySlice<UInt8>) throws(BadLine) {
        let text: JSONText
        do {
            text = try Wire.decode(JSONText.self, from: line)
        } catch let error as DecodingError {
            throw BadLine(error.inWords)
        } catch let error as BadLine {
            throw error
        } catch {
            throw BadLine("this is no JSON: \(error)")
        }
        self = try ListedEntry(checking: text.entry)
    }
}

/// An entry as JSON has it, unchecked.
private struct JSONText: Codable {
    var entry: ListedEntry

    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private static let (address, tags) = (Name(stringValue: "address"), Name(stringValue: "tags"))
    private static let (note, pinned) = (Name(stringValue: "note"), Name(stringValue: "pinned"))
    /// What `list --json` prints beside: a line of it may be imported as it is.
    private static let passedOver = Set(FieldValues.names + ["record"]).subtracting(ListedEntry.names)

    init(entry: ListedEntry) {
        self.entry = entry
    }

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Name.self)
        // A name with a slip of the pen would lose what it holds.
        for key in members.allKeys where !ListedEntry.names.contains(key.stringValue) {
            guard Self.passedOver.contains(key.stringValue) else {
                throw BadLine(
                    "there is no member \(BadLine.quoted(key.stringValue)); the members are "
                        + ListedEntry.names.joined(separator: ", "))
            }
        }
        entry = ListedEntry(
            address: try members.decode(String.self, forKey: Self.address),
            tags: try members.decodeIfPresent([String].self, forKey: Self.tags) ?? [],
            note: try members.decodeIfPresent(String.self, forKey: Self.note),
            isPinned: try members.decodeIfPresent(Bool.self, forKey: Self.pinned) ?? false)
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Name.self)
        try members.encode(entry.address, forKey: Self.address)
        try members.encode(entry.tags, forKey: Self.tags)
        try members.encode(entry.note, forKey: Self.note)
        try members.encode(entry.isPinned, forKey: Self.pinned)
    }
}

extension DecodingError {
    /// For whoever wrote the line.
    fileprivate var inWords: String {
        switch self {
        case .keyNotFound(let key, _): "the member \"\(key.stringValue)\" is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            context.codingPath.first.map { "\"\($0.stringValue)\" has to be \(Self.wanted($0.stringValue))" }
                ?? "a line is one JSON object, such as {\"address\":\"192.0.2.1\"}"
        default: "this is no JSON: a line is one object, such as {\"address\":\"192.0.2.1\"}"
        }
    }

    private static func wanted(_ member: String) -> String {
        switch member {
        case "tags": "a list of texts, such as [\"dns\"]"
        case "pinned": "true or false"
        default: "a text"
        }
    }
}
