import GRDB
import RecordKeeping
import TestSupport
import Testing

@testable import RecordStore

/// The view `records` shows each record to other programs as one row, with the provider's field names.
@Suite(.timeLimit(.minutes(20))) struct RecordViewTests {
    /// The fields in the view: all but `asn`, which follows from `as`.
    private static let fields = RecordKeeping.Record.Field.allCases.filter { $0 != .asn }
    private static let names = ["address", "provider", "scannedAt", "emptyReason"] + fields.map(\.rawValue)

    /// Returns the rows of the view, and expects that each has the columns in `names`, in this order.
    private static func rows(_ folder: TemporaryFolder) throws -> [[String: DatabaseValue]] {
        let queue = try DatabaseQueue(path: folder.database)
        defer { try? queue.close() }  // Nothing was written.
        return try queue.read { try Row.fetchAll($0, sql: "SELECT * FROM records ORDER BY address") }.map { row in
            #expect(Array(row.columnNames) == names)
            return Dictionary(uniqueKeysWithValues: zip(row.columnNames, row.databaseValues))
        }
    }

    private static func value(_ value: RecordKeeping.Record.Value?) -> DatabaseValue {
        switch value {
        case .text(let text): text.databaseValue
        case .number(let number): number.databaseValue
        case .degrees(let degrees): degrees.databaseValue
        case .flag(let flag): flag.databaseValue
        case nil: .null
        }
    }

    @Test func `each field of a record has the provider's name`() async throws {
        let folder = try TemporaryFolder()
        var record = RecordKeeping.Record()
        for (number, field) in RecordKeeping.Record.texts.enumerated() { record[keyPath: field] = "text \(number)" }
        for field in RecordKeeping.Record.flags { record[keyPath: field] = true }
        (record.lat, record.lon, record.offset) = (52.5, -13.25, -3_600)
        let scan = Scan(answer: .record(record), at: Sample.now, provider: "ip-api.com")
        let writes = Sample.writes(try IPAddress("2001:db8::1"), Entry(watch: Watch(byClient: true), scan: scan))
        try await folder.withStore { try await $0.commit(writes) }

        let rows = try Self.rows(folder)
        #expect(rows.count == 1)
        let row = try #require(rows.first)
        for field in Self.fields {
            let value = Self.value(record[field])
            #expect(row[field.rawValue] == value && value != DatabaseValue.null, "\(field)")
        }
        #expect(row["address"] == "2001:db8::1".databaseValue && row["provider"] == "ip-api.com".databaseValue)
        #expect(row["scannedAt"] == Sample.now.wall.milliseconds.databaseValue)
        #expect(row["emptyReason"] == DatabaseValue.null)
    }

    @Test func `an empty answer has only its reason, and an entry without an answer has no row`() async throws {
        let folder = try TemporaryFolder()
        let scan = Scan(answer: .empty(reason: "reserved range"), at: Sample.now, provider: "ip-api.com")
        let empty = Sample.writes(try Sample.address(1), Entry(scan: scan))
        let unknown = Sample.writes(try Sample.address(2), Entry(watch: Watch(byClient: true)))
        try await folder.withStore { try await $0.commit(empty + unknown) }
        let rows = try Self.rows(folder)
        #expect(rows.map { $0["address"] } == ["192.0.0.1".databaseValue])
        let row = try #require(rows.first)
        #expect(row["emptyReason"] == "reserved range".databaseValue)
        for field in Self.fields { #expect(row[field.rawValue] == DatabaseValue.null, "\(field)") }
    }

    @Test func `a record without any field has a row`() async throws {
        let folder = try TemporaryFolder()
        let scan = Scan(answer: .record(RecordKeeping.Record()), at: Sample.now, provider: "ip-api.com")
        let writes = try Sample.writes(1...2) { _ in Entry(scan: scan) }
        try await folder.withStore { try await $0.commit(writes) }
        let rows = try Self.rows(folder)
        #expect(rows.map { $0["address"] } == ["192.0.0.1".databaseValue, "192.0.0.2".databaseValue])
        for row in rows {
            #expect(row["emptyReason"] == DatabaseValue.null)
            for field in Self.fields { #expect(row[field.rawValue] == DatabaseValue.null, "\(field)") }
        }
    }
}
