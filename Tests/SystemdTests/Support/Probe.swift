import Foundation

/// The program `systemd-probe`, which the tests start as a service manager would.
enum Probe {
    struct Ended: Hashable {
        var status: Int32
        var output: String
        var errors: String
    }

    /// Stands next to the tests' own executable.
    static var path: String { directory + "/systemd-probe" }
    static var directory: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            .map { ($0 as NSString).deletingLastPathComponent } ?? "."
    }

    static func run(_ command: String, environment: [String: String] = [:]) throws -> Ended {
        try run([path, command], environment: environment)
    }

    /// Runs a program to its end, with this environment and nothing else.
    static func run(_ words: [String], environment: [String: String] = [:], input: FileHandle? = nil) throws -> Ended {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        process.environment = environment.merging(["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]) { a, _ in a }
        process.standardInput = input ?? FileHandle.nullDevice
        // Files rather than pipes: nobody has to read two at once.
        let (output, errors) = (try TemporaryFile(), try TemporaryFile())
        process.standardOutput = output.handle
        process.standardError = errors.handle
        try process.run()
        process.waitUntilExit()
        return Ended(status: process.terminationStatus, output: try output.text(), errors: try errors.text())
    }
}

/// A file of the test's own that has no name any more.
private final class TemporaryFile {
    let handle: FileHandle

    init() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/file"
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        handle = try FileHandle(forUpdating: URL(fileURLWithPath: path))
    }

    func text() throws -> String {
        try handle.seek(toOffset: 0)
        return String(decoding: try handle.readToEnd() ?? Data(), as: UTF8.self)
    }
}

/// A directory that goes with the last reference to it.
final class TemporaryDirectory {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/iprecord-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit {
        // What cannot be removed is left to whoever cleans up temporary files.
        try? FileManager.default.removeItem(atPath: path)
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
    }
}
