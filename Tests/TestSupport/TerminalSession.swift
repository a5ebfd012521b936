import Foundation
import Glibc

/// A program that runs in a pseudo-terminal.
package final class TerminalSession {
    package struct Silence: Error {
        let wanted: String
        let printed: String
    }

    /// The end of the program, by an exit status or a signal.
    package struct Ending: Hashable {
        package var status: Int32
        package var signal: Int32?
        package var errors: String

        package init(status: Int32, signal: Int32?, errors: String) {
            (self.status, self.signal, self.errors) = (status, signal, errors)
        }
    }

    private let terminal: PseudoTerminal
    private let command: [String]
    private let environment: [String: String]
    private var process: ChildProcess?
    private let errors: PrivatePipe
    package private(set) var printed = ""
    private var bytes: [UInt8] = []

    private static let deadlineSeconds = 30.0

    /// - Parameter command: the path of the program, and its arguments.
    package init?(
        command: [String], columns: UInt16 = 80, rows: UInt16 = 24,
        environment: [String: String] = ["TERM": "xterm"]
    ) {
        guard let terminal = PseudoTerminal(columns: columns, rows: rows, isRead: false),
            let errors = try? PrivatePipe()
        else { return nil }
        (self.terminal, self.errors, self.command, self.environment) = (terminal, errors, command, environment)
    }

    package func start() throws {
        process = try ChildProcess(
            command, environment: environment, input: terminal.far, output: terminal.far,
            errors: errors.writing)
        try errors.writing.close()
    }

    /// The terminal's settings, byte by byte.
    package var settings: [UInt8] {
        var settings = termios()
        guard tcgetattr(terminal.near, &settings) == 0 else { return [] }
        return withUnsafeBytes(of: settings) { Array($0) }
    }

    package func type(_ text: String) {
        let bytes = Array(text.utf8)
        _ = write(terminal.near, bytes, bytes.count)
    }

    package func signal(_ number: Int32) { process?.signal(number) }

    package func resize(columns: UInt16, rows: UInt16) {
        var size = winsize()
        (size.ws_col, size.ws_row) = (columns, rows)
        _ = ioctl(terminal.near, UInt(TIOCSWINSZ), &size)
        // The terminal is not the controlling one, so the kernel sends no SIGWINCH.
        signal(SIGWINCH)
    }

    /// Reads the output until it contains a text, and discards the output before it.
    package func awaitText(_ text: String) throws {
        let deadline = Date(timeIntervalSinceNow: Self.deadlineSeconds)
        while true {
            if let found = printed.range(of: text) {
                bytes.removeFirst(printed[..<found.upperBound].utf8.count)
                printed = String(decoding: bytes, as: UTF8.self)
                return
            }
            guard Date() < deadline else { throw Silence(wanted: text, printed: String(printed.suffix(400))) }
            readSome(milliseconds: 200)
        }
    }

    /// Waits until the program is stopped, according to proc_pid_stat(5).
    package func awaitStop() throws {
        let deadline = Date(timeIntervalSinceNow: Self.deadlineSeconds)
        while true {
            let line = try String(contentsOfFile: "/proc/\(process?.pid ?? 0)/stat", encoding: .utf8)
            if line.contains(") T ") { return }
            guard Date() < deadline else { throw Silence(wanted: "a stop", printed: line) }
            readSome(milliseconds: 20)
        }
    }

    /// Waits for the end of the program, and reads its output.
    package func awaitEnd() throws -> Ending {
        let deadline = Date(timeIntervalSinceNow: Self.deadlineSeconds)
        guard let process else { throw Silence(wanted: "a start", printed: "") }
        while process.isRunning {
            guard Date() < deadline else { throw Silence(wanted: "its end", printed: String(printed.suffix(400))) }
            readSome(milliseconds: 50)
        }
        while readSome(milliseconds: 0) {}
        let commandError = String(decoding: errors.reading.readDataToEndOfFile(), as: UTF8.self)
        let status = process.awaitEnd().status
        return Ending(status: max(0, status), signal: status < 0 ? -status : nil, errors: commandError)
    }

    /// - Returns: whether there was any output.
    @discardableResult
    private func readSome(milliseconds: Int32) -> Bool {
        var waiting = pollfd(fd: terminal.near, events: Int16(POLLIN), revents: 0)
        guard poll(&waiting, 1, milliseconds) == 1 else { return false }
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let count = read(terminal.near, &chunk, chunk.count)
        guard count > 0 else { return false }
        bytes += chunk[..<count]
        printed = String(decoding: bytes, as: UTF8.self)
        return true
    }
}
