import GeoDatabase
import MMDBSamples
import RecordKeeping
import Testing

/// The fields of each family of databases: docs/mmdb.md.
@Suite struct FieldMappingTests {
    private let folder: SampleFolder

    init() throws { folder = try SampleFolder() }

    /// Returns the fields that a database with this value has.
    private func fields(_ type: String, _ value: SampleValue) throws -> [String: String] {
        let database = try folder.open(MMDBSample(type: type, ["192.0.2.0/24": value]))
        let lookup = try database.lookup(IPAddress("192.0.2.7"))
        #expect(lookup.errors.isEmpty)
        return GeoDatabaseTests.fields(lookup.record)
    }

    private static let city: SampleValue = [
        "city": ["geoname_id": .uint32(1), "names": ["de": "Köln", "en": "Cologne"]],
        "continent": ["code": "EU", "names": ["en": "Europe"]],
        "country": ["iso_code": "DE", "names": ["de": "Deutschland", "en": "Germany"]],
        "location": [
            "accuracy_radius": .uint16(20), "latitude": 50.9, "longitude": 6.9, "time_zone": "Europe/Berlin",
        ],
        "postal": ["code": "50667"],
        "registered_country": ["iso_code": "FR", "names": ["en": "France"]],
        "subdivisions": [
            ["iso_code": "NW", "names": ["en": "North Rhine-Westphalia"]], ["names": ["en": "Second"]],
        ],
    ]

    private static let cityFields = [
        "continent": "Europe", "continentCode": "EU", "country": "Germany", "countryCode": "DE", "region": "NW",
        "regionName": "North Rhine-Westphalia", "city": "Cologne", "zip": "50667", "lat": "50.9", "lon": "6.9",
        "timezone": "Europe/Berlin",
    ]

    @Test(arguments: ["GeoLite2-City", "GeoIP2-City-Europe", "DBIP-City-Lite", "Acme-City"])
    func `a city database has the place`(type: String) throws {
        #expect(try fields(type, Self.city) == Self.cityFields)
    }

    @Test(arguments: ["GeoLite2-ASN", "DBIP-ASN-Lite (compat=GeoLite2-ASN)", "Acme"])
    func `an ASN database has the network`(type: String) throws {
        let value: SampleValue = [
            "autonomous_system_number": .uint32(64_496), "autonomous_system_organization": "Northwater",
        ]
        #expect(try fields(type, value) == ["as": "AS64496 Northwater", "asn": "64496"])
        #expect(
            try fields(type, ["autonomous_system_number": .uint32(64_496)]) == ["as": "AS64496", "asn": "64496"])
        #expect(try fields(type, ["autonomous_system_organization": "Northwater"]) == [:])
    }

    @Test func `an ISP database and an enterprise database have the provider and the organisation`() throws {
        let members: [(String, SampleValue)] = [
            ("autonomous_system_number", .uint32(64_496)), ("autonomous_system_organization", "Northwater"),
            ("isp", "Northwater DSL"), ("organization", "Acme"),
        ]
        let expected = ["as": "AS64496 Northwater", "asn": "64496", "isp": "Northwater DSL", "org": "Acme"]
        #expect(try fields("GeoIP2-ISP", .map(members)) == expected)
        #expect(try fields("GeoIP2-Enterprise", ["traits": .map(members)]) == expected)
    }

    @Test(arguments: ["ipinfo bundle_location_lite.mmdb", "Acme"])
    func `IPinfo Lite has the country and the network`(type: String) throws {
        let value: SampleValue = [
            "as_domain": "northwater.example", "as_name": "Northwater", "asn": "AS64496", "continent": "Europe",
            "continent_code": "EU", "country": "Germany", "country_code": "DE",
        ]
        let expected = [
            "continent": "Europe", "continentCode": "EU", "country": "Germany", "countryCode": "DE",
            "as": "AS64496 Northwater", "asn": "64496",
        ]
        #expect(try fields(type, value) == expected)
        // The earlier free database of IPinfo has the code in `country`.
        #expect(try fields(type, ["country": "DE", "country_name": "Germany"]) == [:])
    }

    @Test func `an exported watch list has flags as well`() throws {
        let value: SampleValue = [
            "country": ["iso_code": "DE"], "iprecord": ["proxy": true, "hosting": false, "state": "fresh"],
        ]
        let expected = ["countryCode": "DE", "proxy": "true", "hosting": "false"]
        #expect(try fields("iprecord-City", value) == expected)
        #expect(try fields("GeoLite2-City", value) == ["countryCode": "DE"])
    }

    @Test func `names are in English if possible`() throws {
        func city(_ names: SampleValue) throws -> String? {
            try fields("GeoLite2-City", ["city": ["names": names]])["city"]
        }
        #expect(try city(["de": "Köln", "en": "Cologne", "fr": "Cologne (F)"]) == "Cologne")
        #expect(try city(["de": "Köln", "fr": "Cologne"]) == "Köln")
        #expect(try city([:]) == nil)
    }

    @Test func `the country of registration replaces a missing country`() throws {
        let registered: SampleValue = ["iso_code": "FR", "names": ["en": "France"]]
        let france = ["countryCode": "FR", "country": "France"]
        #expect(try fields("GeoLite2-Country", ["registered_country": registered]) == france)
        // The code of one country and the name of another are never combined.
        let named: SampleValue = ["country": ["names": ["en": "Germany"]], "registered_country": registered]
        #expect(try fields("GeoLite2-Country", named) == france)
        #expect(try fields("GeoLite2-Country", ["country": ["names": ["en": "Germany"]]]) == ["country": "Germany"])
    }

    @Test func `the code of DB-IP for no country is left out`() throws {
        #expect(
            try fields("DBIP-Country-Lite", ["country": ["iso_code": "ZZ", "names": ["en": "-"]]]) == ["country": "-"])
    }

    // MARK: Invalid values

    private static let wrong: [SampleValue] = [
        "", " ", "\t\n", .double(.nan), .double(.infinity), .double(181), .double(-180.5), .float(500),
        .uint16(0), .uint32(0), .uint64(.max), .int32(-1), .bytes([1]), [:], [], ["en": .uint16(1)],
        .raw([0x42, 0xC3, 0x28]), .raw([0x01, 0x03, 0x05]),
    ]

    @Test(arguments: wrong.indices)
    func `a value of another type, out of range, blank or in invalid UTF-8 is left out`(index: Int) throws {
        let value = Self.wrong[index]
        let everywhere: SampleValue = [
            "city": ["names": ["en": value]], "continent": ["code": value, "names": ["en": value]],
            "country": ["iso_code": value, "names": value], "postal": ["code": value],
            "location": ["latitude": value, "longitude": value, "time_zone": value], "subdivisions": [value],
            "autonomous_system_number": value, "autonomous_system_organization": value, "isp": value, "asn": value,
            "iprecord": ["proxy": value, "hosting": value], "continent_code": value, "country_code": value,
            "registered_country": value, "as_name": value,
        ]
        #expect(try fields("Acme", everywhere) == [:])
        for whole in ["city", "location", "subdivisions", "traits"] {
            #expect(try fields("Acme", .map([(whole, value)])) == [:])
        }
        if case .raw = value { return }
        #expect(try fields("Acme", value) == [:])
    }

    @Test func `coordinates are complete or missing`() throws {
        func location(_ latitude: SampleValue, _ longitude: SampleValue) throws -> [String: String] {
            try fields("GeoLite2-City", ["location": ["latitude": latitude, "longitude": longitude]])
        }
        #expect(try location(-90.0, 180.0) == ["lat": "-90.0", "lon": "180.0"])
        #expect(try location(-0.0, .float(0.5)) == ["lat": "0.0", "lon": "0.5"])
        #expect(try location(90.1, 1.0) == [:])
        #expect(try location(1.0, "1.0") == [:])
    }

    @Test(
        arguments: [
            ("AS64496", "64496"), ("AS4294967295", "4294967295"), ("AS0", nil), ("AS4294967296", nil),
            ("64496", nil), ("AS", nil), ("AS-1", nil), ("AS99999999999999999999", nil),
        ] as [(String, String?)])
    func `numbers of autonomous systems have 32 bits`(text: String, number: String?) throws {
        #expect(try fields("ipinfo", ["asn": .string(text)])["asn"] == number)
    }

    @Test func `harmful characters are replaced and long names truncated`() throws {
        let name = "a\u{202E}b" + String(repeating: "x", count: 1_000)
        let city = try #require(try fields("GeoLite2-City", ["city": ["names": ["en": .string(name)]]])["city"])
        #expect(city.hasPrefix("a\u{FFFD}bx") && city.utf8.count == UntrustedText.maxFieldBytes)
    }
}
