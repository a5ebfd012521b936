import GRDB
package import RecordKeeping

extension Store {
    /// Reads kept events of a host name.
    ///
    /// - Parameters:
    ///   - before: only events with a smaller seq; nil for the newest.
    ///   - done: called on the store's reading queue with the newest events, newest first, at most `limit`.
    package func events(
        of name: HostName, before: Int64?, limit: Int,
        done: @escaping @Sendable (Result<[PublishedEvent], StoreError>) -> Void
    ) {
        read(done) { database in
            // Without the index, the query would read all events. It fails instead.
            let rows = try Row.fetchCursor(
                database,
                sql: "SELECT * FROM notice INDEXED BY notice_name WHERE name = ? AND seq < ? ORDER BY seq DESC",
                arguments: [name.description, before ?? .max])
            return try Self.first(limit, of: rows) { try Self.event($0) }
        }
    }
}
