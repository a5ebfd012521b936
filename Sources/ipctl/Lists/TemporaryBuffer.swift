import Glibc

/// A queue of messages in a deleted temporary file, which uses no memory and disappears when the program exits.
final class TemporaryBuffer {
    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var start = 0

    private static let chunkBytes = 262_144

    init() throws(CommandError) {
        let directory = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        // mkstemp(3) replaces the last six characters.
        var path = Array(
            ((directory.isEmpty ? "/tmp" : directory) + "/ipctl-" + String(repeating: "X", count: 6)).utf8CString)
        descriptor = mkstemp(&path)
        guard descriptor >= 0 else { throw Self.commandError() }
        unlink(path)
    }

    deinit { close(descriptor) }

    /// - Parameter message: a message with a single NUL, at its end.
    func append(_ message: [UInt8]) throws(CommandError) {
        buffer += message
        if buffer.count >= Self.chunkBytes { try writeBuffer() }
    }

    /// Switches from writing to reading, beginning with the first message.
    func rewind() throws(CommandError) {
        try writeBuffer()
        guard lseek(descriptor, 0, SEEK_SET) == 0 else { throw Self.commandError() }
    }

    /// Returns the next message with its NUL; nil at the end.
    func next() throws(CommandError) -> ArraySlice<UInt8>? {
        var scanned = start
        while true {
            if let end = buffer[scanned...].firstIndex(of: 0) {
                defer { start = end + 1 }
                return buffer[start...end]
            }
            scanned = buffer.count - start
            buffer.removeSubrange(..<start)
            start = 0
            guard try readMore() else { return nil }
        }
    }

    private func writeBuffer() throws(CommandError) {
        do throws(WriteFailure) {
            try buffer[...].write(to: descriptor)
        } catch {
            errno = error.number
            throw Self.commandError()
        }
        buffer = []
    }

    private func readMore() throws(CommandError) -> Bool {
        var chunk = [UInt8](repeating: 0, count: Self.chunkBytes)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count > 0 { buffer += chunk[..<count] }
            if count >= 0 { return count > 0 }
            if errno != EINTR { throw Self.commandError() }
        }
    }

    private static func commandError() -> CommandError {
        CommandError(
            status: .software, message: "cannot use a temporary file: \(String(cString: strerror(errno)))",
            advice: "Its directory is $TMPDIR, or /tmp if that is not set.")
    }
}
