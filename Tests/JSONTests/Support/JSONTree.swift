import JSON

/// A JSON text as a tree, read with `JSONScanner`. Numbers keep their spelling.
indirect enum JSONTree: Hashable, Sendable {
    case null
    case bool(Bool)
    case number(String)
    /// Nil for a string without a value.
    case text(String?)
    case array([JSONTree])
    case object([Member])

    struct Member: Hashable, Sendable {
        let name: String
        let value: JSONTree

        init(_ name: String, _ value: JSONTree) {
            (self.name, self.value) = (name, value)
        }
    }

    init(_ text: [UInt8]) throws(JSONError) {
        var scanner = JSONScanner(text.span.bytes)
        self = try Self(&scanner, text)
        try scanner.end()
    }

    private init(_ scanner: inout JSONScanner, _ text: [UInt8]) throws(JSONError) {
        switch try scanner.kind() {
        case .null:
            try scanner.null()
            self = .null
        case .bool: self = .bool(try scanner.bool())
        case .number: self = .number(String(decoding: text[try scanner.number().range], as: UTF8.self))
        case .string: self = .text(try Self.string(&scanner))
        case .array:
            var elements: [JSONTree] = []
            try scanner.beginArray()
            while try scanner.nextElement() { elements.append(try JSONTree(&scanner, text)) }
            self = .array(elements)
        case .object:
            var members: [Member] = []
            try scanner.beginObject()
            while let name = try scanner.nextName() {
                members.append(Member(scanner.string(of: name), try JSONTree(&scanner, text)))
            }
            self = .object(members)
        }
    }

    private static func string(_ scanner: inout JSONScanner) throws(JSONError) -> String? {
        let text = try scanner.string()
        return text.isValid ? scanner.string(of: text) : nil
    }
}
