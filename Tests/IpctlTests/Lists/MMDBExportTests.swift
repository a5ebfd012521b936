import Control
import MMDBWriter
import RecordKeeping
import Testing
import Varlink

@testable import ipctl

@Suite struct MMDBExportTests {
    private static let record = #"""
        {"continent":"Europe","continentCode":"EU","country":"Germany","countryCode":"DE","region":"BE",
        "regionName":"Land Berlin","city":"Berlin","zip":"10115","lat":52.5,"lon":13.25,"timezone":"Europe/Berlin",
        "isp":"Northwater","as":"AS64496 Northwater GmbH","asn":64496,"mobile":false,"proxy":true,"hosting":false}
        """#

    private static func entry(record: String, _ members: String = "") throws -> Interface.Entry {
        let json = #"""
            {"address":"192.0.2.1","state":"fresh","watched":true,"pinned":false,"tags":["dns","office"],
            "record":\#(record),"scannedAt":1700000000999\#(members)}
            """#
        return try Wire.decode(Interface.Entry.self, from: Array(json.utf8)[...])
    }

    private static func exported(_ entries: Interface.Entry...) throws -> [UInt8] {
        var export = MMDBExport(at: WallTime(milliseconds: 1_700_000_300_000))
        for entry in entries { try export.add(entry) }
        var bytes: [UInt8] = []
        try export.finish().write { bytes += $0 }
        return bytes
    }

    /// The file with one value for an address.
    private static func expected(_ value: MMDBValue, address: UInt128 = 0xC000_0201) throws -> [UInt8] {
        let metadata = MMDBMetadata(
            databaseType: "iprecord-City", description: ["en": "Records of iprecordd"], languages: ["en"],
            buildEpoch: 1_700_000_300)
        var builder = MMDBBuilder(metadata)
        // The export stores these parts first.
        var members: [String: MMDBValue] = [:]
        if case .map(let known) = value { members = known }
        for key in ["city", "continent", "country", "subdivisions"] {
            members[key] = try members[key].map { try builder.store($0) }
        }
        try builder.insert(.map(members), for: MMDBNetwork(address: address, prefixLength: 128))
        var bytes: [UInt8] = []
        try builder.finish().write { bytes += $0 }
        return bytes
    }

    @Test func `an entry has the fields of GeoIP2 City and ASN and its own`() throws {
        let value: MMDBValue = [
            "city": ["names": ["en": "Berlin"]],
            "continent": ["code": "EU", "names": ["en": "Europe"]],
            "country": ["iso_code": "DE", "names": ["en": "Germany"]],
            "subdivisions": [["iso_code": "BE", "names": ["en": "Land Berlin"]]],
            "location": ["latitude": 52.5, "longitude": 13.25, "time_zone": "Europe/Berlin"],
            "postal": ["code": "10115"],
            "autonomous_system_number": .uint32(64_496), "autonomous_system_organization": "Northwater GmbH",
            "iprecord": [
                "scanned_at": .uint64(1_700_000_000), "state": "fresh", "proxy": true, "hosting": false,
                "tags": ["dns", "office"],
            ],
        ]
        #expect(try Self.exported(Self.entry(record: Self.record)) == Self.expected(value))
    }

    @Test func `fields that the record does not contain are left out`() throws {
        let value: MMDBValue = [
            "country": ["iso_code": "DE"], "location": ["latitude": 0.0],
            "iprecord": ["scanned_at": .uint64(1_700_000_000), "state": "fresh", "tags": ["dns", "office"]],
        ]
        for record in [
            #"{"countryCode":"DE","lat":0}"#, #"{"countryCode":"DE","lat":0,"as":"Northwater"}"#,
            #"{"countryCode":"DE","lat":0,"as":"AS99999999999"}"#,
        ] {
            #expect(try Self.exported(Self.entry(record: record)) == Self.expected(value), "\(record)")
        }
    }

    @Test func `a number without a name has no organization`() throws {
        let value: MMDBValue = [
            "autonomous_system_number": .uint32(64_496),
            "iprecord": ["scanned_at": .uint64(1_700_000_000), "state": "fresh", "tags": ["dns", "office"]],
        ]
        for text in ["AS64496", "AS64496 "] {
            #expect(try Self.exported(Self.entry(record: #"{"as":"\#(text)"}"#)) == Self.expected(value), "\(text)")
        }
    }

    @Test func `an entry without a record has its state and its tags`() throws {
        var entry = try Self.entry(record: "null")
        entry.state = "loading"
        entry.scannedAt = nil
        entry.tags = []
        #expect(try Self.exported(entry) == Self.expected(["iprecord": ["state": "loading", "tags": []]]))
    }

    @Test func `entries with equal records share their values`() throws {
        let first = try Self.entry(record: Self.record)
        var (second, third) = (first, first)
        second.address = "2001:db8::1"
        third.address = "2001:db8::2:1"
        // The third address adds only nodes of six bytes. The second one also makes the number of nodes a byte longer.
        let sizes = try [Self.exported(first, second).count, Self.exported(first, second, third).count]
        #expect(sizes[1] > sizes[0])
        #expect((sizes[1] - sizes[0]) % 6 == 0)
    }

    @Test func `an address that is not valid is an error`() throws {
        var entry = try Self.entry(record: Self.record)
        entry.address = "x"
        #expect(throws: CommandError.self) { try Self.exported(entry) }
    }
}
