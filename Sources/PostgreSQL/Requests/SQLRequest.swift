/// SQL for the server.
package enum SQLRequest: Hashable, Sendable {
    /// One statement with parameters `$1`, `$2`, … (PQsendQueryParams). The server prepares it without a name, so it
    /// works behind a pooler in transaction mode.
    ///
    /// Integers, bytes and Booleans are sent in binary format, as int8, bytea and bool. The server infers the type of
    /// text and of NULL. With `binaryResults`, all columns must be of a type with a case in `SQLType`: this halves the
    /// size of bytea columns.
    case statement(String, [SQLValue] = [], binaryResults: Bool = false)
    /// One message with statements that are separated by semicolons (PQsendQuery): the server does not wait for the
    /// client between BEGIN and COMMIT. An error skips the remaining statements, and an explicit transaction then has
    /// to be ended by ROLLBACK. Values are inserted with ``SQLValue/literal()``.
    case script(String)

    /// Maximum number of parameters: their count has 16 bits in the protocol ("Message Formats", "Bind").
    static let maxParameters = 65_535

    /// Maximum size of a text or a value in bytes. The server accepts less than 1 GiB (MaxAllocSize).
    static let maxValueBytes = 1 << 29

    /// Throws if the request cannot be sent: strings end at a zero byte.
    func validate() throws(PostgreSQLError) {
        switch self {
        case .statement(let text, let values, _):
            guard values.count <= Self.maxParameters else {
                throw .invalidRequest(reason: "\(values.count) parameters, more than \(Self.maxParameters)")
            }
            try Self.validate(text)
            for value in values {
                switch value {
                case .text(let text): try Self.validate(text)
                case .bytes(let bytes): try Self.validate(byteCount: bytes.count)
                case .null, .bool, .integer: break
                }
            }
        case .script(let text):
            try Self.validate(text)
        }
    }

    private static func validate(_ text: String) throws(PostgreSQLError) {
        try validate(byteCount: text.utf8.count)
        guard !text.utf8.contains(0) else { throw .invalidRequest(reason: "a text contains a zero byte") }
    }

    private static func validate(byteCount: Int) throws(PostgreSQLError) {
        guard byteCount <= maxValueBytes else {
            throw .invalidRequest(reason: "a value has \(byteCount) bytes, more than \(maxValueBytes)")
        }
    }
}
