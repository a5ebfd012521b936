import JSON

/// Values as JSON text.
extension Value {
    /// Reads a value, which may have as many levels of nesting as ``JSONScanner`` allows. Of several members with the
    /// same name, the last one counts.
    init(from scanner: inout JSONScanner) throws(JSONError) {
        switch try scanner.kind() {
        case .null:
            try scanner.null()
            self = .null
        case .bool: self = .bool(try scanner.bool())
        case .number: self = try Self.number(from: &scanner)
        case .string: self = .string(try Self.text(try scanner.string(), in: scanner))
        case .array:
            var elements: [Value] = []
            try scanner.beginArray()
            while try scanner.nextElement() { elements.append(try Value(from: &scanner)) }
            self = .array(elements)
        case .object:
            var members: [String: Value] = [:]
            try scanner.beginObject()
            while let name = try scanner.nextName() {
                members[try Self.text(name, in: scanner)] = try Value(from: &scanner)
            }
            self = .object(members)
        }
    }

    private static func number(from scanner: inout JSONScanner) throws(JSONError) -> Value {
        let number = try scanner.number()
        if let integer = number.int64 { return .int(integer) }
        guard let double = scanner.double(of: number) else {
            throw JSONError(problem: .invalidNumber, offset: number.range.lowerBound)
        }
        return .double(double)
    }

    private static func text(_ text: JSONText, in scanner: borrowing JSONScanner) throws(JSONError) -> String {
        guard text.isValid else { throw JSONError(problem: .invalidString, offset: text.range.lowerBound) }
        return scanner.string(of: text)
    }

    /// Writes the value, with the members of objects sorted by name.
    func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.rawValue { $0.raw("null") }
        case .bool(let flag): writer.value(flag)
        case .int(let number): writer.value(number)
        case .double(let number): writer.rawValue { $0.rawNumber(number) }
        case .string(let text): writer.value(text)
        case .array(let elements): writer.array { for element in elements { element.write(to: &$0) } }
        case .object(let members):
            writer.object {
                for (name, value) in members.sorted(by: { $0.key < $1.key }) {
                    $0.name(escaping: name)
                    value.write(to: &$0)
                }
            }
        }
    }
}
