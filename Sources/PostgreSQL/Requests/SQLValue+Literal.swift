extension SQLValue {
    /// The value as a constant in the text of an SQL statement.
    ///
    /// A literal has the same meaning whether `standard_conforming_strings` is on or off, because text with a backslash
    /// becomes an escape string, as PQescapeLiteral does it ("Lexical Structure", "String Constants with C-Style
    /// Escapes"). It requires that the connection's encoding is UTF-8, in which no byte of another character is a quote
    /// or a backslash. Integers are quoted, because `1 -` followed by `-1` would begin a comment.
    ///
    /// - Throws: `invalidRequest` if a text contains a zero byte, which PostgreSQL cannot store.
    package func literal() throws(PostgreSQLError) -> String {
        switch self {
        case .null: "NULL"
        case .bool(let value): value ? "TRUE" : "FALSE"
        case .integer(let value): "'\(value)'::int8"
        case .text(let text): try Self.literal(text)
        case .bytes(let bytes): "E'\\\\x\(Self.hexadecimal(bytes))'::bytea"
        }
    }

    /// The text as a constant, with U+FFFD in place of each zero byte.
    package static func literal(replacingZeroBytes text: String) -> String {
        quoted(text.utf8.contains(0) ? text.replacing("\0", with: "\u{FFFD}") : text)
    }

    private static func literal(_ text: String) throws(PostgreSQLError) -> String {
        guard !text.utf8.contains(0) else { throw .invalidRequest(reason: "a text contains a zero byte") }
        return quoted(text)
    }

    private static func quoted(_ text: String) -> String {
        // A leading space separates the prefix from a word before it.
        var literal = text.utf8.contains(UInt8(ascii: "\\")) ? Array(" E'".utf8) : [UInt8(ascii: "'")]
        literal.reserveCapacity(text.utf8.count + 5)
        for byte in text.utf8 {
            if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\\") { literal.append(byte) }
            literal.append(byte)
        }
        literal.append(UInt8(ascii: "'"))
        return String(decoding: literal, as: UTF8.self)
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(unsafeUninitializedCapacity: bytes.count * 2) { text in
            for (index, byte) in bytes.enumerated() {
                text[2 * index] = digits[Int(byte >> 4)]
                text[2 * index + 1] = digits[Int(byte & 0xF)]
            }
            return bytes.count * 2
        }
    }
}
