import JSON

/// The types of the values in a JSON text, and the texts that do not depend on the address.
indirect enum JSONShape {
    case object([(name: String, value: JSONShape)])
    case array([JSONShape])
    case string(String)
    case number(isWhole: Bool)
    case bool
    case null

    /// The members whose texts are compared. Other texts may differ between providers.
    private static let compared: Set = ["status", "message", "query"]

    /// - Returns: nil if the text is not JSON.
    init?(_ text: [UInt8]) {
        var scanner = JSONScanner(text.span.bytes)
        do {
            self = try Self.read(&scanner)
            try scanner.end()
        } catch {
            return nil
        }
    }

    private static func read(_ scanner: inout JSONScanner) throws(JSONError) -> JSONShape {
        switch try scanner.kind() {
        case .object:
            var members: [(name: String, value: JSONShape)] = []
            try scanner.beginObject()
            while let name = try scanner.nextName() {
                let name = scanner.string(of: name)
                members.append((name, try read(&scanner)))
            }
            return .object(members)
        case .array:
            var elements: [JSONShape] = []
            try scanner.beginArray()
            while try scanner.nextElement() { elements.append(try read(&scanner)) }
            return .array(elements)
        case .string:
            let text = try scanner.string()
            return .string(scanner.string(of: text))
        case .number:
            let number = try scanner.number()
            return .number(isWhole: scanner.double(of: number).map { Int(exactly: $0) != nil } ?? false)
        case .bool:
            _ = try scanner.bool()
            return .bool
        case .null:
            try scanner.null()
            return .null
        }
    }

    private var type: String {
        switch self {
        case .object: "an object"
        case .array: "an array"
        case .string: "a string"
        case .number: "a number"
        case .bool: "a Boolean"
        case .null: "null"
        }
    }

    /// Returns a line for each difference.
    ///
    /// - Parameter path: the place of the value, such as `[2].lat`; empty for the whole text.
    func differences(from expected: JSONShape, at path: String = "") -> [String] {
        let place = path.isEmpty ? "the body" : path
        let name = path.split(separator: ".").last.map(String.init) ?? ""
        switch (expected, self) {
        case (.object(let wanted), .object(let found)):
            let (wantedNames, foundNames) = (wanted.map(\.name), found.map(\.name))
            let prefix = path.isEmpty ? "" : path + "."
            var lines: [String] = []
            for name in wantedNames where !foundNames.contains(name) { lines.append("\(prefix)\(name) is missing") }
            for name in foundNames where !wantedNames.contains(name) { lines.append("\(prefix)\(name) is unexpected") }
            for member in wanted {
                guard let value = found.first(where: { $0.name == member.name })?.value else { continue }
                lines += value.differences(from: member.value, at: prefix + member.name)
            }
            return lines
        case (.array(let wanted), .array(let found)):
            guard wanted.count == found.count else {
                return ["\(place) has \(found.count) elements; expected \(wanted.count)"]
            }
            return zip(wanted, found).enumerated().flatMap { index, pair in
                pair.1.differences(from: pair.0, at: "\(path)[\(index)]")
            }
        case (.string(let wanted), .string(let found)):
            guard Self.compared.contains(name), wanted != found else { return [] }
            return ["\(place) is \"\(found)\"; expected \"\(wanted)\""]
        case (.number, .number(let isWhole)):
            return name == "offset" && !isWhole ? ["\(place) is not a whole number"] : []
        case (.bool, .bool), (.null, .null):
            return []
        default:
            return ["\(place) is \(type); expected \(expected.type)"]
        }
    }
}
