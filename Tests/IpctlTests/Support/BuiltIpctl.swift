import Foundation
import Glibc

/// The built `ipctl`, run to its end.
enum BuiltIpctl {
    struct Ended: Hashable {
        var status: Int32
        var output: String
        var errors: String
        var errorLines: [String] { errors.split(separator: "\n").map(String.init) }
    }

    /// Stands next to the tests' own executable.
    static var path: String {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return (tests as NSString).deletingLastPathComponent + "/ipctl"
    }

    /// - Parameters:
    ///   - environment: this and nothing else.
    ///   - terminal: what standard output is, in place of a pipe.
    ///   - prefix: a command that runs it, with its full path.
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

    /// It runs, until it is told to end or does so by itself.
    struct Running {
        fileprivate let process: Process
        fileprivate let output: Pipe
        fileprivate let errors: Pipe

        func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

        /// Waits for its end.
        func end() -> Ended {
            let printed = output.fileHandleForReading.readDataToEndOfFile()
            let complained = errors.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            // A signal is no exit status: it must not be taken for one.
            let status = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
            return Ended(
                status: status, output: String(decoding: printed, as: UTF8.self),
                errors: String(decoding: complained, as: UTF8.self))
        }
    }

    /// It can be ended by signals, also where whoever runs the tests ignores or blocks them.
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
        process.environment = environment
        let (output, errors, stdin) = (Pipe(), Pipe(), Pipe())
        process.standardOutput = terminal ?? output
        process.standardError = errors
        process.standardInput = stdin
        try process.run()
        stdin.fileHandleForWriting.write(Data(input.utf8))
        try stdin.fileHandleForWriting.close()
        // What it complains of is short: it fits into a pipe while the rest is read.
        if terminal != nil { try output.fileHandleForWriting.close() }
        return Running(process: process, output: output, errors: errors)
    }
}
