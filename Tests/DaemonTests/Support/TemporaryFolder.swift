import Foundation

/// A directory that is removed with the last reference to it.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        // The path is short, so that the path of a socket in it fits.
        path = "/tmp/iprecord-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit {
        // A directory that cannot be removed is left to the cleanup of temporary files.
        try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String) -> String { path + "/" + name }

    /// - Returns: the file's path.
    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        try write(Array(text.utf8), to: name)
    }

    @discardableResult
    func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
        return file(name)
    }
}
