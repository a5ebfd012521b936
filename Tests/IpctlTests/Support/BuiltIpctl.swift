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

/// A terminal of the test's own (pty(7)).
final class PseudoTerminal {
    let near: Int32
    let far: FileHandle

    init?(columns: UInt16, rows: UInt16 = 24) {
        // The functions for it hide behind _XOPEN_SOURCE; these are what they do (ioctl_tty(2)).
        let (numberOfTerminal, unlock) = (UInt(0x8004_5430), UInt(0x4004_5431))
        near = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
        var (number, isLocked) = (Int32(0), Int32(0))
        guard near >= 0, ioctl(near, unlock, &isLocked) == 0, ioctl(near, numberOfTerminal, &number) == 0 else {
            return nil
        }
        let descriptor = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        var size = winsize()
        (size.ws_col, size.ws_row) = (columns, rows)
        guard ioctl(descriptor, UInt(TIOCSWINSZ), &size) == 0 else { return nil }
        far = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    }

    deinit { close(near) }

    /// What was printed there, once nobody holds the far end any more.
    func lines() throws -> [String] {
        try far.close()
        var (bytes, chunk) = ([UInt8](), [UInt8](repeating: 0, count: 4_096))
        while true {
            // EIO is how a pseudo terminal says that the far end is closed.
            let count = read(near, &chunk, chunk.count)
            guard count > 0 else { break }
            bytes += chunk[..<count]
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\r\n").map(String.init)
    }
}
