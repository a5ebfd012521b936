import GRDB
package import RecordKeeping
import StoredValues

/// The history of records.
extension Store {
    /// Reads the newest changes that a query selects. One call reads a limited number of rows. If few of them match,
    /// the page has fewer changes than the query allows, or none, although others follow.
    package func changes(
        _ query: ChangeQuery, done: @escaping @Sendable (Result<ChangePage, StoreError>) -> Void
    ) {
        read(done) { database in
            if let addresses = query.addresses { return try Self.changes(database, query, of: addresses) }
            return try Self.changesOfAll(database, query)
        }
    }

    /// Number of rows that are read at once to find changes, if there are not more addresses: at most some 70 ms of
    /// work, if the fields of all changes are compared.
    static let rowsPerRead = 10_000

    /// Reads changes of addresses through the primary key, which begins with the address.
    ///
    /// The same number of the newest changes of each address bounds the rows: the read ends with the newest change that
    /// follows them. As for all entries, the search ends if all changes of a read are older than the period.
    private static func changes(
        _ database: Database, _ query: ChangeQuery, of addresses: [IPAddress]
    ) throws -> ChangePage {
        let arguments: [String: (any DatabaseValueConvertible)?] = [
            "addresses": JSONColumn.text(addresses.map(\.description)), "before": query.before ?? .max,
        ]
        let start =
            try Int64.fetchOne(
                database,
                sql: """
                    SELECT max((
                      SELECT seq FROM change WHERE address = asked.value AND seq < :before
                      ORDER BY seq DESC LIMIT 1 OFFSET :rows - 1))
                    FROM json_each(:addresses) AS asked
                    """,
                arguments: StatementArguments(
                    arguments.merging(["rows": max(1, rowsPerRead / max(1, addresses.count))]) { $1 }))
        var page = try changes(
            database, query,
            sql: """
                change WHERE address IN (SELECT value FROM json_each(:addresses)) AND seq >= :start AND seq < :before
                """,
            orderedBy: "seq", arguments.merging(["start": start ?? 0]) { $1 })
        guard page.next == nil, let start else { return page }
        let isOver =
            try query.since.map { since in
                try Int64.fetchOne(
                    database,
                    sql: """
                        SELECT max(CAST(at AS INTEGER)) FROM change WHERE address IN (SELECT value FROM json_each(:addresses))
                          AND seq >= :start AND seq < :before
                        """,
                    arguments: StatementArguments(arguments.merging(["start": start]) { $1 })
                ).map { $0 < since.milliseconds } ?? false
            } ?? false
        if !isOver, try hasChanges(database, of: addresses, before: start) { page.next = start }
        return page
    }

    private static func hasChanges(_ database: Database, of addresses: [IPAddress], before seq: Int64) throws -> Bool {
        try Bool.fetchOne(
            database,
            sql: """
                SELECT EXISTS (
                  SELECT 1 FROM json_each(?) AS asked CROSS JOIN change ON address = asked.value AND seq < ?)
                """,
            arguments: [JSONColumn.text(addresses.map(\.description)), seq]) ?? false
    }

    /// Reads the changes of all entries in the order of the events, because the table of changes is ordered by address.
    ///
    /// If all events of a read are older than the period, the search ends. Still earlier events can have later times,
    /// because their times are those of the wall clock, which may have been set. It is assumed that a clock that is
    /// behind is set right within `rowsPerRead` events: without a battery, that happens as soon as there is a network,
    /// and before that, there are few events.
    private static func changesOfAll(_ database: Database, _ query: ChangeQuery) throws -> ChangePage {
        // Events are counted, because a restore skips numbers. A damaged time counts as 0.
        let bounds = try Row.fetchOne(
            database,
            sql: """
                SELECT min(seq), coalesce(max(CAST(at AS INTEGER)), 0), count(*) FROM (
                  SELECT seq, at FROM notice WHERE seq < ? ORDER BY seq DESC LIMIT ?)
                """,
            arguments: [query.before ?? .max, rowsPerRead])
        guard let bounds, let start: Int64 = try bounds.column(0), let latest: Int64 = try bounds.column(1) else {
            return ChangePage([])
        }
        var page = try changes(
            database, query,
            sql: """
                notice CROSS JOIN change ON change.address = notice.address AND change.seq = notice.seq
                WHERE notice.kind = 'changed' AND notice.seq >= :start AND notice.seq < :before
                """,
            orderedBy: "notice.seq", ["start": start, "before": query.before ?? .max])
        let mayHaveMore = try bounds.column(2) == rowsPerRead && query.since.map { $0.milliseconds <= latest } ?? true
        if page.next == nil, mayHaveMore { page.next = start }
        return page
    }

    /// - Parameter sql: the tables and the first conditions.
    private static func changes(
        _ database: Database, _ query: ChangeQuery, sql: String, orderedBy order: String,
        _ arguments: [String: (any DatabaseValueConvertible)?]
    ) throws -> ChangePage {
        var arguments = arguments
        arguments["since"] = query.since?.milliseconds ?? .min
        arguments["until"] = query.until?.milliseconds ?? .max
        // One extra row shows whether another page follows.
        arguments["rows"] = query.limit + 1
        if let fields = query.fields { arguments["fields"] = JSONColumn.text(fields.map(\.rawValue).sorted()) }
        if let old = query.old { arguments["old"] = old }
        if let new = query.new { arguments["new"] = new }
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT change.seq, change.at, change.address, change.fields FROM \(sql)
                  AND change.at BETWEEN :since AND :until \(query.selectsFields ? "AND \(hasField(query))" : "")
                ORDER BY \(order) DESC LIMIT :rows
                """,
            arguments: StatementArguments(arguments))
        var (page, count, last): (ChangePage, Int, Int64?) = (ChangePage([]), 0, nil)
        while let row = try rows.next() {
            guard count < query.limit else {
                page.next = last
                break
            }
            count += 1
            last = try row.column(0)
            guard let event = try readable({ try change(row, query) }) else { continue }
            // SQLite compares texts only up to the first U+0000.
            if !query.selectsFields || !event.fields.isEmpty { page.events.append(event) }
        }
        return page
    }

    private static func change(_ row: Row, _ query: ChangeQuery) throws -> PublishedEvent {
        let fields: [FieldChange] = try JSONColumn.value(from: row.column(3))
        return PublishedEvent(
            seq: try row.column(0), at: WallTime(milliseconds: try row.column(1)), kind: .changed,
            address: try IPAddress(try row.column(2) as String),
            fields: query.selectsFields ? fields.filter { query.selects($0) } : fields)
    }

    /// Returns the SQL condition that the query selects at least one field of a change, as `ChangeQuery.selects` does.
    /// The parameter `:fields` is a JSON array of names.
    private static func hasField(_ query: ChangeQuery) -> String {
        let conditions = [
            query.fields.map { _ in "json_extract(value, '$.field') IN (SELECT value FROM json_each(:fields))" },
            query.old.map { _ in "coalesce(json_extract(value, '$.old'), '') = :old" },
            query.new.map { _ in "coalesce(json_extract(value, '$.new'), '') = :new" },
        ].compactMap { $0 }
        return """
            json_valid(change.fields) AND EXISTS (
              SELECT 1 FROM json_each(change.fields)
              WHERE CASE type WHEN 'object' THEN \(conditions.joined(separator: " AND ")) END)
            """
    }
}
