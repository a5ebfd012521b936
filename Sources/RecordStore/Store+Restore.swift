import GRDB
package import RecordKeeping
import Synchronization

extension Store {
    /// A row that does not make sense: somebody has edited the database. It is passed over.
    package struct UnreadableRow: Hashable, Sendable, CustomStringConvertible {
        package var table: String
        package var key: String
        package var reason: String

        package var description: String { "\(table) \(key): \(reason)" }
    }

    /// Reads everything that the keeper starts with.
    ///
    /// - Parameters:
    ///   - now: to which instants of earlier boots are related, by the wall clock.
    ///   - bootID: what tells this boot from earlier ones; an empty text is never this boot.
    /// - Returns: what was there, and what was there and makes no sense.
    package func restore(
        at now: Instant, bootID: String
    ) throws(StoreError) -> (restored: Restored, unreadable: [UnreadableRow]) {
        do {
            return try pool.read { database in
                let boot = try Int64.fetchOne(
                    database, sql: "SELECT id FROM boot WHERE boot_id = ?", arguments: [bootID])
                changes.store(try Int64.fetchOne(database, sql: "SELECT count(*) FROM change") ?? 0, ordering: .relaxed)
                var reading = Reading(database: database, now: now, boot: bootID.isEmpty ? nil : boot)
                return (try reading.everything(), reading.unreadable)
            }
        } catch {
            throw StoreError(error, path: path)
        }
    }
}

/// The tables on their way into memory.
private struct Reading {
    let database: Database
    let now: Instant
    /// The row of the present boot; nil where nothing was written in it.
    let boot: Int64?
    var unreadable: [Store.UnreadableRow] = []

    mutating func everything() throws -> Restored {
        var restored = Restored(entries: try entries())
        let lastSeq = try Int64.fetchOne(database, sql: "SELECT value FROM meta WHERE name = 'last_seq'") ?? 0
        restored.lastSeq = min(max(0, lastSeq), .max / 2)
        restored.oldestSeq = try Int64.fetchOne(database, sql: "SELECT min(seq) FROM notice")
        restored.windows = try windows()
        restored.providers = try providers()
        restored.networkLoss = try Row.fetchOne(database, sql: "SELECT since, reason FROM network_loss").map {
            SavedLoss(since: time($0[0]) ?? now.wall, reason: $0[1])
        }
        restored.lastOutage = try Int64.fetchOne(database, sql: "SELECT max(number) FROM outage") ?? 0
        restored.outage = try Row.fetchOne(
            database, sql: "SELECT * FROM outage WHERE until IS NULL ORDER BY number DESC LIMIT 1"
        ).flatMap { Outage($0) }
        return restored
    }

    // MARK: Columns

    /// The year 2200. A time beyond is none that anybody has written, and may be more than can be counted with.
    private static let latest: Int64 = 7_258_118_400_000
    /// A hundred years, in nanoseconds.
    private static let longestBoot: UInt64 = 100 * 365 * 86_400 * 1_000_000_000

    /// A day, in milliseconds: no window lasts as long.
    private static let longestWindow: Int64 = 86_400_000

    private func time(_ milliseconds: Int64?) -> WallTime? {
        milliseconds.flatMap { (0..<Self.latest).contains($0) ? WallTime(milliseconds: $0) : nil }
    }

    /// Requests of a quota.
    private func requests(_ number: Int?) -> Int? {
        number.map { min(max(0, $0), QuotaTold.mostRequests) }
    }

    private func degrees(_ number: Double?, within bound: Double) -> Double? {
        number.flatMap { abs($0) <= bound ? $0 : nil }
    }

    /// Three columns, from `index` on.
    private func instant(_ row: Row, _ index: Int) -> Instant? {
        guard let then = time(row[index]), let bootTime: Int64 = row[index + 1],
            bootTime.magnitude < Self.longestBoot
        else { return nil }
        guard row[index + 2] as Int64? == boot, boot != nil else {
            return Instant(boot: now.boot + (then - now.wall), wall: then)
        }
        return Instant(boot: BootTime(nanoseconds: bootTime), wall: then)
    }

    /// Six columns, from `index` on.
    private func failure(_ row: Row, _ index: Int) -> Failure? {
        guard let kind = (row[index] as String?).flatMap({ Failure.Kind(rawValue: $0) }),
            let message: String = row[index + 1], let attempts: Int = row[index + 2],
            (0...1_000_000).contains(attempts), let at = instant(row, index + 3)
        else { return nil }
        return Failure(kind: kind, message: message, at: at, attempts: attempts)
    }

    // MARK: Entries

    private mutating func entries() throws -> [(address: IPAddress, entry: Entry)] {
        var entries: [(address: IPAddress, entry: Entry)] = []
        entries.reserveCapacity(try Int.fetchOne(database, sql: "SELECT count(*) FROM entry") ?? 0)
        let rows = try Row.fetchCursor(
            database, sql: "SELECT entry.*, record.* FROM entry LEFT JOIN record USING (address)")
        while let row = try rows.next() {
            let text: String = row[0]
            do {
                let entry = try entry(row)
                entries.append((try IPAddress(text), entry))
                if entry.scan == nil, row[15] as String? != nil {
                    unreadable.append(.init(table: "record", key: text, reason: "its time cannot be"))
                }
            } catch {
                unreadable.append(.init(table: "entry", key: text, reason: "\(error)"))
            }
        }
        return entries
    }

    private func entry(_ row: Row) throws -> Entry {
        var entry = Entry()
        if row[1] {
            entry.watch = Watch(
                byClient: row[2], byFile: row[3], isPinned: row[4],
                tags: try (row[5] as String?).map { try JSON.value([String].self, from: $0) } ?? [], note: row[6])
        }
        entry.changedAt = time(row[7])
        entry.failure = failure(row, 8)
        guard let provider: String = row[15], let at = instant(row, 16) else { return entry }
        let answer: Answer
        if let reason: String = row[19] {
            answer = .empty(reason: reason)
        } else {
            answer = .record(record(row))
        }
        entry.scan = Scan(answer: answer, at: at, provider: provider)
        return entry
    }

    private func record(_ row: Row) -> RecordKeeping.Record {
        var record = RecordKeeping.Record()
        record.continent = row[20]
        record.continentCode = row[21]
        record.country = row[22]
        record.countryCode = row[23]
        record.region = row[24]
        record.regionName = row[25]
        record.city = row[26]
        record.district = row[27]
        record.zip = row[28]
        record.lat = degrees(row[29], within: 90)
        record.lon = degrees(row[30], within: 180)
        record.timezone = row[31]
        record.offset = row[32]
        record.currency = row[33]
        record.isp = row[34]
        record.org = row[35]
        record.as = row[36]
        record.asname = row[37]
        record.reverse = row[38]
        record.mobile = row[39]
        record.proxy = row[40]
        record.hosting = row[41]
        return record
    }

    // MARK: Health

    private func windows() throws -> [SavedWindow] {
        try Row.fetchAll(database, sql: "SELECT * FROM quota_window ORDER BY provider, endpoint").compactMap { row in
            guard let endpoint = Call.Endpoint(rawValue: row[1]) else { return nil }
            let bootThen: Int64? = row[8]
            return SavedWindow(
                provider: named(row[0]), endpoint: endpoint, limit: requests(row[2]), remaining: requests(row[3]),
                underWay: requests(row[4]) ?? 0,
                resetsAt: instant(row, 6), length: .milliseconds(min(max(0, row[5] as Int64), Self.longestWindow)),
                margin: (row[9] as Int64?).map { .milliseconds(min(max(0, $0), Self.longestWindow)) },
                isOfEarlierBoot: bootThen != nil && bootThen != boot)
        }
    }

    private func providers() throws -> [SavedProvider] {
        try Row.fetchAll(database, sql: "SELECT * FROM provider ORDER BY endpoint").compactMap { row in
            guard let state = ProviderState(rawValue: row[1]) else { return nil }
            return SavedProvider(
                endpoint: named(row[0]), state: state, since: time(row[2]) ?? now.wall, failure: failure(row, 3),
                retryAt: instant(row, 9))
        }
    }

    /// What was written before providers were told apart has none.
    private func named(_ provider: String) -> String? {
        provider.isEmpty ? nil : provider
    }
}
