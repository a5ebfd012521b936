import Foundation
import GeoDatabase
import MMDBSamples
import RecordKeeping
import TestSupport
import Testing

/// The databases with which MaxMind tests libmaxminddb, from Debian's source package.
@Suite(.enabled(if: SourceSamples.arePresent, "run scripts/install-mmdb-samples"))
struct DebianSampleTests {
    private static func open(_ path: String) throws -> (database: GeoDatabase, changes: [GeoDatabaseChange]) {
        let database = try GeoDatabase(paths: [path])
        return (database, database.reload())
    }

    /// Databases with the values that went into them.
    @Test(arguments: ["GeoIP2-City-Test", "GeoIP2-Country-Test", "GeoLite2-ASN-Test", "GeoIP2-ISP-Test"])
    func `every network has the fields of the source`(name: String) throws {
        let (database, changes) = try Self.open(SourceSamples.path("test-data/\(name).mmdb"))
        try #require(database.files.count == 1, "\(changes)")
        let data = try Data(contentsOf: URL(fileURLWithPath: SourceSamples.path("source-data/\(name).json")))
        let networks = try #require(try JSONSerialization.jsonObject(with: data) as? [[String: Any]])
        var count = 0
        for (network, value) in networks.joined() {
            let value = try #require(value as? [String: Any])
            let lookup = try database.lookup(SourceSamples.firstAddress(of: network))
            #expect(lookup.errors.isEmpty, "\(network)")
            #expect(fields(lookup.record) == Self.expected(value), "\(network)")
            count += 1
        }
        #expect(count > 5)
    }

    /// Returns the fields of an address, from its value in JSON.
    private static func expected(_ value: [String: Any]) -> [String: String] {
        func member(_ path: String) -> Any? {
            path.split(separator: ".").reduce(value as Any?) { found, key in
                if let array = found as? [Any] { return array.first }
                return (found as? [String: Any])?[String(key)]
            }
        }
        var fields: [String: String] = [:]
        func set(_ field: String, _ path: String) { fields[field] = member(path).map { "\($0)" } }
        set("continent", "continent.names.en")
        set("continentCode", "continent.code")
        let country = member("country.iso_code") == nil ? "registered_country" : "country"
        set("country", country + ".names.en")
        set("countryCode", country + ".iso_code")
        set("region", "subdivisions.0.iso_code")
        set("regionName", "subdivisions.0.names.en")
        set("city", "city.names.en")
        set("zip", "postal.code")
        set("timezone", "location.time_zone")
        set("isp", "isp")
        set("org", "organization")
        for (field, path) in [("lat", "location.latitude"), ("lon", "location.longitude")] {
            // The sources have numbers as numbers and as text.
            fields[field] = member(path).flatMap { Double("\($0)") }.map { "\($0)" }
        }
        if let number = member("autonomous_system_number") {
            fields["asn"] = "\(number)"
            fields["as"] = "AS\(number)" + (member("autonomous_system_organization").map { " \($0)" } ?? "")
        }
        return fields
    }

    @Test(arguments: [
        "GeoIP2-City-Test-Invalid-Node-Count": "nodes is larger than the file",
        "MaxMind-DB-test-broken-search-tree-24": "of the search tree leads out of the file",
    ])
    func `a database with a broken tree is refused`(name: String, reason: String) throws {
        let (database, _) = try Self.open(SourceSamples.path("test-data/\(name).mmdb"))
        let error = try #require(database.failures.first)
        #expect("\(error)".contains(reason) && database.files.isEmpty, "\(error)")
    }

    @Test(arguments: SourceSamples.files("test-data") + SourceSamples.files("bad-data"))
    func `no address of a good or bad database is fatal`(path: String) throws {
        let (database, changes) = try Self.open(path)
        #expect(changes.count == 1)
        // Addresses of each of the largest networks, and those of the sample networks.
        for byte in UInt64(0)...255 {
            _ = database.lookup(IPAddress(v4: UInt32(byte) << 24 | 1))
            _ = database.lookup(IPAddress(high: byte << 56 | 0x2_18 << 32, low: 1))
            _ = database.lookup(IPAddress(v4: 0x0101_0100 | UInt32(byte)))
            _ = database.lookup(IPAddress(high: 0x2001_0000_0000_0000 | byte << 36, low: byte))
        }
    }

    @Test(arguments: ["GeoIP2-City-Test", "GeoLite2-ASN-Test", "MaxMind-DB-test-decoder", "MaxMind-DB-test-mixed-28"])
    func `no random damage is fatal`(name: String) throws {
        let folder = try SampleFolder()
        let whole = [UInt8](try Data(contentsOf: URL(fileURLWithPath: SourceSamples.path("test-data/\(name).mmdb"))))
        var generator = SplitMixGenerator(state: 1)
        for _ in 0..<100 {
            var changed = whole
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                // Half of the damage is in the metadata at the end.
                let start = Bool.random(using: &generator) ? max(0, whole.count - 400) : 0
                changed[Int.random(in: start..<whole.count, using: &generator)] = .random(
                    in: 0...255, using: &generator)
            }
            if Int.random(in: 0..<8, using: &generator) == 0 {
                changed.removeLast(Int.random(in: 1...300, using: &generator))
            }
            let (database, changes) = try Self.open(folder.put(changed))
            #expect(changes.count == 1)
            for bits in [0x5102_458E, 0x027D_A0D8, 0x0101_0101, 0x0C51_5C00] as [UInt32] {
                _ = database.lookup(IPAddress(v4: bits))
            }
        }
    }
}

/// The files that scripts/install-mmdb-samples fetches.
enum SourceSamples {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../.build/mmdb-samples").standardized.path

    static var arePresent: Bool { FileManager.default.fileExists(atPath: path("version")) }

    static func path(_ name: String) -> String { folder + "/" + name }

    /// Returns the MMDB files below a directory.
    static func files(_ name: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: path(name))?.compactMap { $0 as? String } ?? []
        return names.filter { $0.hasSuffix(".mmdb") }.sorted().map { path(name + "/" + $0) }
    }

    /// Returns the first address of a network in the notation of the sources, in which IPv4 is in ::/96.
    static func firstAddress(of network: String) throws -> IPAddress {
        let text = network.prefix { $0 != "/" }
        return try IPAddress(String(text.hasPrefix("::") && text.contains(".") ? text.dropFirst(2) : text))
    }
}

/// A pseudorandom number generator (SplitMix64), so that failures can be repeated.
private struct SplitMixGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
