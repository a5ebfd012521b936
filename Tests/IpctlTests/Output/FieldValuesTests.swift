import Control
import RecordKeeping
import Testing

@testable import ipctl

@Suite struct FieldValuesTests {
    @Test func `every field of the interface's entry and record has its value`() throws {
        let entry = try Sample.entry(
            .stale, record: Sample.record, scanned: -600, expires: -300, changed: -900, failure: .timeout)
        let values = FieldValues(entry: entry, now: Sample.now)
        let expected: [String: String?] = [
            "address": "192.0.2.1", "state": "stale", "watched": "true", "origin": "client", "pinned": "true",
            "tags": "dns,prod", "note": "ours", "watchedUntil": nil, "provider": "ip-api.com",
            "scannedAt": "1799999400000", "age": "600",
            "expiresAt": "1799999700000", "changedAt": "1799999100000", "reason": nil, "failure": "timeout",
            "offline": nil,
            "continent": "Europe", "continentCode": nil, "country": "Germany", "countryCode": "DE", "region": nil,
            "regionName": "Land Berlin", "city": "Berlin", "district": "Mitte", "zip": "10115", "lat": "52.5",
            "lon": "-13.0", "timezone": "Europe/Berlin", "offset": "3600", "currency": "EUR", "isp": "Example ISP",
            "org": "Example Org", "as": "AS64500 Example", "asn": "64500", "asname": "EXAMPLE",
            "reverse": "host.example",
            "mobile": "false", "proxy": "true", "hosting": "true",
        ]
        for (name, value) in expected { #expect(values[name] == value, "\(name)") }
        #expect(Set(FieldValues.names) == Set(expected.keys))
        #expect(FieldValues.names.count == expected.count)
    }

    @Test(
        arguments: [
            (nil, nil), (0, 0), (-999, 0), (-1_000, 1), (-86_400_000, 86_400), (5_000, 0),
        ] as [(Int64?, Int64?)])
    func `the age is in whole seconds, and not negative`(milliseconds: Int64?, age: Int64?) {
        #expect(FieldValues.age(ofScanAt: milliseconds.map { Sample.now + $0 }, at: Sample.now) == age)
        #expect(FieldValues.age(ofScanAt: .min, at: Sample.now) == Int64.max / 1_000)
    }

    @Test func `the age is not a default column`() {
        #expect(FieldValues.names.contains("age") && !FieldValues.defaultColumns.contains("age"))
        #expect(FieldValues.defaultColumns.count == FieldValues.names.count - 1)
    }

    @Test func `without a record of the provider, the fields are those of the local databases`() throws {
        var entry = try Sample.entry(.failed, watch: nil, failure: .offline)
        entry.offline = Sample.offline
        let values = FieldValues(entry: entry, now: Sample.now)
        #expect(values["city"] == "Ulm" && values["asn"] == "64496" && values["isp"] == nil)
        #expect(values["offline"] == "GeoLite2-City, GeoLite2-ASN" && values["state"] == "failed")
        #expect(values["scannedAt"] == nil && values["age"] == nil && values["provider"] == nil)
    }

    @Test func `fields of the provider are never mixed with those of the local databases`() throws {
        var record = Record()
        record.country = "Germany"
        var entry = try Sample.entry(.stale, record: record, scanned: -600)
        entry.offline = Sample.offline
        let values = FieldValues(entry: entry, now: Sample.now)
        #expect(values["country"] == "Germany" && values["city"] == nil && values["asn"] == nil)
    }

    @Test func `an unknown field has no value`() throws {
        let values = FieldValues(entry: try Sample.entry(.loading, watch: nil))
        #expect(values["watched"] == "false")
        #expect(values["tags"] == "")
        for name in ["origin", "note", "provider", "scannedAt", "age", "reason", "failure", "city", "asn", "mobile"] {
            #expect(values[name] == nil, "\(name)")
        }
        #expect(values["colour"] == nil)
    }
}
