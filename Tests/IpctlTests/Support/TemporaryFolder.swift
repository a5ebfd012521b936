import Foundation

/// A temporary directory that is removed with the last reference to it.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        // The path is short, because the path of a socket in it is limited.
        path = "/tmp/ipctl-\(UUID().uuidString.prefix(8))"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit {
        // An error is ignored; the directory is in /tmp.
        try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String) -> String { path + "/" + name }

    /// The names of the files in it.
    var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() } }

    func has(_ name: String) -> Bool { FileManager.default.fileExists(atPath: file(name)) }

    func text(_ name: String) throws -> String { try String(contentsOfFile: file(name), encoding: .utf8) }

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

extension TemporaryFolder {
    /// Creates a file in place of a user's socket.
    func makeUserSocket() throws -> String {
        try FileManager.default.createDirectory(atPath: file("iprecord"), withIntermediateDirectories: false)
        return try write("", to: "iprecord/control.sock")
    }
}
