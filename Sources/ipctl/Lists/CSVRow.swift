/// A row of CSV (RFC 4180).
struct CSVRow {
    let fields: [String]

    init(_ fields: [String]) {
        self.fields = fields
    }

    /// The row with its line break. Fields with a comma, a quote, a line break, or a leading or trailing space are
    /// quoted.
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

    /// - Parameter row: a row without its line break.
    init(reading row: ArraySlice<UInt8>) throws(LineError) {
        guard let text = String(validating: row, as: UTF8.self) else { throw LineError("not valid UTF-8") }
        var (fields, rest) = ([String](), text.unicodeScalars[...])
        while true {
            fields.append(rest.first == "\"" ? try Self.quoted(&rest) : try Self.plain(&rest))
            // A field ends at a comma or at the end of the row.
            guard rest.popFirst() != nil else { break }
        }
        self.fields = fields
    }

    private static func plain(_ rest: inout Substring.UnicodeScalarView) throws(LineError) -> String {
        let field = rest.prefix { $0 != "," }
        guard !field.contains("\"") else {
            throw LineError("a field that contains a quote must be quoted: \(LineError.quoted(Substring(field)))")
        }
        rest = rest[field.endIndex...]
        return String(field)
    }

    private static func quoted(_ rest: inout Substring.UnicodeScalarView) throws(LineError) -> String {
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
                throw LineError("expected a comma after the closing quote; write a quote inside a field twice")
            }
        }
        throw LineError("unterminated quote")
    }
}
