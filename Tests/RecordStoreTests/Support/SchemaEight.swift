import GRDB
import RecordKeeping

@testable import RecordStore

/// A database of schema 8, the last one with each record in a single row. All tables have rows, as the program wrote
/// them at that time.
enum SchemaEight {
    /// Makes the database.
    static func make(at path: String) throws {
        let queue = try DatabaseQueue(path: path)
        try Schema.migrator.migrate(queue, upTo: OldDatabase.schema8)
        try queue.write { database in
            for sql in [entries, records, history, state] { try database.execute(sql: sql) }
        }
        try queue.close()
    }

    private static let entries = """
        INSERT INTO boot VALUES (1, '\(Sample.bootID)'), (2, '\(Sample.otherBootID)');
        INSERT INTO entry VALUES
          ('6.6.6.6', 1, 1, 7, 0, '["dns"]', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
            '[{"field":"org","old":"Old Org"},{"field":"zip","old":"50667"}]'),
          ('5.5.5.5', 1, 1, 0, 1, '["dns","eu"]', 'a "note" é', 1789999000000, NULL, NULL, NULL, NULL, NULL, NULL,
            NULL),
          ('2001:db8::9', 1, 0, 1, 0, NULL, 'mine', NULL, 'rejected', 'HTTP 500', 3, 1789999999123, 4999000000007, 1,
            NULL),
          ('8.8.8.8', 1, 1, 3, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
          ('7.7.7.7', 1, 1, 0, 0, NULL, NULL, NULL, 'timeout', 'no reply', 1, 1789999979123, 79000000007, 2, NULL),
          ('9.9.9.9', 1, 1, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
          ('1.1.1.1', 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
        """

    // The first two records are of one call, and the next two of another.
    private static let records = """
        INSERT INTO record (address, provider, scanned_at, scanned_boot_ns, scanned_boot, empty_reason, continent,
            continent_code, country, country_code, region, region_name, city, district, zip, lat, lon, timezone,
            utc_offset, currency, isp, org, as_text, asname, reverse, mobile, proxy, hosting)
          VALUES
            ('5.5.5.5', 'ip-api.com', 1789999990123, 4990000000007, 1, NULL, 'Europe', 'EU', 'Germany', 'DE', 'NW',
              'North Rhine-Westphalia', 'Köln', 'Deutz', '50667', 50.94, 6.96, 'Europe/Berlin', 7200, 'EUR',
              'O''Neill "Net"', 'Org', 'AS64500 Net', 'NET', 'a.example', 0, 1, 0),
            ('6.6.6.6', 'ip-api.com', 1789999990123, 4990000000007, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
              'Köln', NULL, NULL, -0.5, 180, NULL, -3600, NULL, 'O''Neill "Net"', NULL, NULL, NULL, NULL, NULL, NULL,
              1),
            ('1.1.1.1', 'ip-api.com', 1789999980123, 80000000007, 2, 'reserved range', NULL, NULL, NULL, NULL, NULL,
              NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
            ('2001:db8::9', 'ip-api.com', 1789999980123, 80000000007, 2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
              NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL),
            ('9.9.9.9', 'pro.ip-api.com', 1789999990123, 4990000000007, 1, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
              'Ko\u{308}ln', NULL, NULL, NULL, NULL, NULL, -3600, NULL, 'O''Neill "Net"', NULL, NULL, NULL, NULL, NULL,
              NULL, NULL);
        """

    private static let history = """
        INSERT INTO notice VALUES
          (1, 1789998000000, 'added', '5.5.5.5', NULL, NULL, 1000),
          (2, 1789999000000, 'changed', '5.5.5.5', '[{"field":"city","old":"Bonn","new":"Köln"}]', NULL, NULL),
          (3, 1789999500000, 'networkLost', NULL, NULL, 'no route', NULL),
          (4, 1789999979123, 'failed', '7.7.7.7', NULL, 'no reply', NULL),
          (5, 1789999990200, 'changed', '6.6.6.6', '[{"field":"hosting","new":"true"}]', NULL, NULL);
        INSERT INTO change VALUES
          ('5.5.5.5', 2, 1789999000000, '[{"field":"city","old":"Bonn","new":"Köln"}]'),
          ('6.6.6.6', 5, 1789999990200, '[{"field":"hosting","new":"true"}]');
        INSERT INTO outage VALUES
          (1, 1789990000000, 1789990600000, 'provider', 'HTTP 500', 4),
          (2, 1789999500000, NULL, 'network', 'no route', 1);
        INSERT INTO history_mark VALUES (3600000, 2, 1);
        INSERT OR REPLACE INTO meta VALUES
          ('last_seq', 5), ('logged_seq', 3), ('changes', 2), ('has_file_entries', 1), ('history_elapsed', 7200000),
          ('history_at', 1789999940123), ('history_boot_ns', 4940000000007), ('history_boot', 1);
        """

    private static let state = """
        INSERT INTO quota_window VALUES
          ('http://ip-api.com', 'batch', 15, 4, 1, 60000, 1790000030123, 5030000000007, 1, 1001),
          ('http://ip-api.com', 'single', 45, NULL, 0, 60000, NULL, NULL, NULL, NULL),
          ('https://pro.ip-api.com', 'batch', NULL, 7, 0, 60000, 1790000020123, 120000000007, 2, NULL);
        INSERT INTO endpoint_health VALUES
          ('http://ip-api.com', 'batch', 'failing', 1789999900000, 'timeout', 'late', 2, 1789999999123, 4999000000007,
            1, 1790000060123, 5060000000007, 1, 0),
          ('http://ip-api.com', 'single', 'throttled', 1789999900001, NULL, NULL, NULL, NULL, NULL, NULL, 1790000120123,
            5120000000007, 1, 1);
        INSERT INTO network_loss VALUES (1, 1789999500000, 'no route');
        """

    // MARK: Expected values

    /// Returns the instant that is this many seconds after `Sample.now`.
    private static func now(plus seconds: Int) -> Instant { Sample.now.advanced(by: .seconds(seconds)) }

    /// The expected entries, by their ids, which follow from the order of the calls. The scans of one call have the
    /// same number, which need not be that of the row.
    static func savedEntries() throws -> [SavedEntry] {
        var full = RecordKeeping.Record()
        (full.continent, full.continentCode, full.country, full.countryCode) = ("Europe", "EU", "Germany", "DE")
        (full.region, full.regionName, full.city) = ("NW", "North Rhine-Westphalia", "Köln")
        (full.district, full.zip, full.lat, full.lon) = ("Deutz", "50667", 50.94, 6.96)
        (full.timezone, full.offset, full.currency) = ("Europe/Berlin", 7_200, "EUR")
        (full.isp, full.org, full.as, full.asname) = ("O'Neill \"Net\"", "Org", "AS64500 Net", "NET")
        (full.reverse, full.mobile, full.proxy, full.hosting) = ("a.example", false, true, false)
        var partial = RecordKeeping.Record()
        (partial.city, partial.offset, partial.isp) = ("Köln", -3_600, "O'Neill \"Net\"")
        var equivalent = partial
        equivalent.city = "Ko\u{308}ln"
        (partial.lat, partial.lon, partial.hosting) = (-0.5, 180, true)

        let timeout = Failure(kind: .timeout, message: "no reply", at: now(plus: -21), attempts: 1)
        let rejected = Failure(kind: .rejected, message: "HTTP 500", at: now(plus: -1), attempts: 3)
        let failing = Entry(watch: Watch(byClient: true), failure: timeout)
        let unknown = Entry(watch: Watch(byClient: true, byFile: true, overrides: .tags))
        let lookup = Entry(scan: call(.empty(reason: "reserved range"), before: 20))
        let listed = Entry(
            watch: Watch(byClient: false, byFile: true, note: "mine"),
            scan: call(.record(RecordKeeping.Record()), before: 20), failure: rejected)
        let changed = Entry(
            watch: Watch(byClient: true, isPinned: true, tags: ["dns", "eu"], note: "a \"note\" é"),
            scan: call(.record(full), before: 10), changedAt: WallTime(milliseconds: 1_789_999_000_000))
        let omissions = [("org", "Old Org"), ("zip", "50667")].map { FieldChange(field: $0, old: $1, new: nil) }
        let overridden = Entry(
            watch: Watch(byClient: true, byFile: true, overrides: [.tags, .note], tags: ["dns"]),
            scan: call(.record(partial), before: 10), omissions: omissions)
        let other = Entry(
            watch: Watch(byClient: true), scan: call(.record(equivalent), before: 10, provider: "pro.ip-api.com"))
        return [
            try saved(1, "7.7.7.7", failing, cohort: nil), try saved(2, "8.8.8.8", unknown, cohort: nil),
            try saved(3, "1.1.1.1", lookup, cohort: 1), try saved(4, "2001:db8::9", listed, cohort: 1),
            try saved(5, "5.5.5.5", changed, cohort: 2), try saved(6, "6.6.6.6", overridden, cohort: 2),
            try saved(7, "9.9.9.9", other, cohort: 3),
        ]
    }

    private static func saved(_ id: Int64, _ address: String, _ entry: Entry, cohort: Int64?) throws -> SavedEntry {
        let key = EntryKey(id: EntryID(number: id), address: try IPAddress(address))
        return SavedEntry(key, entry, cohort: cohort.map { CohortID(number: $0) })
    }

    private static func call(_ answer: Answer, before seconds: Int, provider: String = "ip-api.com") -> Scan {
        Scan(answer: answer, at: now(plus: -seconds), provider: provider)
    }

    static func events() throws -> [PublishedEvent] {
        let (one, two) = (try IPAddress("5.5.5.5"), try IPAddress("6.6.6.6"))
        let city = FieldChange(field: "city", old: "Bonn", new: "Köln")
        let hosting = FieldChange(field: "hosting", old: nil, new: "true")
        func wall(_ milliseconds: Int64) -> WallTime { WallTime(milliseconds: milliseconds) }
        return [
            PublishedEvent(seq: 1, at: wall(1_789_998_000_000), kind: .added, address: one, user: 1_000),
            PublishedEvent(seq: 2, at: wall(1_789_999_000_000), kind: .changed, address: one, fields: [city]),
            PublishedEvent(seq: 3, at: wall(1_789_999_500_000), kind: .networkLost, message: "no route"),
            PublishedEvent(
                seq: 4, at: wall(1_789_999_979_123), kind: .failed, address: try IPAddress("7.7.7.7"),
                message: "no reply"),
            PublishedEvent(seq: 5, at: wall(1_789_999_990_200), kind: .changed, address: two, fields: [hosting]),
        ]
    }

    /// The state other than the entries.
    static func rest() throws -> Restored {
        let http = "http://ip-api.com"
        let lost = WallTime(milliseconds: 1_789_999_500_000)
        let outage = Outage(number: 2, since: lost, cause: .network, message: "no route", deferred: 1)
        return Restored(
            lastSeq: 5, oldestSeq: 1,
            windows: [
                SavedWindow(
                    provider: http, endpoint: .batch, limit: 15, remaining: 4, outstanding: 1, resetsAt: now(plus: 30),
                    length: .seconds(60), margin: .milliseconds(1_001)),
                SavedWindow(
                    provider: http, endpoint: .single, limit: 45, remaining: nil, resetsAt: nil, length: .seconds(60)),
                SavedWindow(
                    provider: "https://pro.ip-api.com", endpoint: .batch, limit: nil, remaining: 7,
                    resetsAt: now(plus: 20), length: .seconds(60), isOfEarlierBoot: true),
            ],
            health: [
                SavedHealth(
                    provider: http, endpoint: .batch, state: .failing, since: WallTime(milliseconds: 1_789_999_900_000),
                    failure: Failure(kind: .timeout, message: "late", at: now(plus: -1), attempts: 2),
                    retryAt: now(plus: 60)),
                SavedHealth(
                    provider: http, endpoint: .single, state: .throttled,
                    since: WallTime(milliseconds: 1_789_999_900_001), retryAt: now(plus: 120), isFromRetryAfter: true),
            ],
            networkLoss: SavedLoss(since: lost, reason: "no route"), outage: outage, lastOutage: 2,
            historyClock: SavedHistoryClock(elapsed: .seconds(7_200), at: now(plus: -60)),
            historyMarks: [HistoryMark(elapsed: .seconds(3_600), seq: 2, outage: 1)],
            unloggedAlerts: try events().filter { $0.kind.isAlert && $0.seq ?? 0 > 3 }, hasFileEntries: true,
            lastEntry: EntryID(number: 7), lastCohort: CohortID(number: 3))
    }

    static let endedOutage = Outage(
        number: 1, since: WallTime(milliseconds: 1_789_990_000_000), until: WallTime(milliseconds: 1_789_990_600_000),
        cause: .provider, message: "HTTP 500", deferred: 4)
}
