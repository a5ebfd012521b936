import Foundation

/// Runs programs to their end.
enum Tool {
    /// - Parameter command: the full path of the program, and its arguments.
    static func run(_ command: [String]) throws -> (status: Int32, output: Data, errors: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        process.environment = ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"]
        let (output, errors) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = errors
        process.standardInput = FileHandle.nullDevice
        try process.run()
        // Errors are short: they fit into the pipe while the output is read.
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        let complained = errors.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus, printed, String(decoding: complained, as: UTF8.self))
    }

    /// Returns the path of a program of this package, in the directory of the tests.
    static func built(_ name: String) -> String {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return (tests as NSString).deletingLastPathComponent + "/\(name)"
    }

    /// Whether a program is installed. If not, it prints a line.
    static func isInstalled(_ path: String) -> Bool {
        if FileManager.default.isExecutableFile(atPath: path) { return true }
        print("SKIPPED: \(path) not found, so the manual pages are not tested with it; make test installs it")
        return false
    }
}
