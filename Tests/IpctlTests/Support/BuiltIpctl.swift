import Foundation
import Glibc

/// Runs the built `ipctl`.
enum BuiltIpctl {
    struct Ended: Hashable {
        var status: Int32
        var output: String
        var errors: String
        var errorLines: [String] { errors.split(separator: "\n").map(String.init) }
    }

    /// The path of the program, which is next to the tests' executable.
    static var path: String {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return (tests as NSString).deletingLastPathComponent + "/ipctl"
    }

    /// - Parameters:
    ///   - environment: the complete environment.
    ///   - terminal: the standard output; nil for a pipe.
    ///   - prefix: a command that runs the program, with its full path.
    static func run(
        _ arguments: [String], environment: [String: String] = [:], input: String = "", terminal: FileHandle? = nil,
        prefix: [String] = []
    ) throws -> Ended {
        try run(
            command: prefix + [path] + arguments, environment: environment, input: input, terminal: terminal)
    }

    /// - Parameter command: any program, with its full path.
    static func run(
        command: [String], environment: [String: String] = [:], input: String = "", terminal: FileHandle? = nil
    ) throws -> Ended {
        try start(command: command, environment: environment, input: input, terminal: terminal).end()
    }

    /// A running program.
    struct Running {
        fileprivate let process: Process
        fileprivate let output: Pipe
        fileprivate let errors: Pipe

        func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

        /// Waits until the program has ended.
        func end() -> Ended {
            let printed = output.fileHandleForReading.readDataToEndOfFile()
            let complained = errors.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            // A signal is negative, so that it is not mistaken for an exit status.
            let status = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
            return Ended(
                status: status, output: String(decoding: printed, as: UTF8.self),
                errors: String(decoding: complained, as: UTF8.self))
        }
    }

    /// Starts the program with the default signals, even if the parent process ignores or blocks them.
    static func start(_ arguments: [String]) throws -> Running {
        var (none, before) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        return try start(command: ["/usr/bin/env", "--default-signal=INT,TERM,HUP", path] + arguments)
    }

    private static func start(
        command: [String], environment: [String: String] = [:], input: String = "", terminal: FileHandle? = nil
    ) throws -> Running {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: command[0])
        process.arguments = Array(command.dropFirst())
        let options = ProcessInfo.processInfo.environment.filter { $0.key.hasSuffix("SAN_OPTIONS") }
        // A sanitizer's options, such as the leaks that libraries are known for, apply to all programs of a run.
        process.environment = environment.merging(options) { given, _ in given }
        let (output, errors, stdin) = (Pipe(), Pipe(), Pipe())
        process.standardOutput = terminal ?? output
        process.standardError = errors
        process.standardInput = stdin
        try process.run()
        stdin.fileHandleForWriting.write(Data(input.utf8))
        try stdin.fileHandleForWriting.close()
        // Errors are short and fit into a pipe while the output is read.
        if terminal != nil { try output.fileHandleForWriting.close() }
        return Running(process: process, output: output, errors: errors)
    }
}
