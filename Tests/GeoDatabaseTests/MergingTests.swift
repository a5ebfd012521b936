import GeoDatabase
import MMDBSamples
import RecordKeeping
import Testing

/// The combination of several databases into one record.
@Suite struct MergingTests {
    private let folder: SampleFolder

    init() throws { folder = try SampleFolder() }

    /// Returns the result for an address that has these values in databases of type "0", "1" and so on.
    private func lookup(_ values: SampleValue...) throws -> GeoLookup {
        let paths = try values.enumerated().map { index, value in
            var sample = try MMDBSample(type: "\(index)", ["192.0.2.0/24": value])
            sample.buildEpoch = 1_700_000_000 - UInt64(index)
            return try folder.put(sample.bytes, "\(index).mmdb")
        }
        let database = try GeoDatabase(paths: paths)
        #expect(database.reload().count == values.count)
        return try database.lookup(IPAddress("192.0.2.1"))
    }

    private static let germany: SampleValue = ["country": ["iso_code": "DE", "names": ["en": "Germany"]]]
    private static let cologne: SampleValue = [
        "country": ["iso_code": "DE"], "city": ["names": ["en": "Cologne"]],
        "location": ["latitude": 50.9, "longitude": 6.9],
    ]
    private static let network: SampleValue = ["autonomous_system_number": .uint32(64_496)]

    @Test func `databases complete each other, and the contributing ones are named`() throws {
        let lookup = try lookup(Self.germany, Self.cologne, Self.network)
        let expected = [
            "country": "Germany", "countryCode": "DE", "city": "Cologne", "lat": "50.9", "lon": "6.9",
            "as": "AS64496", "asn": "64496",
        ]
        #expect(fields(lookup.record) == expected)
        #expect(lookup.database == "0, 1, 2")
        #expect(lookup.builtAt == WallTime(milliseconds: 1_699_999_998_000))
    }

    @Test func `a database without new fields is not named`() throws {
        let lookup = try lookup(Self.cologne, ["country": ["iso_code": "DE"]])
        #expect(lookup.database == "0" && lookup.builtAt == WallTime(milliseconds: 1_700_000_000_000))
    }

    @Test func `places in different countries are not combined`() throws {
        let france: SampleValue = ["country": ["iso_code": "FR"], "city": ["names": ["en": "Paris"]], "isp": "Seine"]
        let lookup = try lookup(Self.germany, france)
        #expect(fields(lookup.record) == ["country": "Germany", "countryCode": "DE", "isp": "Seine"])
    }

    @Test func `places on different continents are not combined`() throws {
        let asia: SampleValue = ["continent": ["code": "AS"], "city": ["names": ["en": "Osaka"]]]
        let lookup = try lookup(["continent": ["code": "EU"]], asia)
        #expect(fields(lookup.record) == ["continentCode": "EU"] && lookup.database == "0")
    }

    @Test func `the city of one database and the coordinates of another are not combined`() throws {
        let bonn: SampleValue = ["country": ["iso_code": "DE"], "city": ["names": ["en": "Bonn"]]]
        let lookup = try lookup(bonn, Self.cologne)
        #expect(fields(lookup.record) == ["countryCode": "DE", "city": "Bonn"] && lookup.database == "0")
    }

    @Test func `the provider of another autonomous system is not added`() throws {
        let other: SampleValue = ["autonomous_system_number": .uint32(64_497), "isp": "Other"]
        #expect(fields(try lookup(Self.network, other).record) == ["as": "AS64496", "asn": "64496"])
        let same: SampleValue = ["autonomous_system_number": .uint32(64_496), "isp": "Same"]
        #expect(fields(try lookup(Self.network, same).record) == ["as": "AS64496", "asn": "64496", "isp": "Same"])
    }

    @Test func `damaged data of one database does not affect the others`() throws {
        // The map has one member more than there are bytes.
        let lookup = try lookup(.raw([0xE1]), Self.network)
        #expect(fields(lookup.record) == ["as": "AS64496", "asn": "64496"] && lookup.database == "1")
        let error = try #require(lookup.errors.first)
        #expect(
            "\(error)".hasPrefix("the MMDB file \(folder.path("0.mmdb")) is damaged: the data of 192.0.2.1 is invalid"))
    }
}
