/// A row of CSV (RFC 4180).
struct CSVRow {
    let fields: [String]

    init(_ fields: [String]) {
        self.fields = fields
    }

    /// With its line break. What holds a comma, a quote or a line break is quoted, and so is what begins or ends with a blank.
    var bytes: [UInt8] {
        Array(fields.map(Self.written).joined(separator: [UInt8(ascii: ",")])) + [
            UInt8(ascii: "\r"), UInt8(ascii: "\n"),
        ]
    }

    private static func written(_ field: String) -> [UInt8] {
        let (bytes, quote, blank) = (Array(field.utf8), UInt8(ascii: "\""), UInt8(ascii: " "))
        guard bytes.contains(where: special.contains) || bytes.first == blank || bytes.last == blank else {
            return bytes
        }
        return [quote] + bytes.flatMap { $0 == quote ? [quote, quote] : [$0] } + [quote]
    }

    private static let special: Set<UInt8> = [
        UInt8(ascii: ","), UInt8(ascii: "\""), UInt8(ascii: "\r"), UInt8(ascii: "\n"),
    ]

    /// - Parameter row: without its line break.
    init(reading row: ArraySlice<UInt8>) throws(BadLine) {
        guard let text = String(validating: row, as: UTF8.self) else { throw BadLine("this is no UTF-8 text") }
        var (fields, rest) = ([String](), text.unicodeScalars[...])
        while true {
            fields.append(rest.first == "\"" ? try Self.quoted(&rest) : try Self.plain(&rest))
            // A field ends at a comma or at the end of the row.
            guard rest.popFirst() != nil else { break }
        }
        self.fields = fields
    }

    private static func plain(_ rest: inout Substring.UnicodeScalarView) throws(BadLine) -> String {
        let field = rest.prefix { $0 != "," }
        guard !field.contains("\"") else {
            throw BadLine("a field that holds a quote has to begin with one: \(BadLine.quoted(Substring(field)))")
        }
        rest = rest[field.endIndex...]
        return String(field)
    }

    private static func quoted(_ rest: inout Substring.UnicodeScalarView) throws(BadLine) -> String {
        var field = ""
        rest.removeFirst()
        while let next = rest.popFirst() {
            guard next == "\"" else {
                field.unicodeScalars.append(next)
                continue
            }
            if rest.first == "\"" {
                field.unicodeScalars.append("\"")
                rest.removeFirst()
            } else if rest.isEmpty || rest.first == "," {
                return field
            } else {
                throw BadLine("after the quote that closes a field comes a comma; a quote inside is written twice")
            }
        }
        throw BadLine("a quote is opened and not closed")
    }
}
