import Foundation
import GeoDatabase
import MMDBSamples
import RecordKeeping
import TestSupport
import Testing

/// Files that are replaced, damaged or removed while the database is in use.
@Suite struct GeoReloadTests {
    private let folder: SampleFolder
    private let database: GeoDatabase

    init() throws {
        folder = try SampleFolder()
        database = try GeoDatabase(paths: [folder.path()], maxFileBytes: 1_000_000)
    }

    private static func sample(_ code: String) throws -> [UInt8] {
        try MMDBSample(["192.0.2.0/24": ["country": ["iso_code": .string(code)]]]).bytes
    }

    private var country: String? {
        get throws { try database.lookup(IPAddress("192.0.2.1")).record?.countryCode }
    }

    /// Returns the error of a reload that failed and kept the file with this country.
    private func failure(keeping expected: String?) throws -> GeoDatabaseError {
        let changes = database.reload()
        guard changes.count == 1, case .failed(let error, let kept) = changes[0] else {
            throw UnexpectedChanges(changes: changes)
        }
        #expect((kept != nil) == (expected != nil))
        #expect(try country == expected)
        #expect(database.failures == [error])
        return error
    }

    private struct UnexpectedChanges: Error {
        let changes: [GeoDatabaseChange]
    }

    @Test func `a file that is replaced by rename is noticed by a reload`() throws {
        try folder.put(Self.sample("DE"))
        let opened = database.reload()
        let first = try #require(database.files.first)
        #expect(opened == [.opened(first)])
        #expect(try country == "DE" && database.generation == 1)
        #expect(database.reload() == [])
        try folder.put(Self.sample("FR"))
        #expect(try country == "DE" && database.generation == 1)
        let change = database.reload()
        #expect(change == [.replaced(first, with: database.files[0])])
        #expect(try country == "FR" && database.generation == 2)
    }

    @Test func `a file that is truncated in place does no harm`() throws {
        try folder.put(Self.sample("DE"))
        #expect(database.reload().count == 1)
        try #require(truncate(folder.path(), 0) == 0)
        #expect(try country == "DE")
        #expect(
            "\(try failure(keeping: "DE"))".hasSuffix(
                "there is no metadata at the end of the file; it may be truncated"))
    }

    @Test func `a broken file keeps the old one, is reported once, and the next one is opened`() throws {
        let whole = try Self.sample("FR")
        try folder.put(Self.sample("DE"))
        #expect(database.reload().count == 1)
        try folder.put(Array(whole.dropLast(40)))
        let error = try failure(keeping: "DE")
        #expect("\(error)".hasPrefix("\(folder.path()) is not a valid MMDB file: metadata: "))
        #expect(database.reload() == [] && database.failures == [error] && database.generation == 1)
        try folder.put(whole)
        #expect(database.reload().count == 1)
        #expect(try country == "FR" && database.failures == [] && database.generation == 2)
    }

    @Test func `a file that is missing later is reported once, and may return`() throws {
        try folder.put(Self.sample("DE"))
        #expect(database.reload().count == 1)
        try #require(rename(folder.path(), folder.path("b")) == 0)
        let error = try failure(keeping: "DE")
        #expect("\(error)" == "cannot read the MMDB file \(folder.path()): No such file or directory")
        #expect(database.reload() == [])
        // A rename changes the time of the last status change, so the file counts as a new version.
        try #require(rename(folder.path("b"), folder.path()) == 0)
        #expect(database.reload().count == 1)
        #expect(try country == "DE" && database.failures == [])
    }

    @Test func `a file that never existed is reported, and opened later`() throws {
        _ = try failure(keeping: nil)
        try folder.put(Self.sample("DE"))
        #expect(database.reload().count == 1)
        #expect(try country == "DE")
    }

    @Test func `a pipe, a directory and a large file are refused`() throws {
        try #require(mkfifo(folder.path(), 0o600) == 0)
        #expect("\(try failure(keeping: nil))".hasSuffix(": not a regular file"))
        try #require(unlink(folder.path()) == 0 && mkdir(folder.path(), 0o700) == 0)
        _ = database.reload()
        #expect(database.failures == [.unreadable(path: folder.path(), reason: "not a regular file")])
        try #require(rmdir(folder.path()) == 0)
        try folder.put([UInt8](repeating: 0, count: 1_000_001))
        #expect(try failure(keeping: nil) == .tooLarge(path: folder.path()))
    }

    @Test func `lookups on other threads always find one of the two versions`() async throws {
        let versions = try ["DE", "FR"].map(Self.sample)
        try folder.put(versions[0])
        #expect(database.reload().count == 1)
        let address = try IPAddress("192.0.2.1")
        let wrong = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<2 {
                group.addTask { [database] in
                    (0..<20_000).count { _ in
                        let lookup = database.lookup(address)
                        return !["DE", "FR"].contains(lookup.record?.countryCode) || !lookup.errors.isEmpty
                    }
                }
            }
            group.addTask { [database, folder] in
                (0..<100).count { index in
                    (try? folder.put(versions[index % 2])) == nil || database.reload().count != 1
                }
            }
            return await group.reduce(0, +)
        }
        #expect(wrong == 0)
        #expect(database.generation == 101)
    }

    @Test func `no descriptors and no maps of old versions are left`() throws {
        // Tests in parallel have copies of other sizes.
        let (pages, pageBytes) = (220, 4_096)
        for code in ["DE", "FR", "IT"] {
            let bytes = try Self.sample(code)
            var sample = try MMDBSample(["192.0.2.0/24": ["country": ["iso_code": .string(code)]]])
            _ = sample.append(.raw([UInt8](repeating: 0, count: pages * pageBytes - bytes.count)))
            try folder.put(sample.bytes)
            #expect(database.reload().count == 1)
            #expect(try country == code)
        }
        #expect(database.byteCount == pages * pageBytes)
        let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count { name in
            var status = stat()
            return stat("/proc/self/fd/\(name)", &status) == 0 && status.st_nlink == 0
                && Int(status.st_size) == pages * pageBytes
        }
        #expect(descriptors == 0)
        let maps = try String(contentsOfFile: "/proc/self/maps", encoding: .utf8).split(separator: "\n").count { line in
            let ends = line.prefix { $0 != " " }.split(separator: "-").compactMap { Int($0, radix: 16) }
            return line.contains("iprecord-mmdb") && ends.count == 2 && ends[1] - ends[0] == pages * pageBytes
        }
        // The kernel may leave out a map while other tests map files (proc_pid_maps(5)).
        #expect(maps <= 1)
    }
}
