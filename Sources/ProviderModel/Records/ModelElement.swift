/// One object of a reply, with its fields in the provider's order.
struct ModelElement: Sendable {
    enum Value: Hashable, Sendable {
        case text(String)
        /// A number, written with at most four decimals.
        case number(Double)
        case integer(Int)
        case flag(Bool)
        case null
    }

    var fields: [(name: String, value: Value)]

    init(_ fields: [(name: String, value: Value)]) {
        self.fields = fields
    }

    func selecting(_ selection: FieldSelection) -> ModelElement {
        ModelElement(fields.filter { selection.contains($0.name) })
    }

    func withNumbersAsStrings() -> ModelElement {
        ModelElement(
            fields.map { field in
                switch field.value {
                case .number, .integer: (field.name, .text(Self.json(field.value)))
                default: field
                }
            })
    }

    func withNullFields() -> ModelElement {
        ModelElement(fields.map { ["status", "query"].contains($0.name) ? $0 : ($0.name, .null) })
    }

    var json: String {
        "{" + fields.map { "\"\($0.name)\":\(Self.json($0.value))" }.joined(separator: ",") + "}"
    }

    private static func json(_ value: Value) -> String {
        switch value {
        case .text(let text): quoted(text)
        case .number(let number): "\((number * 10_000).rounded() / 10_000)"
        case .integer(let number): "\(number)"
        case .flag(let flag): "\(flag)"
        case .null: "null"
        }
    }

    /// A JSON string (RFC 8259 §7): quotation marks, backslashes and control characters are escaped.
    private static func quoted(_ text: String) -> String {
        var json = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": json += "\\\""
            case "\\": json += "\\\\"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: json.unicodeScalars.append(scalar)
            }
        }
        return json + "\""
    }
}
