/// SQL for the server: one message with statements that are separated by semicolons (PQsendQuery).
///
/// The server does not wait for the client between the statements. After an error, the server skips the remaining ones,
/// and an explicit transaction must be ended with ROLLBACK. Values are inserted with ``SQLValue/literal()``.
package struct SQLRequest: Hashable, Sendable {
    package let text: String

    package static func script(_ text: String) -> SQLRequest { SQLRequest(text: text) }

    /// Maximum size of the text in bytes. The server accepts less than 1 GiB (MaxAllocSize).
    static let maxBytes = 1 << 29

    /// Throws if the request cannot be sent: a message ends at a zero byte.
    func validate() throws(PostgreSQLError) {
        try Self.validate(byteCount: text.utf8.count)
        guard !text.utf8.contains(0) else { throw .invalidRequest(reason: "a text contains a zero byte") }
    }

    static func validate(byteCount: Int) throws(PostgreSQLError) {
        guard byteCount <= maxBytes else {
            throw .invalidRequest(reason: "the query has \(byteCount) bytes, more than \(maxBytes)")
        }
    }
}
