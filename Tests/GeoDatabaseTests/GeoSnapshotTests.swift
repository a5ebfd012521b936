import Foundation
import GeoDatabase
import MMDBSamples
import RecordKeeping
import TestSupport
import Testing

/// The version of the files in use, and lookups in files that have been replaced meanwhile.
@Suite struct GeoSnapshotTests {
    private static func sample(_ code: String, type: String = "GeoLite2-City") throws -> [UInt8] {
        try MMDBSample(type: type, ["192.0.2.0/24": ["country": ["iso_code": .string(code)]]]).bytes
    }

    /// Returns the version of files with these contents, in this order.
    private static func version(_ files: [UInt8]...) throws -> DataVersion? {
        let folder = try SampleFolder()
        let paths = try files.enumerated().map { try folder.put($1, "\($0).mmdb") }
        let database = try GeoDatabase(paths: paths)
        _ = database.reload()
        return database.snapshot.version
    }

    @Test func `without an open file, there is no version`() throws {
        #expect(try GeoDatabase(paths: ["/nonexistent.mmdb"]).snapshot.version == nil)
    }

    @Test func `the version depends on the contents of the files and on their order, not on their paths`() throws {
        let (german, french) = (try Self.sample("DE"), try Self.sample("FR"))
        let version = try #require(try Self.version(german))
        #expect(try Self.version(german) == version, "the same contents in another file")
        let others = [
            try Self.version(french), try Self.version(german, french), try Self.version(french, german),
            try Self.version(german, german),
        ]
        #expect(Set(others + [version]).count == 5 && !others.contains(nil))
    }

    @Test func `the version is named after the types of the files`() throws {
        let files = [try Self.sample("DE"), try Self.sample("DE", type: "GeoLite2-ASN")]
        #expect(try Self.version(files[0], files[1])?.name == "GeoLite2-City, GeoLite2-ASN")
    }

    @Test func `each byte and the length of a file determine its version`() throws {
        let bytes = try Self.sample("DE")
        let version = try Self.version(bytes)
        // The description is not used by lookups, and each of its bytes may have any value.
        let place = try #require(Data(bytes).range(of: Data("a sample".utf8))).lowerBound
        for offset in 0..<8 {
            var changed = bytes
            changed[place + offset] ^= 1
            #expect(try Self.version(changed) != version, "byte \(offset)")
        }
    }

    @Test func `a snapshot keeps its versions when a file is replaced`() throws {
        let folder = try SampleFolder()
        let database = try GeoDatabase(paths: [folder.put(Self.sample("DE"))])
        _ = database.reload()
        let snapshot = database.snapshot
        try folder.put(Self.sample("FR"))
        _ = database.reload()
        let address = try IPAddress("192.0.2.1")
        #expect(snapshot.lookup(address).record?.countryCode == "DE")
        #expect(database.snapshot.lookup(address).record?.countryCode == "FR")
        #expect(snapshot.version != database.snapshot.version)
    }
}
