import Foundation
import Synchronization
import TestSupport

/// A child process whose output can be awaited, and which is killed with the last reference.
final class Program: Sendable {
    struct DidNotHappen: Error, CustomStringConvertible {
        let description: String
    }

    private struct State {
        var lines: [String] = []
        var partial: [UInt8] = []
        var hasEnded = false
        /// Whether all of its output has been read.
        var isAtEnd = false
        /// The process that gets the signals, if it is not the child itself.
        var represented: Int32?
    }

    private let name: String
    private let process: ChildProcess
    private let state = Mutex(State())
    /// Signalled after each change of `state`.
    private let changed = NSCondition()

    /// - Parameter command: the path of the program, and its arguments.
    init(_ command: [String], environment: [String: String] = [:]) throws {
        name = command.joined(separator: " ")
        let pipe = try PrivatePipe()
        process = try ChildProcess(
            command, environment: Self.inherited(with: environment), output: pipe.writing, errors: pipe.writing)
        try pipe.writing.close()
        Thread.detachNewThread { [weak self, process] in
            process.awaitEnd()
            self?.note { $0.hasEnded = true }
        }
        // A thread and not Dispatch, which sometimes misses events of a descriptor whose number another pipe had a
        // moment before.
        Thread.detachNewThread { [weak self] in
            var chunk = [UInt8](repeating: 0, count: 65_536)
            var count = 0
            repeat {
                count = read(pipe.reading.fileDescriptor, &chunk, chunk.count)
                if count < 0, errno == EINTR { continue }
                self?.receive(Data(chunk.prefix(max(0, count))))
            } while count != 0 && (count > 0 || errno == EINTR)
            withExtendedLifetime(pipe) {}
        }
    }

    /// Returns the environment of the tests with more variables, and without those that name a proxy, through which a
    /// daemon would call the mock provider.
    private static func inherited(with more: [String: String]) -> [String: String] {
        ProcessInfo.processInfo.environment.filter { !$0.key.lowercased().hasSuffix("_proxy") }.merging(more) { $1 }
    }

    deinit {
        guard process.isRunning else { return }
        if pid != process.pid { Glibc.kill(pid, SIGKILL) }
        process.signal(SIGKILL)
    }

    /// The process that gets the signals.
    var pid: Int32 { state.withLock { $0.represented } ?? process.pid }

    /// Directs signals to `pid`, a process that the child has started through systemd and whose end it awaits.
    func stands(for pid: Int32) {
        state.withLock { $0.represented = pid }
    }

    /// The complete lines that it has printed so far.
    var lines: [String] { state.withLock { $0.lines } }

    /// Waits until all output is read, and returns its lines.
    func linesToTheEnd(within seconds: Double = 60) throws -> [String] {
        let deadline = Date(timeIntervalSinceNow: seconds)
        changed.lock()
        defer { changed.unlock() }
        while !state.withLock({ $0.isAtEnd }) {
            guard changed.wait(until: deadline) else {
                throw DidNotHappen(description: "the output of \(name) was not read completely within \(seconds) s")
            }
        }
        return lines
    }

    private func receive(_ data: Data) {
        note { state in
            if data.isEmpty { state.isAtEnd = true }
            state.partial += data
            while let end = state.partial.firstIndex(of: 10) {
                state.lines.append(String(decoding: state.partial[..<end], as: UTF8.self))
                state.partial.removeSubrange(...end)
            }
        }
    }

    private func note(_ change: (inout State) -> Void) {
        changed.lock()
        state.withLock { change(&$0) }
        changed.broadcast()
        changed.unlock()
    }

    /// Waits until `condition` returns a value for the printed lines.
    ///
    /// - Parameter what: the awaited output, for the error.
    /// - Throws: `DidNotHappen` with all lines, after the deadline or the end of the program.
    @discardableResult
    func wait<Result>(
        for what: String, within seconds: Double = 10, until condition: ([String]) -> Result?
    ) throws -> Result {
        let deadline = Date(timeIntervalSinceNow: seconds)
        changed.lock()
        defer { changed.unlock() }
        while true {
            let (lines, hasEnded) = state.withLock { ($0.lines, $0.hasEnded) }
            if let result = condition(lines) { return result }
            guard !hasEnded, changed.wait(until: deadline) else {
                let output = lines.joined(separator: "\n")
                throw DidNotHappen(description: "\(name): no \(what) within \(seconds) s; output:\n\(output)")
            }
        }
    }

    @discardableResult
    func waitForLine(containing text: String, within seconds: Double = 10) throws -> String {
        try wait(for: "\"\(text)\"", within: seconds) { $0.first { $0.contains(text) } }
    }

    /// Sends a signal and waits for the end of the program.
    ///
    /// - Returns: the exit status, or the negative number of the signal.
    @discardableResult
    func stop(with signal: Int32 = SIGTERM, within seconds: Double = 10) throws -> Int32 {
        Glibc.kill(pid, signal)
        changed.lock()
        defer { changed.unlock() }
        let deadline = Date(timeIntervalSinceNow: seconds)
        while !state.withLock({ $0.hasEnded }) {
            guard changed.wait(until: deadline) else {
                throw DidNotHappen(description: "\(name) did not exit within \(seconds) s after signal \(signal)")
            }
        }
        return process.awaitEnd().status
    }

    /// Runs a program to its end.
    static func run(
        _ command: [String], environment: [String: String] = [:], input: String? = nil
    ) throws -> (status: Int32, output: String, errors: String) {
        let ended = try PipedProgram.run(command, environment: inherited(with: environment), input: input ?? "")
        return (ended.status, ended.output, ended.errors)
    }
}
