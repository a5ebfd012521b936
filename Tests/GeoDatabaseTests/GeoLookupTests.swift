import GeoDatabase
import MMDBSamples
import RecordKeeping
import Testing

@Suite struct GeoLookupTests {
    private let folder: SampleFolder

    init() throws { folder = try SampleFolder() }

    private func country(_ database: GeoDatabase, _ address: String) throws -> String? {
        let lookup = try database.lookup(IPAddress(address))
        #expect(lookup.errors.isEmpty)
        return lookup.record?.countryCode
    }

    @Test func `addresses of both families are found by the longest prefix`() throws {
        let sample = try MMDBSample([
            "192.0.2.0/24": ["country": ["iso_code": "DE"]], "2001:db8::/32": ["country": ["iso_code": "FR"]],
            "::102:300/120": ["country": ["iso_code": "IT"]],
        ])
        let database = try folder.open(sample)
        #expect(try country(database, "192.0.2.255") == "DE")
        #expect(try country(database, "::ffff:192.0.2.255") == "DE")
        #expect(try country(database, "2001:db8:ffff::1") == "FR")
        #expect(try country(database, "1.2.3.4") == "IT")
        #expect(try country(database, "192.0.3.0") == nil)
        #expect(try country(database, "2001:db9::") == nil)
    }

    @Test func `a database for IPv4 has no IPv6 addresses`() throws {
        var sample = try MMDBSample()
        sample.ipVersion = 4
        try sample.add(["country": ["iso_code": "DE"]], for: "192.0.2.0/24")
        let database = try folder.open(sample)
        #expect(try country(database, "192.0.2.1") == "DE")
        #expect(try country(database, "2001:db8::1") == nil)
    }

    @Test func `a file is described by its metadata`() throws {
        let sample = try MMDBSample(type: "GeoLite2-City", ["192.0.2.0/24": ["country": ["iso_code": "DE"]]])
        let database = try folder.open(sample)
        let file = try #require(database.files.first)
        #expect(file.path == folder.path("0.mmdb") && file.databaseType == "GeoLite2-City")
        #expect(file.description == "a sample" && file.builtAt == WallTime(milliseconds: 1_700_000_000_000))
        #expect(file.byteCount == sample.bytes.count && database.byteCount == sample.bytes.count)
    }

    @Test func `values behind pointers are found`() throws {
        var sample = try MMDBSample()
        let names = sample.append(["de": "Köln", "en": "Cologne"])
        let key = sample.append("city")
        // A map whose key and value are pointers.
        let city: SampleValue = .map([("names", .pointer(names))])
        try sample.add(
            .raw([0xE1] + SampleValue.pointer(key).encoded + city.encoded), for: "192.0.2.0/24")
        let database = try folder.open(sample)
        #expect(try database.lookup(IPAddress("192.0.2.1")).record?.city == "Cologne")
    }

    /// Pointers of one, two, three and four bytes, to the smallest and the largest targets within the section.
    @Test(arguments: [0, 2_047, 2_048, 526_335, 526_336, 600_000])
    func `pointers of all sizes are followed`(target: Int) throws {
        var sample = try MMDBSample()
        if target > 0 { _ = sample.append(.raw([UInt8](repeating: 0, count: target))) }
        #expect(sample.append("Cologne") == target)
        var pointers: [[UInt8]] = [SampleValue.pointer(target).encoded]
        if target < 2_048 { pointers.append([0x20 | UInt8(target >> 8), UInt8(target & 255)]) }
        if (2_048..<526_336).contains(target) {
            pointers.append([0x28 | UInt8((target - 2_048) >> 16)] + SampleValue.bigEndian(UInt64(target - 2_048), 2))
        }
        if target >= 526_336 { pointers.append([0x30] + SampleValue.bigEndian(UInt64(target - 526_336), 3)) }
        for (index, pointer) in pointers.enumerated() {
            try sample.add(["city": ["names": ["en": .raw(pointer)]]], for: "192.0.2.\(index)/32")
        }
        let database = try folder.open(sample)
        for index in pointers.indices {
            #expect(try database.lookup(IPAddress("192.0.2.\(index)")).record?.city == "Cologne")
        }
    }

    @Test(arguments: [28, 29, 284, 285, 65_820, 65_821, 100_000])
    func `values after strings of all sizes are found`(size: Int) throws {
        let value: SampleValue = [
            "a": .string(String(repeating: "x", count: size)), "country": ["iso_code": "DE"],
        ]
        let database = try folder.open(MMDBSample(["192.0.2.0/24": value]))
        #expect(try country(database, "192.0.2.1") == "DE")
    }

    @Test func `more values than the cache keeps are all found, again and again`() throws {
        var sample = try MMDBSample()
        for index in 0..<10_000 {
            let network = "10.\(index / 256).\(index % 256).0/24"
            try sample.add(["city": ["names": ["en": .string("city \(index)")]]], for: network)
        }
        let database = try folder.open(sample)
        for index in Array(0..<10_000) + (0..<10_000).reversed() {
            let address = try IPAddress("10.\(index / 256).\(index % 256).7")
            #expect(database.lookup(address).record?.city == "city \(index)")
        }
    }

    @Test func `too many files are refused`() throws {
        let error = try #require(throws: GeoDatabaseError.self) {
            try GeoDatabase(paths: Array(repeating: "/a", count: GeoDatabase.maxFiles + 1))
        }
        #expect("\(error)" == "17 MMDB files are configured; at most 16 are possible")
    }
}
