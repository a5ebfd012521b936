import Dispatch
import GRDB
import Glibc
package import RecordKeeping
import Synchronization

extension Store {
    /// Kept notices with a `seq` above `after`, in order, at most `limit`.
    ///
    /// - Parameter done: called on the store's reading queue, as for every other question.
    package func notices(
        after: Int64, limit: Int, done: @escaping @Sendable (Result<[Notice], StoreError>) -> Void
    ) {
        read(done) { try Self.notices($0, after: after, limit: limit) }
    }

    /// The newest changes of an address, newest first, at most `limit`.
    ///
    /// - Parameter before: only those with a smaller seq; nil for all.
    package func changes(
        of address: IPAddress, before: Int64?, limit: Int,
        done: @escaping @Sendable (Result<[Notice], StoreError>) -> Void
    ) {
        read(done) { database in
            try Row.fetchAll(
                database,
                sql: "SELECT seq, at, fields FROM change WHERE address = ? AND seq < ? ORDER BY seq DESC LIMIT ?",
                arguments: [address.description, before ?? .max, limit]
            ).compactMap { row in
                // A row that makes no sense is passed over, as in `notice`.
                guard let fields = try? JSON.value([JSON.Field].self, from: row[2]) else { return nil }
                return Notice(
                    seq: row[0], at: WallTime(milliseconds: row[1]), kind: .changed, address: address,
                    fields: fields.map(\.change))
            }
        }
    }

    /// The newest outages, newest first, at most `limit`.
    ///
    /// - Parameter before: only those that began earlier; nil for all.
    package func outages(
        before: WallTime?, limit: Int, done: @escaping @Sendable (Result<[Outage], StoreError>) -> Void
    ) {
        read(done) { database in
            try Row.fetchAll(
                database, sql: "SELECT * FROM outage WHERE since < ? ORDER BY since DESC, number DESC LIMIT ?",
                arguments: [before?.milliseconds ?? .max, limit]
            ).compactMap { Outage($0) }
        }
    }

    private func read<Found>(
        _ done: @escaping @Sendable (Result<Found, StoreError>) -> Void,
        _ query: @escaping @Sendable (Database) throws -> Found
    ) {
        reader.async { [self] in
            done(
                Result { () throws(StoreError) in
                    do {
                        return try pool.read(query)
                    } catch {
                        throw StoreError(error, path: path)
                    }
                })
        }
    }

    private static func notices(_ database: Database, after: Int64, limit: Int) throws -> [Notice] {
        var notices: [Notice] = []
        let rows = try Row.fetchCursor(
            database, sql: "SELECT * FROM notice WHERE seq > ? ORDER BY seq", arguments: [after])
        while notices.count < limit, let row = try rows.next() {
            if let notice = notice(row) { notices.append(notice) }
        }
        return notices
    }

    /// - Returns: nil for a row that makes no sense: a newer version wrote it, or somebody has edited the database. Nobody
    ///   could make sense of it, and those behind it are not to be held up by it.
    private static func notice(_ row: Row) -> Notice? {
        guard let kind = Notice.Kind(rawValue: row[2]) else { return nil }
        do {
            return Notice(
                seq: row[0], at: WallTime(milliseconds: row[1]), kind: kind,
                address: try (row[3] as String?).map { try IPAddress($0) },
                fields: try (row[4] as String?).map { try JSON.value([JSON.Field].self, from: $0).map(\.change) } ?? [],
                message: row[5])
        } catch {
            return nil
        }
    }

    /// How many changes the histories hold.
    package var changeCount: Int64 { changes.load(ordering: .relaxed) }

    /// What the database and its log take on disk.
    package var bytes: Int64 {
        [path, path + "-wal"].reduce(0) { sum, file in
            var status = stat()
            return stat(file, &status) == 0 ? sum + Int64(status.st_size) : sum
        }
    }
}

extension Outage {
    /// - Returns: nil for a row that makes no sense.
    init?(_ row: Row) {
        guard let cause = Cause(rawValue: row[3]) else { return nil }
        self.init(
            number: row[0], since: WallTime(milliseconds: row[1]),
            until: (row[2] as Int64?).map { WallTime(milliseconds: $0) }, cause: cause, message: row[4],
            deferred: row[5])
    }
}
