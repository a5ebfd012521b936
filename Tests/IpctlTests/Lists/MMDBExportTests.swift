import JSON
import MMDBReading
import MMDBWriter
import RecordKeeping
import Testing

@testable import ipctl

/// Databases that are made from replies to `List`, read back from their bytes.
@Suite struct MMDBExportTests {
    private static let record = #"""
        {"continent":"Europe","continentCode":"EU","country":"Germany","countryCode":"DE","region":"BE",
        "regionName":"Land Berlin","city":"Berlin","zip":"10115","lat":52.5,"lon":13.25,"timezone":"Europe/Berlin",
        "isp":"Northwater","as":"AS64496 Northwater GmbH","asn":64496,"mobile":false,"proxy":true,"hosting":false}
        """#
    private static let own: MMDBValue = [
        "scanned_at": .uint64(1_700_000_000), "state": "fresh", "tags": ["dns", "office"],
    ]
    /// 192.0.2.1.
    private static let address: UInt128 = 0xC000_0201

    private static func entry(record: String, address: String = "192.0.2.1") -> String {
        #"""
        {"address":"\#(address)","state":"fresh","watched":true,"pinned":false,"tags":["dns","office"],"note":"}]",
        "record":\#(record),"provider":"ip-api.com","scannedAt":1700000000999,"failure":{"kind":"timeout","tags":[7]}}
        """#
    }

    /// - Parameter begin: called with the cursor of the next page.
    private static func page(
        _ text: String, of export: inout MMDBExport, begin: (String) -> Void = { _ in }
    ) throws -> MMDBExport.Page {
        let text = Array(text.utf8)
        var scanner = JSONScanner(text.span.bytes)
        return try export.page(&scanner, begin: begin)
    }

    private static func exported(_ pages: String...) throws -> [UInt8] {
        var export = MMDBExport(at: WallTime(milliseconds: 1_700_000_300_000))
        for page in pages { try export.add(Self.page(page, of: &export)) }
        var bytes: [UInt8] = []
        try export.finish().write { bytes += $0 }
        return bytes
    }

    /// Reads the database of a page with these entries.
    private static func database(_ entries: String...) throws -> MMDBTestReader {
        let page = #"{"entries":[\#(entries.joined(separator: ","))],"total":\#(entries.count)}"#
        return try #require(try MMDBTestReader(exported(page)))
    }

    private static func value(record: String) throws -> MMDBTestReader.Text? {
        try database(entry(record: record)).lookUp(address).value
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
        let database = try Self.database(Self.entry(record: Self.record))
        #expect(database.lookUp(Self.address).value == value.text)
        #expect(database.lookUp(Self.address).prefixLength == 128)
        #expect(database.lookUp(Self.address + 1).value == nil)
        #expect(database.metadata["database_type"] == #""iprecord-City""#)
        #expect(database.metadata["build_epoch"] == "u64:1700000300")
    }

    @Test func `entries that share most of a place stay apart`() throws {
        // Each record follows all others, so that a wrong value of the cache would be found.
        let records = [
            #"{"continent":"Europe","country":"Germany","city":"Neustadt","timezone":"Europe/Berlin"}"#,
            #"{"continent":"Europe","country":"Germany","city":"Neustadt","timezone":"Europe/Vienna"}"#,
            #"{"continent":"Europe","country":"Austria","city":"Neustadt","timezone":"Europe/Berlin"}"#,
            #"{"continent":"Europe","country":"Germany","regionName":"Hesse","city":"Neustadt"}"#,
            #"{"continent":"Europe","country":"Germany","regionName":null,"city":"Neustadt"}"#,
            #"{"continent":"Europe","country":"Germany","region":"Hesse","city":"Neustadt"}"#,
            #"{"city":"Neustadt","country":"Germany","lat":1,"continent":"Europe","lon":2}"#,
            #"{"city":"Neustadt","country":"Germany","lat":1,"continent":"Asia","lon":2}"#,
            #"{"country":"Germany"}"#, #"{"city":"Germany"}"#, #"{"lat":1}"#, "{}",
            #"{"city":"Neustadt"},"record":{"country":"Germany"}"#,
        ]
        let alone = try records.map { try Self.value(record: $0) }
        #expect(Set(alone.map { "\(String(describing: $0))" }).count == records.count)
        for offset in records.indices {
            let order = records.indices.map { ($0 + offset) % records.count }
            let entries = order.enumerated().map {
                Self.entry(record: records[$0.element], address: "192.0.2.\($0.offset)")
            }
            let page = #"{"entries":[\#(entries.joined(separator: ","))],"total":\#(entries.count)}"#
            let database = try #require(try MMDBTestReader(Self.exported(page)))
            for (place, index) in order.enumerated() {
                #expect(
                    database.lookUp(Self.address - 1 + UInt128(place)).value == alone[index], "\(records[index])")
            }
        }
    }

    @Test func `fields that the record does not contain are left out`() throws {
        let value: MMDBValue = ["country": ["iso_code": "DE"], "location": ["latitude": 0.0], "iprecord": Self.own]
        for record in [
            #"{"countryCode":"DE","lat":0}"#, #"{"countryCode":"DE","lat":0,"as":"Northwater"}"#,
            #"{"countryCode":"DE","lat":0,"as":"AS99999999999"}"#, #"{"countryCode":"DE","lat":0,"city":null}"#,
        ] {
            #expect(try Self.value(record: record) == value.text, "\(record)")
        }
    }

    @Test func `a number without a name has no organization`() throws {
        let value: MMDBValue = ["autonomous_system_number": .uint32(64_496), "iprecord": Self.own]
        for text in ["AS64496", "AS64496 "] {
            #expect(try Self.value(record: #"{"as":"\#(text)"}"#) == value.text, "\(text)")
        }
    }

    @Test func `texts and names may be spelled with escapes`() throws {
        let value: MMDBValue = ["city": ["names": ["en": "Zürich \"1\""]], "iprecord": Self.own]
        #expect(try Self.value(record: #"{"\u0063ity":"Z\u00fcrich \"1\""}"#) == value.text)
    }

    @Test func `an entry without a record has its state and its tags`() throws {
        let value: MMDBValue = ["iprecord": ["state": "loading", "tags": []]]
        for members in ["", #","record":null,"scannedAt":null"#] {
            let entry = #"{"address":"192.0.2.1","state":"loading","tags":[]\#(members)}"#
            #expect(try Self.database(entry).lookUp(Self.address).value == value.text)
        }
    }

    @Test func `equal and similar entries keep their own values`() throws {
        let cities = ["Berlin", "Ulm", "Berlin", "", "Ulm"]
        let entries = cities.enumerated().map { place, city in
            Self.entry(record: #"{"city":"\#(city)","zip":"\#(place % 2)"}"#, address: "192.0.2.\(place)")
        }
        let page = #"{"entries":[\#(entries.joined(separator: ","))],"next":"x","total":9,"later":[{}]}"#
        let database = try #require(try MMDBTestReader(Self.exported(page, #"{"total":9,"entries":[]}"#)))
        for (place, city) in cities.enumerated() {
            let value: MMDBValue = [
                "city": ["names": ["en": .string(city)]], "postal": ["code": .string("\(place % 2)")],
                "iprecord": Self.own,
            ]
            #expect(database.lookUp(0xC000_0200 + UInt128(place)).value == value.text)
        }
    }

    @Test func `entries with equal records share their values`() throws {
        func size(_ addresses: String...) throws -> Int {
            let entries = addresses.map { Self.entry(record: Self.record, address: $0) }
            return try Self.exported(#"{"entries":[\#(entries.joined(separator: ","))]}"#).count
        }
        let sizes = try [size("192.0.2.1", "2001:db8::1"), size("192.0.2.1", "2001:db8::1", "2001:db8::2:1")]
        // The third address adds only nodes of six bytes.
        #expect(sizes[1] > sizes[0])
        #expect((sizes[1] - sizes[0]) % 6 == 0)
    }

    @Test func `a page has the cursor and the number of all entries`() throws {
        var export = MMDBExport(at: WallTime(milliseconds: 0))
        let entries = #""entries":[\#(Self.entry(record: "{}"))]"#
        for text in [#"{"next":"c","total":1000000,\#(entries)}"#, #"{\#(entries),"next":"c","total":1000000}"#] {
            var begun: [String] = []
            let page = try Self.page(text, of: &export) { begun.append($0) }
            #expect(page.next == "c")
            #expect(begun == ["c"])
            #expect(page.total == 1_000_000)
            #expect(page.entries.count == 1)
        }
        #expect(try Self.page(#"{"entries":[],"next":null,"total":0}"#, of: &export).next == nil)
    }

    @Test(arguments: [
        "", "[]", "{", #"{"entries":7}"#, #"{"entries":[7]}"#, #"{"entries":[{}]}"#,
        #"{"entries":[{"address":"192.0.2.1","state":"fresh"}]}"#,
        #"{"entries":[{"address":"192.0.2.1","tags":[]}]}"#,
        #"{"entries":[{"address":"192.0.2.1","state":7,"tags":[]}]}"#,
        #"{"entries":[{"address":"192.0.2.1","state":"fresh","tags":{}}]}"#,
        #"{"entries":[{"address":"192.0.2.1","state":"fresh","tags":[7]}]}"#,
        #"{"entries":[{"address":"192.0.2.1","state":"fresh","tags":[],"scannedAt":"x"}]}"#,
        #"{"entries":[{"address":"192.0.2.1","state":"fresh","tags":[],"record":{"city":7}}]}"#,
        #"{"entries":[{"address":"192.0.2.1","state":"fresh","tags":[],"record":{"lat":"x"}}]}"#,
        #"{"entries":[{"address":"192.0.2.1","state":"fresh","tags":[],"record":{"proxy":1}}]}"#,
    ])
    func `a reply of another form is an error`(page: String) throws {
        let error = #expect(throws: CommandError.self) { try Self.exported(page) }
        #expect(error?.message == CommandError.unreadableReply.message)
    }

    @Test func `an exceeded limit of the format is named`() throws {
        var export = MMDBExport(at: WallTime(milliseconds: 0), maxNodesAndBytes: 20)
        let page = #"{"entries":[\#(Self.entry(record: Self.record))],"next":null,"total":1}"#
        let error = #expect(throws: CommandError.self) { try Self.page(page, of: &export) }
        #expect(error?.message == "cannot export the watch list: \(MMDBError.databaseTooLarge)")
    }

    @Test func `an address that is not valid is an error`() throws {
        let error = #expect(throws: CommandError.self) {
            try Self.database(Self.entry(record: Self.record, address: "x"))
        }
        #expect(error?.message.hasPrefix("cannot export \"x\": ") == true)
    }
}
