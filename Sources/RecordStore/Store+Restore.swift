import GRDB
package import RecordKeeping
import Synchronization

extension Store {
    /// A row that does not make sense: somebody has edited the database, or it is damaged. It is passed over.
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
    /// What many records have in common, kept once from the beginning.
    private var places: [Place: Shared<Place>] = [:]
    private var networks: [Network: Shared<Network>] = [:]
    /// Of each. Where there are more they have little in common.
    private static let mostKept = 100_000

    init(database: Database, now: Instant, boot: Int64?) {
        self.database = database
        self.now = now
        self.boot = boot
    }

    mutating func everything() throws -> Restored {
        var restored = Restored(entries: try entries())
        let lastSeq = try Int64.fetchOne(database, sql: "SELECT value FROM meta WHERE name = 'last_seq'") ?? 0
        restored.lastSeq = min(max(0, lastSeq), .max / 2)
        restored.oldestSeq = try Int64.fetchOne(database, sql: "SELECT min(seq) FROM notice")
        restored.windows = try readable(
            "quota_window", "SELECT * FROM quota_window ORDER BY provider, endpoint", Self.window)
        if unreadable.contains(where: { $0.table == "quota_window" }) { restored.windows += spentWindows }
        restored.providers = try readable("provider", "SELECT * FROM provider ORDER BY endpoint", Self.provider)
        restored.networkLoss = try readable("network_loss", "SELECT since, reason FROM network_loss", Self.loss).first
        restored.lastOutage = try Int64.fetchOne(database, sql: "SELECT max(number) FROM outage") ?? 0
        restored.outage = try readable(
            "outage", "SELECT * FROM outage WHERE until IS NULL ORDER BY number DESC LIMIT 1", Self.outage
        ).first
        return restored
    }

    /// What the rows say, without those of which nobody can make sense. There are few: each is copied, for a row of a cursor
    /// takes a text for the number 0.
    ///
    /// - Parameter make: throws, or returns nil, for such a one.
    private mutating func readable<Value>(
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

    private func length(_ milliseconds: Int64) -> Duration {
        .milliseconds(min(max(0, milliseconds), Self.longestWindow))
    }

    private func degrees(_ number: Double?, within bound: Double) -> Double? {
        number.flatMap { abs($0) <= bound ? $0 : nil }
    }

    /// Three columns, from `index` on.
    private func instant(_ row: Row, _ index: Int) throws -> Instant? {
        guard let then = time(try row.column(index)), let bootTime: Int64 = try row.column(index + 1),
            bootTime.magnitude < Self.longestBoot
        else { return nil }
        guard try row.column(index + 2) as Int64? == boot, boot != nil else {
            return Instant(boot: now.boot + (then - now.wall), wall: then)
        }
        return Instant(boot: BootTime(nanoseconds: bootTime), wall: then)
    }

    /// Six columns, from `index` on.
    private func failure(_ row: Row, _ index: Int) throws -> Failure? {
        guard let kind = (try row.column(index) as String?).flatMap({ Failure.Kind(rawValue: $0) }),
            let message: String = try row.column(index + 1), let attempts: Int = try row.column(index + 2),
            (0...1_000_000).contains(attempts), let at = try instant(row, index + 3)
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
            let key = row.key
            do {
                var entry = try entry(row)
                do {
                    entry.scan = try scan(row)
                } catch {
                    // The address stays watched, and is asked for anew.
                    unreadable.append(.init(table: "record", key: key, reason: "\(error)"))
                }
                entries.append((try IPAddress(try row.column(0) as String), entry))
            } catch {
                unreadable.append(.init(table: "entry", key: key, reason: "\(error)"))
            }
        }
        return entries
    }

    private mutating func entry(_ row: Row) throws -> Entry {
        var entry = Entry()
        if try row.column(1) {
            entry.watch = Watch(
                byClient: try row.column(2), byFile: try row.column(3), isPinned: try row.column(4),
                tags: try (row.column(5) as String?).map { try JSON.value([String].self, from: $0) } ?? [],
                note: try row.column(6))
        }
        entry.changedAt = time(try row.column(7))
        entry.failure = try failure(row, 8)
        return entry
    }

    private mutating func kept(_ place: Place) -> Shared<Place> {
        if let known = places[place], known.value.isExactly(place) { return known }
        let kept = Shared(place)
        if places.count < Self.mostKept { places[place] = kept }
        return kept
    }

    private mutating func kept(_ network: Network) -> Shared<Network> {
        if let known = networks[network], known.value.isExactly(network) { return known }
        let kept = Shared(network)
        if networks.count < Self.mostKept { networks[network] = kept }
        return kept
    }

    private mutating func record(_ row: Row) -> RecordKeeping.Record {
        var place = Place()
        place.continent = row[20]
        place.continentCode = row[21]
        place.country = row[22]
        place.countryCode = row[23]
        place.region = row[24]
        place.regionName = row[25]
        place.city = row[26]
        place.district = row[27]
        place.zip = row[28]
        place.timezone = row[31]
        place.offset = row[32]
        place.currency = row[33]
        var network = Network()
        network.isp = row[34]
        network.org = row[35]
        network.as = row[36]
        network.asname = row[37]
        var record = RecordKeeping.Record(place: kept(place), network: kept(network))
        record.lat = row[29]
        record.lon = row[30]
        record.reverse = row[38]
        record.mobile = row[39]
        record.proxy = row[40]
        record.hosting = row[41]
        return record
    }

    // MARK: Health

    private func window(_ row: Row) throws -> SavedWindow? {
        guard let endpoint = Call.Endpoint(rawValue: try row.column(1)) else { return nil }
        let bootThen: Int64? = try row.column(8)
        return SavedWindow(
            provider: named(try row.column(0)), endpoint: endpoint, limit: requests(try row.column(2)),
            remaining: requests(try row.column(3)), underWay: requests(try row.column(4)) ?? 0,
            resetsAt: try instant(row, 6), length: length(try row.column(5)),
            margin: try (row.column(9) as Int64?).map(length), isOfEarlierBoot: bootThen != nil && bootThen != boot)
    }

    /// For what cannot be read: nobody knows what was spent, and so nothing is for a whole window.
    private var spentWindows: [SavedWindow] {
        Call.Endpoint.allCases.map { endpoint in
            SavedWindow(
                provider: nil, endpoint: endpoint, limit: nil, remaining: 0,
                resetsAt: now.advanced(by: Settings.documentedWindow), length: Settings.documentedWindow)
        }
    }

    private func provider(_ row: Row) throws -> SavedProvider? {
        guard let state = ProviderState(rawValue: try row.column(1)) else { return nil }
        return SavedProvider(
            endpoint: named(try row.column(0)), state: state, since: time(try row.column(2)) ?? now.wall,
            failure: try failure(row, 3), retryAt: try instant(row, 9))
    }

    private func loss(_ row: Row) throws -> SavedLoss? {
        SavedLoss(since: time(try row.column(0)) ?? now.wall, reason: try row.column(1))
    }

    private func outage(_ row: Row) throws -> Outage? {
        try Outage(row)
    }

    /// What was written before providers were told apart has none.
    private func named(_ provider: String) -> String? {
        provider.isEmpty ? nil : provider
    }
}
