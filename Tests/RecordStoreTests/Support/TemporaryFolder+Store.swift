import Glibc
import TestSupport

@testable import RecordStore

extension TemporaryFolder {
    /// The path of the test's database.
    var database: String { path + "/records.db" }

    /// Runs the body with an open store, and closes it afterwards.
    func withStore<Result>(_ body: (Store) async throws -> Result) async throws -> Result {
        let store = try Store(path: database)
        let result = try await body(store)
        try store.close()
        return result
    }

    /// Returns the permission bits of a file; nil if it does not exist.
    func mode(_ suffix: String = "") -> mode_t? {
        var status = stat()
        return stat(database + suffix, &status) == 0 ? status.st_mode & 0o7777 : nil
    }

    /// Returns the size of a file; nil if it does not exist.
    func bytes(_ suffix: String = "") -> Int64? {
        var status = stat()
        return stat(database + suffix, &status) == 0 ? Int64(status.st_size) : nil
    }
}
