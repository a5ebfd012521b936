import GRDB
import RecordKeeping

@testable import RecordStore

/// A database of an earlier schema, with rows as the program wrote them at that time, or one of the current schema that
/// was migrated from the schema before it.
enum OldDatabase {
    /// The names of all migrations; the last one is the current schema.
    static var versions: [String] { Schema.migrator.migrations }

    /// The name of the migration to schema 8.
    static var schema8: String { versions[6] }

    /// Makes the database in the schema after the given migration.
    static func make(_ version: String, at path: String) throws {
        let queue = try DatabaseQueue(path: path)
        let number = min(versions.firstIndex(of: version) ?? 0, 6)
        try Schema.migrator.migrate(queue, upTo: versions[number])
        try queue.write { database in
            try database.execute(sql: contents)
            try database.execute(sql: number < 2 ? firstQuota : laterQuota)
            if number >= 1 { try database.execute(sql: outages) }
            if number >= 6 {
                try database.execute(sql: endpointHealth)
            } else {
                try database.execute(sql: number < 2 ? firstHealth : laterHealth)
            }
            if number >= 4 {
                try database.execute(
                    sql: """
                        INSERT INTO history_mark VALUES (3600000, 2, 0);
                        INSERT OR REPLACE INTO meta VALUES ('changes', 1), ('logged_seq', 3);
                        """)
            }
        }
        try Schema.migrator.migrate(queue, upTo: version)
        try queue.close()
    }

    private static let contents = """
        INSERT INTO boot VALUES (1, '\(Sample.bootID)'), (2, '\(Sample.otherBootID)');
        INSERT INTO entry (address, watched, by_client, by_file, pinned, tags, note, changed_at, failure_kind,
            failure_message, failure_attempts, failure_at, failure_boot_ns, failure_boot)
          VALUES
            ('5.5.5.5', 1, 1, 0, 1, '["dns","eu"]', 'a "note" é', 1789999000000, NULL, NULL, NULL, NULL, NULL, NULL),
            ('2001:db8::9', 1, 0, 1, 0, NULL, NULL, NULL, 'timeout', 'no reply', 3, 1789999999123, 4999000000007, 1),
            ('1.1.1.1', 0, 0, 0, 0, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
        INSERT INTO record (address, provider, scanned_at, scanned_boot_ns, scanned_boot, empty_reason, country,
            country_code, city, zip, lat, lon, utc_offset, isp, as_text, reverse, mobile, proxy, hosting)
          VALUES
            ('5.5.5.5', 'ip-api.com', 1789999990123, 4990000000007, 1, NULL, 'Germany', 'DE', 'Köln', '50667', 50.94,
              6.96, 7200, 'O''Neill "Net"', 'AS64500 Net', 'a.example', 0, 1, 0),
            ('1.1.1.1', 'ip-api.com', 1789999980123, 80000000007, 2, 'reserved range', NULL, NULL, NULL, NULL, NULL,
              NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL);
        INSERT INTO notice (seq, at, kind, address, fields, message) VALUES
          (1, 1789998000000, 'added', '5.5.5.5', NULL, NULL),
          (2, 1789999000000, 'changed', '5.5.5.5', '[{"field":"city","old":"Bonn","new":"Köln"}]', NULL),
          (3, 1789999500000, 'networkLost', NULL, NULL, 'no route');
        INSERT INTO change VALUES ('5.5.5.5', 2, 1789999000000, '[{"field":"city","old":"Bonn","new":"Köln"}]');
        UPDATE meta SET value = 3 WHERE name = 'last_seq';
        """

    private static let outages = """
        INSERT INTO outage VALUES (1, 1789990000000, 1789990600000, 'network', 'no route', 4);
        """

    private static let firstQuota = """
        INSERT INTO quota_window VALUES ('batch', 15, 4, 60000, 1790000030123, 5030000000007, 1);
        """
    private static let laterQuota = """
        INSERT INTO quota_window
          VALUES ('http://ip-api.com', 'batch', 15, 4, 0, 60000, 1790000030123, 5030000000007, 1, NULL);
        """

    private static let firstHealth = """
        INSERT INTO provider (id, state, since) VALUES (1, 'throttled', 1789999900000);
        """
    private static let laterHealth = """
        INSERT INTO provider (endpoint, state, since) VALUES ('http://ip-api.com', 'throttled', 1789999900000);
        """
    private static let endpointHealth = """
        INSERT INTO endpoint_health (provider, endpoint, state, since, from_retry_after)
          VALUES ('http://ip-api.com', 'single', 'throttled', 1789999900000, 0),
            ('http://ip-api.com', 'batch', 'throttled', 1789999900000, 0);
        """

    // MARK: Expected values

    /// The entries of the database. The lookup was scanned in an earlier boot, so it is dated by the wall clock.
    static func entries() throws -> [IPAddress: Entry] {
        var record = RecordKeeping.Record()
        (record.country, record.countryCode, record.city, record.zip) = ("Germany", "DE", "Köln", "50667")
        (record.lat, record.lon, record.offset) = (50.94, 6.96, 7_200)
        (record.isp, record.as, record.reverse) = ("O'Neill \"Net\"", "AS64500 Net", "a.example")
        (record.mobile, record.proxy, record.hosting) = (false, true, false)
        let earlier = { (time: Duration) in Sample.now.advanced(by: .zero - time) }
        return [
            try IPAddress("5.5.5.5"): Entry(
                watch: Watch(byClient: true, isPinned: true, tags: ["dns", "eu"], note: "a \"note\" é"),
                scan: Scan(answer: .record(record), at: earlier(.seconds(10)), provider: "ip-api.com"),
                changedAt: WallTime(milliseconds: 1_789_999_000_000)),
            try IPAddress("2001:db8::9"): Entry(
                watch: Watch(byClient: false, byFile: true),
                failure: Failure(kind: .timeout, message: "no reply", at: earlier(.seconds(1)), attempts: 3)),
            try IPAddress("1.1.1.1"): Entry(
                scan: Scan(
                    answer: .empty(reason: "reserved range"), at: earlier(.seconds(20)), provider: "ip-api.com")),
        ]
    }

    static func events() throws -> [PublishedEvent] {
        let address = try IPAddress("5.5.5.5")
        return [
            PublishedEvent(seq: 1, at: WallTime(milliseconds: 1_789_998_000_000), kind: .added, address: address),
            PublishedEvent(
                seq: 2, at: WallTime(milliseconds: 1_789_999_000_000), kind: .changed, address: address,
                fields: [FieldChange(field: "city", old: "Bonn", new: "Köln")]),
            PublishedEvent(
                seq: 3, at: WallTime(milliseconds: 1_789_999_500_000), kind: .networkLost, message: "no route"),
        ]
    }

    static let outage = Outage(
        number: 1, since: WallTime(milliseconds: 1_789_990_000_000), until: WallTime(milliseconds: 1_789_990_600_000),
        cause: .network, message: "no route", deferred: 4)
}
