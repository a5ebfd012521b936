import Foundation

/// A temporary directory, which is removed with the last reference to it.
package final class TemporaryFolder: Sendable {
    package let path: String

    package init() throws {
        // The path is short, because the path of a socket in it is limited (unix(7)).
        path = "/tmp/iprecord-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit {
        // A directory that cannot be removed is left to the system's cleanup of temporary files.
        try? FileManager.default.removeItem(atPath: path)
    }

    package func file(_ name: String) -> String { path + "/" + name }

    /// The names of the files in it, sorted.
    package var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() } }

    package func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: file(name)) }

    package func text(_ name: String) throws -> String { try String(contentsOfFile: file(name), encoding: .utf8) }

    /// - Returns: the file's path.
    @discardableResult
    package func write(_ text: String, to name: String) throws -> String {
        try write(Array(text.utf8), to: name)
    }

    @discardableResult
    package func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Data(bytes).write(to: URL(fileURLWithPath: file(name)))
        return file(name)
    }
}
