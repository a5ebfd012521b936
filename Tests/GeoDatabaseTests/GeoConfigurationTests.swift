import GeoDatabase
import MMDBSamples
import RecordKeeping
import Testing

/// Changes of the list of files.
@Suite struct GeoConfigurationTests {
    private let folder: SampleFolder

    init() throws { folder = try SampleFolder() }

    private func put(_ code: String, _ name: String) throws -> String {
        let sample = try MMDBSample(["192.0.2.0/24": ["country": ["iso_code": .string(code)]]])
        return try folder.put(sample.bytes, name)
    }

    private static func country(in database: GeoDatabase) throws -> String? {
        try database.lookup(IPAddress("192.0.2.1")).record?.countryCode
    }

    @Test func `the order of the list decides, and files that stay are not read again`() throws {
        let (a, b) = (try put("DE", "a.mmdb"), try put("FR", "b.mmdb"))
        let database = try GeoDatabase(paths: [a, b])
        #expect(database.reload().count == 2)
        #expect(try Self.country(in: database) == "DE")
        let generation = database.generation
        #expect(try database.configure(paths: [b, a]) == [])
        #expect(database.reload() == [] && database.generation > generation)
        #expect(try Self.country(in: database) == "FR")
    }

    @Test func `a change of the list changes the version of the records`() throws {
        let (a, b) = (try put("DE", "a.mmdb"), try put("FR", "b.mmdb"))
        let database = GeoDatabase()
        #expect(database.states.isEmpty && database.reload() == [] && database.snapshot.version == nil)
        var versions: [DataVersion?] = []
        for paths in [[a, b], [b, a], [b]] {
            _ = try database.configure(paths: paths)
            _ = database.reload()
            versions.append(database.snapshot.version)
        }
        #expect(Set(versions).count == 3 && !versions.contains(nil))
        #expect(try database.configure(paths: []).map(\.path) == [b])
        #expect(database.snapshot.version == nil, "also without a reload")
    }

    @Test func `a file that leaves the list is not used any more`() throws {
        let (a, b) = (try put("DE", "a.mmdb"), try put("FR", "b.mmdb"))
        let database = try GeoDatabase(paths: [a, b])
        #expect(database.reload().count == 2)
        #expect(try database.configure(paths: [b]).map(\.path) == [a])
        #expect(database.states.map(\.path) == [b] && database.files.map(\.path) == [b])
        #expect(try Self.country(in: database) == "FR")
        #expect(try database.configure(paths: []).map(\.path) == [b])
        #expect(try Self.country(in: database) == nil)
    }

    @Test func `a broken file keeps its previous version while the list changes`() throws {
        let a = try put("DE", "a.mmdb")
        let database = try GeoDatabase(paths: [a])
        #expect(database.reload().count == 1)
        try folder.put([1, 2, 3])
        #expect(database.reload().count == 1)
        #expect(try database.configure(paths: [a, folder.path("b.mmdb")]) == [])
        #expect(database.reload().count == 1)
        #expect(try Self.country(in: database) == "DE")
        let states = database.states
        #expect(states.map { $0.file == nil } == [false, true])
        #expect(states.allSatisfy { $0.failure != nil })
    }

    @Test func `a list that is too long is refused, and the old one stays`() throws {
        let database = try GeoDatabase(paths: [put("DE", "a.mmdb")])
        #expect(database.reload().count == 1)
        #expect(throws: GeoDatabaseError.tooManyFiles(count: 17)) {
            try database.configure(paths: (0..<17).map { "/x/\($0)" })
        }
        #expect(try Self.country(in: database) == "DE")
    }

    @Test func `a file that has not been read yet has neither a version nor a failure`() throws {
        let database = try GeoDatabase(paths: [put("DE", "a.mmdb")])
        let state = try #require(database.states.first)
        #expect(state.file == nil && state.failure == nil)
    }
}
