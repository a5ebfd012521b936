import Foundation
import GRDB
import RecordKeeping

@testable import RecordStore

/// A database of an earlier schema, as the program wrote it at that time, or one of the current schema that was
/// migrated from the schema before it.
///
/// The contents are in `Fixtures`, one file for each released schema, so that a change to the migrations cannot change
/// them.
enum OldDatabase {
    /// The names of all migrations; the last one is the current schema.
    static var versions: [String] { Schema.migrator.migrations }

    /// The name of the migration to schema 8.
    static var schema8: String { versions[6] }

    /// The newest schema in `Fixtures`.
    private static let newestFixture = 9

    private static let fixtures = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Fixtures")

    /// Makes the database in the schema after the given migration.
    static func make(_ version: String, at path: String) throws {
        let queue = try DatabaseQueue(path: path)
        let schema = min(Schema.number(ofMigration: version), newestFixture)
        let dump = try String(contentsOf: fixtures.appending(path: "schema-\(schema).sql"), encoding: .utf8)
        try queue.write { try $0.execute(sql: dump) }
        try Schema.migrator.migrate(queue, upTo: version)
        try queue.close()
    }

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
