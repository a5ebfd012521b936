import Glibc
package import TestSupport

/// A directory with MMDB files.
package struct SampleFolder {
    package let folder: TemporaryFolder

    package init() throws { folder = try TemporaryFolder() }

    package func path(_ name: String = "a.mmdb") -> String { folder.file(name) }

    /// Replaces a file by rename, as geoipupdate does.
    @discardableResult
    package func put(_ bytes: [UInt8], _ name: String = "a.mmdb") throws -> String {
        let new = try folder.write(bytes, to: name + ".new")
        guard rename(new, path(name)) == 0 else { throw NotRenamed(errno: errno) }
        return path(name)
    }

    private struct NotRenamed: Error {
        let errno: Int32
    }
}
