import Dispatch
import GRDB
import Glibc
package import RecordKeeping
import StoredValues
import Synchronization

extension Store {
    /// Reads kept events with a `seq` above `after`, at most `limit`, up to a gap.
    ///
    /// - Parameter done: called on the store's reading queue, as for all queries.
    package func events(
        after: Int64, limit: Int, done: @escaping @Sendable (Result<EventPage, StoreError>) -> Void
    ) {
        read(done) { try Self.events($0, after: after, limit: limit) }
    }

    /// Reads the newest outages, newest first, at most `limit`.
    ///
    /// - Parameter before: only outages that began earlier; nil for all.
    package func outages(
        before: WallTime?, limit: Int, done: @escaping @Sendable (Result<[Outage], StoreError>) -> Void
    ) {
        read(done) { database in
            let rows = try Row.fetchCursor(
                database, sql: "SELECT * FROM outage WHERE since < ? ORDER BY since DESC, number DESC",
                arguments: [before?.milliseconds ?? .max])
            return try Self.first(limit, of: rows) { try Outage($0) }
        }
    }

    func read<Found>(
        _ done: @escaping @Sendable (Result<Found, StoreError>) -> Void,
        _ query: @escaping @Sendable (Database) throws -> Found
    ) {
        reader.async { [self] in done(result { try pool.read(query) }) }
    }

    private static func events(_ database: Database, after: Int64, limit: Int) throws -> EventPage {
        var (events, seqs): ([PublishedEvent], ClosedRange<Int64>?) = ([], nil)
        let rows = try Row.fetchCursor(
            database, sql: "SELECT * FROM notice WHERE seq > ? ORDER BY seq", arguments: [after])
        while events.count < limit, let row = try rows.next() {
            let seq: Int64 = try row.column(0)
            // Events are missing here. The next page begins after the gap, so that the reader detects the gap.
            if let read = seqs, seq != read.upperBound + 1 { break }
            seqs = (seqs?.lowerBound ?? seq)...seq
            if let event = try readable({ try event(row) }) { events.append(event) }
        }
        return EventPage(events, seqs: seqs)
    }

    /// Returns the first `limit` values that can be decoded.
    static func first<Value>(
        _ limit: Int, of rows: RowCursor, _ make: (Row) throws -> Value?
    ) throws -> [Value] {
        var values: [Value] = []
        while values.count < limit, let row = try rows.next() {
            if let value = try readable({ try make(row) }) { values.append(value) }
        }
        return values
    }

    /// - Returns: nil for a kind that a newer version may have written.
    static func event(_ row: Row) throws -> PublishedEvent? {
        guard let kind = PublishedEvent.Kind(rawValue: try row.column(2)) else { return nil }
        return PublishedEvent(
            seq: try row.column(0), at: WallTime(milliseconds: try row.column(1)), kind: kind,
            address: try (row.column(3) as String?).map { try IPAddress($0) },
            fields: try (row.column(4) as String?).map { try JSONColumn.value(from: $0) } ?? [],
            message: try row.column(5), user: try user(row),
            name: try (row.column(7) as String?).map { try HostName($0) })
    }

    private static func user(_ row: Row) throws -> UInt32? {
        guard let user: Int64 = try row.column(6) else { return nil }
        guard let id = UInt32(exactly: user) else { throw UnreadableColumn(name: "user") }
        return id
    }

    /// The number of changes in the history of all addresses.
    package var changeCount: Int64 { changes.load(ordering: .relaxed) }

    /// The size of the database and its log on disk, in bytes.
    package var bytes: Int64 {
        [path, path + "-wal"].reduce(0) { sum, file in
            var status = stat()
            return stat(file, &status) == 0 ? sum + Int64(status.st_size) : sum
        }
    }
}

/// - Returns: nil for a row that cannot be decoded: a newer version wrote the row, or the database was edited or is
///   damaged. The query continues with the next row.
func readable<Value>(_ make: () throws -> Value?) throws -> Value? {
    do {
        return try make()
    } catch is UnreadableColumn, is DecodingError, is IPAddress.ParseError, is HostName.ParseError {
        // The client asked for other rows as well, and cannot repair this row.
        return nil
    }
}

extension Outage {
    /// - Returns: nil for a cause that a newer version may have written.
    /// - Throws: ``UnreadableColumn`` for a value of another type.
    init?(_ row: Row) throws {
        guard let cause = Cause(rawValue: try row.column(3)) else { return nil }
        self.init(
            number: try row.column(0), since: WallTime(milliseconds: try row.column(1)),
            until: (try row.column(2) as Int64?).map { WallTime(milliseconds: $0) }, cause: cause,
            message: try row.column(4), deferred: try row.column(5))
    }
}
