import Foundation
import TestSupport

/// The programs that format manual pages.
enum Tool {
    /// Runs a program to its end.
    ///
    /// - Parameter command: the full path of the program, and its arguments.
    static func run(_ command: [String]) throws -> PipedProgram.Ended {
        try PipedProgram.run(command, environment: ["PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"])
    }

    /// Whether a program is installed. If not, it prints a line.
    static func isInstalled(_ path: String) -> Bool {
        if FileManager.default.isExecutableFile(atPath: path) { return true }
        print("SKIPPED: \(path) not found, so the manual pages are not tested with it; make test installs it")
        return false
    }
}
