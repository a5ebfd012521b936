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
            // The index exists if a name was ever watched. Without it, the query would read all events.
            let index = "SELECT 1 FROM sqlite_master WHERE type = 'index' AND name = 'notice_name'"
            guard try Row.fetchOne(database, sql: index) != nil else { return [] }
            let rows = try Row.fetchCursor(
                database, sql: "SELECT * FROM notice WHERE name = ? AND seq < ? ORDER BY seq DESC",
                arguments: [name.description, before ?? .max])
            return try Self.first(limit, of: rows) { try Self.event($0) }
        }
    }
}
