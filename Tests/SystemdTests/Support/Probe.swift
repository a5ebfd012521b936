import Foundation
import TestSupport

/// The program `systemd-probe`, which the tests start as a service manager does.
enum Probe {
    typealias Ended = PipedProgram.Ended

    static let path = BuiltProgram.path("systemd-probe")

    /// Runs a command of the probe to its end.
    static func run(_ command: String, environment: [String: String] = [:]) throws -> Ended {
        try run([path, command], environment: environment)
    }

    /// Runs a program to its end, in an environment that contains only PATH and these variables.
    ///
    /// - Parameter input: the standard input; nil for an empty one.
    static func run(_ words: [String], environment: [String: String] = [:], input: FileHandle? = nil) throws -> Ended {
        let environment = environment.merging(["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"]) { given, _ in given }
        return try PipedProgram(words, environment: environment, inputFile: input).end()
    }
}
