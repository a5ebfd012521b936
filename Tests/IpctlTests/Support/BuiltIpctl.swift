import Foundation
import TestSupport

/// Runs the built `ipctl`.
enum BuiltIpctl {
    typealias Ended = PipedProgram.Ended

    static let path = BuiltProgram.path("ipctl")
    /// The directory of the built programs.
    static let programs = (path as NSString).deletingLastPathComponent

    /// - Parameters:
    ///   - environment: the complete environment.
    ///   - terminal: the standard output; nil for a pipe.
    ///   - prefix: a command that runs the program.
    static func run(
        _ arguments: [String], environment: [String: String] = [:], input: String = "", terminal: FileHandle? = nil,
        prefix: [String] = []
    ) throws -> Ended {
        try run(
            command: prefix + [path] + arguments, environment: environment, input: input, terminal: terminal)
    }

    /// - Parameter command: any program.
    static func run(
        command: [String], environment: [String: String] = [:], input: String = "", terminal: FileHandle? = nil
    ) throws -> Ended {
        try start(command: command, environment: environment, input: input, terminal: terminal).end()
    }

    static func start(_ arguments: [String]) throws -> PipedProgram { try start(command: [path] + arguments) }

    private static func start(
        command: [String], environment: [String: String] = [:], input: String = "", terminal: FileHandle? = nil
    ) throws -> PipedProgram {
        let options = ProcessInfo.processInfo.environment.filter { $0.key.hasSuffix("SAN_OPTIONS") }
        // A sanitizer's options, such as the leaks that libraries are known for, apply to all programs of a run.
        return try PipedProgram(
            command, environment: environment.merging(options) { given, _ in given }, input: input, terminal: terminal)
    }
}

extension TerminalSession {
    /// A session of the built `ipctl`.
    convenience init?(
        _ arguments: [String], columns: UInt16 = 80, rows: UInt16 = 24,
        environment: [String: String] = ["TERM": "xterm"]
    ) {
        self.init(command: [BuiltIpctl.path] + arguments, columns: columns, rows: rows, environment: environment)
    }
}
