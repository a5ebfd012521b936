import Foundation
import Glibc

@testable import RecordStore

/// A folder of one test's own, gone with the test.
final class TemporaryFolder: Sendable {
    let path: String
    /// Where the test's database is.
    var database: String { path + "/records.db" }

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/iprecord-store-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    // What is left over is in the way of nobody.
    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Hands a store to the body, and closes it behind it.
    func withStore<Result>(_ body: (Store) async throws -> Result) async throws -> Result {
        let store = try Store(path: database)
        let result = try await body(store)
        try store.close()
        return result
    }

    /// The permission bits of a file, or nil where there is none.
    func mode(_ suffix: String = "") -> mode_t? {
        var status = stat()
        return stat(database + suffix, &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    func bytes(_ suffix: String = "") -> Int64? {
        var status = stat()
        return stat(database + suffix, &status) == 0 ? Int64(status.st_size) : nil
    }
}
