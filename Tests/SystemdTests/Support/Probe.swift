import Foundation

/// The program `systemd-probe`, which the tests start as a service manager does.
enum Probe {
    /// The exit status of a program, and everything that it wrote.
    struct Ended: Hashable {
        var status: Int32
        var output: String
        var errors: String
    }

    /// The path of the probe, which is next to the executable of the tests.
    static var path: String { directory + "/systemd-probe" }
    /// The directory of the executable of the tests.
    static var directory: String {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
            .map { ($0 as NSString).deletingLastPathComponent } ?? "."
    }

    /// Runs a command of the probe to its end.
    static func run(_ command: String, environment: [String: String] = [:]) throws -> Ended {
        try run([path, command], environment: environment)
    }

    /// Runs a program to its end, in an environment that contains only PATH and these variables.
    static func run(_ words: [String], environment: [String: String] = [:], input: FileHandle? = nil) throws -> Ended {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: words[0])
        process.arguments = Array(words.dropFirst())
        process.environment = environment.merging(["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]) { a, _ in a }
        process.standardInput = input ?? FileHandle.nullDevice
        // Files instead of pipes, which would have to be read concurrently.
        let (output, errors) = (try TemporaryFile(), try TemporaryFile())
        process.standardOutput = output.handle
        process.standardError = errors.handle
        try process.run()
        process.waitUntilExit()
        return Ended(status: process.terminationStatus, output: try output.text(), errors: try errors.text())
    }
}

/// An open temporary file, which has already been unlinked.
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

/// A temporary directory, which is removed together with the last reference to it.
final class TemporaryDirectory {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.path + "/iprecord-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    }

    deinit {
        // If the directory cannot be removed, it is left to the system's cleanup of temporary files.
        try? FileManager.default.removeItem(atPath: path)
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path + "/" + name))
    }
}
