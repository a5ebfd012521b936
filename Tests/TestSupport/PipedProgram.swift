package import Foundation

/// A program with a pipe for each of its standard streams.
package struct PipedProgram {
    /// The end of a program, and everything that it has written.
    package struct Ended: Hashable, Sendable {
        /// The exit status, or the negative number of the signal.
        package var status: Int32
        package var output: String
        package var errors: String

        package init(status: Int32, output: String, errors: String) {
            (self.status, self.output, self.errors) = (status, output, errors)
        }

        package var errorLines: [String] { errors.split(separator: "\n").map(String.init) }
    }

    package let process: ChildProcess
    private let output: PrivatePipe
    private let errors: PrivatePipe

    /// - Parameters:
    ///   - command: the program, and its arguments.
    ///   - environment: the complete environment, that of the tests by default.
    ///   - text: the contents of the standard input.
    ///   - file: the standard input instead of a pipe.
    ///   - terminal: the standard output instead of a pipe.
    package init(
        _ command: [String], environment: [String: String] = ProcessInfo.processInfo.environment,
        input text: String = "", inputFile file: FileHandle? = nil, terminal: FileHandle? = nil
    ) throws {
        let input = try PrivatePipe()
        (output, errors) = (try PrivatePipe(), try PrivatePipe())
        process = try ChildProcess(
            command, environment: environment, input: file ?? input.reading, output: terminal ?? output.writing,
            errors: errors.writing)
        for end in [input.reading, output.writing, errors.writing] { try end.close() }
        try Self.write(Array(text.utf8), to: input.writing)
    }

    /// Writes on another thread what may not fit into a pipe.
    private static func write(_ bytes: [UInt8], to end: FileHandle) throws {
        guard !bytes.isEmpty else { return try end.close() }
        Thread.detachNewThread {
            // If the program does not read everything, write(2) fails, and the signal stays pending.
            var pipeSignal = sigset_t()
            sigemptyset(&pipeSignal)
            sigaddset(&pipeSignal, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &pipeSignal, nil)
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Foundation.write(end.fileDescriptor, $0.baseAddress, $0.count) }
                guard count > 0 else { break }
                rest = rest.dropFirst(count)
            }
            // Closed with the last reference.
            withExtendedLifetime(end) {}
        }
    }

    /// Waits until the program has closed its output and ended.
    package func end() -> Ended {
        let read = Self.readToEnd([output.reading, errors.reading])
        return Ended(
            status: process.awaitEnd().status, output: String(decoding: read[0], as: UTF8.self),
            errors: String(decoding: read[1], as: UTF8.self))
    }

    /// Reads from several pipes at once, so that none of them fills up.
    private static func readToEnd(_ ends: [FileHandle]) -> [[UInt8]] {
        var read = ends.map { _ in [UInt8]() }
        var waiting = ends.map { pollfd(fd: $0.fileDescriptor, events: Int16(POLLIN), revents: 0) }
        var chunk = [UInt8](repeating: 0, count: 65_536)
        // poll(2) ignores negative descriptors.
        while waiting.contains(where: { $0.fd >= 0 }) {
            guard poll(&waiting, nfds_t(waiting.count), -1) > 0 else { continue }
            for index in waiting.indices where waiting[index].fd >= 0 && waiting[index].revents != 0 {
                let count = Foundation.read(waiting[index].fd, &chunk, chunk.count)
                if count > 0 { read[index] += chunk[..<count] } else { waiting[index].fd = -1 }
            }
        }
        return read
    }

    /// Runs a program to its end.
    package static func run(
        _ command: [String], environment: [String: String] = ProcessInfo.processInfo.environment, input: String = ""
    ) throws -> Ended {
        try PipedProgram(command, environment: environment, input: input).end()
    }
}
