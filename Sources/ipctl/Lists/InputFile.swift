import Glibc

/// A file of any length, read in chunks.
final class InputFile {
    /// The name for error messages.
    let name: String
    /// The descriptor, for poll(2).
    let descriptor: Int32

    /// - Parameter path: `-` for standard input.
    init(_ path: String) throws(CommandError) {
        name = path == "-" ? "standard input" : path
        descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw unreadable() }
    }

    deinit { if descriptor > STDIN_FILENO { close(descriptor) } }

    /// - Returns: an empty chunk at the end of the file.
    func nextChunk() throws(CommandError) -> ArraySlice<UInt8> {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count >= 0 { return chunk[..<count] }
            if errno != EINTR { throw unreadable() }
        }
    }

    private func unreadable() -> CommandError {
        CommandError(status: .badData, message: "cannot read \(name): \(String(cString: strerror(errno)))")
    }

    /// The UTF-8 byte order mark, which spreadsheets and Windows programs write.
    static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
}
