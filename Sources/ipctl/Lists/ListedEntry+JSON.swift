import Varlink

/// A line of JSON Lines (jsonlines.org): `{"address":"192.0.2.1","note":null,"pinned":false,"tags":["dns"]}`.
extension ListedEntry {
    var json: [UInt8] { Wire.encode(self).dropLast() + [UInt8(ascii: "\n")] }

    /// - Parameter line: a line without its line break.
    init(json line: ArraySlice<UInt8>) throws(LineError) {
        let unchecked: ListedEntry
        do {
            unchecked = try Wire.decode(ListedEntry.self, from: line)
        } catch let error as DecodingError {
            throw LineError(error.summary)
        } catch let error as LineError {
            throw error
        } catch {
            throw LineError("not valid JSON: \(error)")
        }
        self = try ListedEntry(checking: unchecked)
    }
}

/// The JSON form of an entry, which is not validated when it is decoded.
extension ListedEntry: Codable {
    private struct Name: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    private static let (address, tags) = (Name(stringValue: "address"), Name(stringValue: "tags"))
    private static let (note, pinned) = (Name(stringValue: "note"), Name(stringValue: "pinned"))
    private static let watchedUntil = Name(stringValue: "watchedUntil")
    /// Other members in the output of `list --json`, which are ignored so that this output can be imported.
    private static let ignoredNames = Set(FieldValues.names + ["record"]).subtracting(names)

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: Name.self)
        // The value of a misspelled member would be lost silently.
        for key in members.allKeys where !Self.names.contains(key.stringValue) {
            guard Self.ignoredNames.contains(key.stringValue) else {
                throw LineError(
                    "unknown member \(LineError.quoted(key.stringValue)); expected one of: "
                        + Self.names.joined(separator: ", "))
            }
        }
        self.init(
            address: try members.decode(String.self, forKey: Self.address),
            tags: try members.decodeIfPresent([String].self, forKey: Self.tags) ?? [],
            note: try members.decodeIfPresent(String.self, forKey: Self.note),
            isPinned: try members.decodeIfPresent(Bool.self, forKey: Self.pinned) ?? false,
            watchedUntil: try members.decodeIfPresent(Int64.self, forKey: Self.watchedUntil))
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: Name.self)
        try members.encode(address, forKey: Self.address)
        try members.encode(tags, forKey: Self.tags)
        try members.encode(note, forKey: Self.note)
        try members.encode(isPinned, forKey: Self.pinned)
        try members.encodeIfPresent(watchedUntil, forKey: Self.watchedUntil)
    }
}

extension DecodingError {
    /// The error as a message for the user.
    fileprivate var summary: String {
        switch self {
        case .keyNotFound(let key, _): "missing member \"\(key.stringValue)\""
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            context.codingPath.first.map { "\"\($0.stringValue)\" must be \(Self.wanted($0.stringValue))" }
                ?? "expected one JSON object per line, such as {\"address\":\"192.0.2.1\"}"
        default: "not valid JSON: expected one object per line, such as {\"address\":\"192.0.2.1\"}"
        }
    }

    private static func wanted(_ member: String) -> String {
        switch member {
        case "tags": "an array of strings, such as [\"dns\"]"
        case "pinned": "true or false"
        case "watchedUntil": "a Unix time in milliseconds"
        default: "a string"
        }
    }
}
