import JSON

/// One object of a reply, with its fields in the provider's order.
struct ModelElement: Sendable {
    enum Value: Hashable, Sendable {
        case text(String)
        /// A number, rounded to four decimals.
        case number(Double)
        case integer(Int)
        /// A number in an unusual but valid spelling, such as `9e1`.
        case numeral(String)
        case flag(Bool)
        case null
    }

    /// The spelling of texts. All spellings of a text have the same value (RFC 8259, section 7).
    enum Spelling: Hashable, Sendable {
        /// UTF-8. Only the characters that must be escaped are escaped.
        case plain
        /// ASCII: `/` is escaped as `\/`, and other characters by their UTF-16 code units, such as `\u00e9`.
        case escaped
    }

    var fields: [(name: String, value: Value)]
    let spelling: Spelling

    init(_ fields: [(name: String, value: Value)], spelling: Spelling = .plain) {
        self.fields = fields
        self.spelling = spelling
    }

    func selecting(_ selection: FieldSelection) -> ModelElement {
        guard !selection.isComplete else { return self }
        return ModelElement(fields.filter { selection.contains($0.name) }, spelling: spelling)
    }

    func withNumbersAsStrings() -> ModelElement {
        ModelElement(fields.map { ($0.name, $0.value.withNumberAsString) }, spelling: spelling)
    }

    func withNullFields() -> ModelElement {
        ModelElement(
            fields.map { ["status", "query"].contains($0.name) ? $0 : ($0.name, .null) }, spelling: spelling)
    }

    func write(to writer: inout JSONWriter) {
        writer.object { writer in
            for (name, value) in fields {
                writer.rawValue { writer in
                    writer.rawText(name)
                    writer.raw(":")
                    value.write(to: &writer, spelling)
                }
            }
        }
    }
}

extension ModelElement.Value {
    var withNumberAsString: ModelElement.Value {
        switch self {
        case .number(let number): .text("\(Self.rounded(number))")
        case .integer(let number): .text("\(number)")
        default: self
        }
    }

    fileprivate func write(to writer: inout JSONWriter, _ spelling: ModelElement.Spelling) {
        switch self {
        case .text(let text):
            switch spelling {
            case .plain: writer.rawText(text)
            case .escaped: writer.raw(Self.escaped(text))
            }
        case .number(let number): writer.rawNumber(Self.rounded(number))
        case .integer(let number): writer.rawNumber(Int64(number))
        case .numeral(let text): writer.raw(Array(text.utf8))
        case .flag(let flag): writer.raw(flag ? "true" : "false")
        case .null: writer.raw("null")
        }
    }

    private static func rounded(_ number: Double) -> Double { (number * 10_000).rounded() / 10_000 }

    /// Returns a JSON string in the spelling `escaped`.
    private static func escaped(_ text: String) -> [UInt8] {
        var json: [UInt8] = [UInt8(ascii: "\"")]
        for unit in text.utf16 {
            switch unit {
            case 0x22, 0x2F, 0x5C: json += [UInt8(ascii: "\\"), UInt8(unit)]
            case 0x20..<0x7F: json.append(UInt8(unit))
            default:
                let digits = String(unit, radix: 16)
                json += Array("\\u\(String(repeating: "0", count: 4 - digits.count))\(digits)".utf8)
            }
        }
        return json + [UInt8(ascii: "\"")]
    }
}
