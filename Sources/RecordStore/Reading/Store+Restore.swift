import Dispatch
import GRDB
import NIOConcurrencyHelpers
package import RecordKeeping
import Synchronization

extension Store {
    /// A row that was skipped because it cannot be decoded: the database was edited or is damaged.
    package struct UnreadableRow: Hashable, Sendable, CustomStringConvertible {
        package var table: String
        package var key: String
        package var reason: String

        package var description: String { "\(table) \(key): \(reason)" }
    }

    /// Reads the state that the keeper starts with.
    ///
    /// - Parameters:
    ///   - now: the current time. Instants of earlier boots are dated relative to it, by the wall clock.
    ///   - bootID: the id of the current boot; an empty string matches no boot.
    ///   - onProgress: called repeatedly, on any thread, while damaged history is rebuilt.
    ///   - receive: receives each share of the entries, and the number of all entries; called on two threads
    ///     concurrently.
    /// - Returns: the state without its entries, the number of entries read, and the rows that could not be decoded.
    package func restore(
        at now: Instant, bootID: String, onProgress: @escaping @Sendable () -> Void = {},
        receive: @escaping @Sendable ([SavedEntry], _ of: Int) -> Void
    ) throws(StoreError) -> (restored: Restored, entries: Int, unreadable: [UnreadableRow]) {
        try result {
            let (found, referred, times, count, unreadable) = try readingHistory(onProgress: onProgress) {
                unreadableHistory in
                try pool.unsafeRead { database in
                    let boot = try Int64.fetchOne(
                        database, sql: "SELECT id FROM boot WHERE boot_id = ?", arguments: [bootID])
                    changes.store(max(0, try Meta.changes.value(in: database) ?? 0), ordering: .relaxed)
                    let times = SavedTimes(now: now, boot: bootID.isEmpty ? nil : boot)
                    var reading = Reading(
                        database: database, times: times, unreadableHistory: unreadableHistory,
                        reportUnreadable: reportUnreadable)
                    return (
                        try reading.everything(), try ReferredRows(&reading), times,
                        try Int.fetchOne(database, sql: "SELECT count(*) FROM entry") ?? 0, reading.unreadable
                    )
                }
            }
            let readers = try readEntries(EntryShares(of: count), times, referred, receive)
            var restored = found
            let (usedScans, usedPlaces, usedNetworks) = readers.reduce(into: ([], [], [])) {
                (used: inout (Set<Int64>, Set<Int64>, Set<Int64>), reader) in
                used.0.formUnion(reader.usedScans)
                used.1.formUnion(reader.usedPlaces)
                used.2.formUnion(reader.usedNetworks)
            }
            // A new row must not get the id of a row that is missing, but to which a record refers.
            func last(_ last: Int64, _ used: Set<Int64>) -> Int64 {
                max(last, used.lazy.filter { $0 <= Reading.maxNumber }.max() ?? 0)
            }
            restored.lastCohort = CohortID(number: last(referred.lastScan, usedScans))
            restored.emptyCohorts = referred.scanIDs.filter { !usedScans.contains($0) }.sorted().map {
                CohortID(number: $0)
            }
            restored.unreadableEntries = readers.flatMap(\.unreadableEntries)
            sharedTables.withLock { tables in
                tables.places = SharedRows(
                    referred.places, lastID: last(referred.lastPlace, usedPlaces), used: usedPlaces.count)
                tables.networks = SharedRows(
                    referred.networks, lastID: last(referred.lastNetwork, usedNetworks), used: usedNetworks.count)
            }
            return (
                restored, readers.reduce(0) { $0 + $1.count }, unreadable + readers.flatMap(\.unreadable)
            )
        }.get()
    }

    /// Reads the entries, with two concurrent readers if there are many. Nothing is being written yet, so both readers
    /// see the same data.
    private func readEntries(
        _ shares: EntryShares, _ times: SavedTimes, _ referred: ReferredRows,
        _ receive: @escaping @Sendable ([SavedEntry], _ of: Int) -> Void
    ) throws -> [EntryReader] {
        let labels = SharedValueCache<WatchLabel>()
        let read = { @Sendable [pool] (order: EntryColumns.Order) in
            try pool.read { database in
                var entries = EntryReader(times: times, referred, labels: labels)
                do {
                    try entries.read(database, order, sharing: shares, receive: receive)
                } catch {
                    shares.end()
                    throw error
                }
                // These pages will not be needed again soon, so free the cache
                // (sqlite.org/pragma.html#pragma_shrink_memory).
                try database.execute(sql: "PRAGMA shrink_memory")
                return entries
            }
        }
        guard shares.isLarge else { return [try read(.forwards)] }
        let other = OtherReader()
        reader.async {
            let outcome = Result { try read(.backwards) }
            other.outcome.withLockedValue { $0 = outcome }
            other.isDone.signal()
        }
        let entries = Result { try read(.forwards) }
        other.isDone.wait()
        return [try entries.get()] + (try other.outcome.withLockedValue { $0 }.map { [try $0.get()] } ?? [])
    }
}

/// The result of the reader on the other thread.
private final class OtherReader: Sendable {
    let outcome = NIOLockedValueBox<Result<EntryReader, any Error>?>(nil)
    let isDone = DispatchSemaphore(value: 0)
}

/// Reads the small tables, and the parts of the history that are needed at startup.
struct Reading {
    let database: Database
    let times: SavedTimes
    /// The history tables that cannot be read.
    var unreadableHistory: Set<HistoryTable>
    let reportUnreadable: (HistoryTable, any Error) -> Void
    private(set) var unreadable: [Store.UnreadableRow] = []

    /// Reads everything except the entries.
    mutating func everything() throws -> Restored {
        var restored = Restored()
        restored.lastSeq = try lastSeq()
        // A record without an entry must not become that of a later entry.
        restored.lastEntry = EntryID(
            number: max(try Self.lastID(in: "entry", database), try Self.lastID(in: "record", database)))
        restored.oldestSeq = try history(.notice) { reading in
            try Int64.fetchOne(reading.database, sql: "SELECT min(seq) FROM notice")
        }
        restored.unloggedAlerts =
            try history(.notice) { try $0.unloggedAlerts(lastSeq: restored.lastSeq) } ?? []
        restored.names = try names()
        restored.hasFileEntries = try Meta.hasFileEntries.value(in: database).map { $0 != 0 }
        restored.historyClock = try historyClock()
        restored.historyMarks =
            try history(.mark) {
                try $0.readable("history_mark", HistoryTable.mark.query(order: "ASC"), Self.historyMark)
            } ?? []
        restored.windows = try readable(
            "quota_window", "SELECT * FROM quota_window ORDER BY provider, endpoint", Self.window)
        if unreadable.contains(where: { $0.table == "quota_window" }) { restored.windows += spentWindows }
        restored.health = try readable(
            "endpoint_health", "SELECT * FROM endpoint_health ORDER BY provider, endpoint", Self.health)
        restored.networkLoss = try readable("network_loss", "SELECT since, reason FROM network_loss", Self.loss).first
        // Outages are numbered in order and do not overlap, so only the last outage can be ongoing.
        let last = try lastOutageNumber()
        restored.outage = try history(.outage) {
            try $0.readable(
                "outage", "SELECT * FROM outage WHERE number = \(last) AND until IS NULL", Self.outage
            ).first
        }
        // Each outage has an event, so the number of an unreadable outage cannot exceed the seq of the last event.
        let unread = unreadableHistory.contains(.outage) ? restored.lastSeq : 0
        restored.lastOutage = max(last, unread, restored.historyMarks.last?.outage ?? 0)
        return restored
    }

    /// Returns the values of the rows that can be decoded. The rows are copied, which is cheap because there are few.
    /// In a row of a cursor, SQLite would convert a string to the number 0.
    ///
    /// - Parameter make: throws for a row that is reported as unreadable; returns nil for a row that is skipped
    ///   silently.
    mutating func readable<Value>(
        _ table: String, _ sql: String, _ make: (Self) -> (Row) throws -> Value?
    ) throws -> [Value] {
        var values: [Value] = []
        for row in try Row.fetchAll(database, sql: sql) {
            do {
                guard let value = try make(self)(row) else { continue }
                values.append(value)
            } catch {
                unreadable.append(.init(table: table, key: row.key, reason: "\(error)"))
            }
        }
        return values
    }

    /// Returns the largest valid id in a table; 0 if there is none.
    static func lastID(in table: String, _ database: Database) throws -> Int64 {
        let last = try Int64.fetchOne(
            database, sql: "SELECT max(id) FROM \(table) WHERE id <= ?", arguments: [maxNumber])
        return max(0, last ?? 0)
    }

    // MARK: Columns

    /// A day in milliseconds, longer than any quota window.
    static let maxWindow: Int64 = 86_400_000

    /// Returns a number of requests, clamped to the valid range.
    private func requests(_ number: Int?) -> Int? {
        number.map { min(max(0, $0), ReportedQuota.maxRequests) }
    }

    private func length(_ milliseconds: Int64) -> Duration {
        .milliseconds(min(max(0, milliseconds), Self.maxWindow))
    }

    /// Decodes the three columns of an instant, from `index` on.
    private func instant(_ row: Row, _ index: Int) throws -> Instant? {
        times.instant(
            milliseconds: try row.column(index), bootTime: try row.column(index + 1), boot: try row.column(index + 2))
    }

    /// Decodes the six columns of a failure, from `index` on.
    private func failure(_ row: Row, _ index: Int) throws -> Failure? {
        guard let kind: String = try row.column(index) else { return nil }
        return times.failure(
            kind: kind, message: try row.column(index + 1), attempts: try row.column(index + 2),
            at: try instant(row, index + 3))
    }

    // MARK: Health

    private func window(_ row: Row) throws -> SavedWindow? {
        guard let endpoint = Call.Endpoint(rawValue: try row.column(1)) else { return nil }
        let bootThen: Int64? = try row.column(8)
        return SavedWindow(
            provider: named(try row.column(0)), endpoint: endpoint, limit: requests(try row.column(2)),
            remaining: requests(try row.column(3)), outstanding: requests(try row.column(4)) ?? 0,
            resetsAt: try instant(row, 6), length: length(try row.column(5)),
            margin: try (row.column(9) as Int64?).map(length),
            isOfEarlierBoot: bootThen != nil && bootThen != times.boot)
    }

    /// Exhausted windows in place of unreadable ones: the requests spent are unknown, so no request is sent for a whole
    /// window.
    private var spentWindows: [SavedWindow] {
        Call.Endpoint.allCases.map { endpoint in
            SavedWindow(
                provider: nil, endpoint: endpoint, limit: nil, remaining: 0,
                resetsAt: times.now.advanced(by: Settings.documentedWindow), length: Settings.documentedWindow)
        }
    }

    private func health(_ row: Row) throws -> SavedHealth? {
        guard let endpoint = Call.Endpoint(rawValue: try row.column(1)),
            let state = ProviderState(rawValue: try row.column(2))
        else { return nil }
        return SavedHealth(
            provider: named(try row.column(0)), endpoint: endpoint, state: state,
            since: times.wall(try row.column(3)) ?? times.now.wall, failure: try failure(row, 4),
            retryAt: try instant(row, 10), isFromRetryAfter: try row.column(13) as Int64 == 1)
    }

    private func loss(_ row: Row) throws -> SavedLoss? {
        SavedLoss(since: times.wall(try row.column(0)) ?? times.now.wall, reason: try row.column(1))
    }

    private func outage(_ row: Row) throws -> Outage? {
        guard var outage = try Outage(row) else { return nil }
        outage.deferred = min(max(0, outage.deferred), Int(Self.maxNumber))
        return outage
    }

    /// Returns the base URL of a provider; nil for a row that was written before schema 3, without a base URL.
    private func named(_ provider: String) -> String? {
        provider.isEmpty ? nil : provider
    }
}
