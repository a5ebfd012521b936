import Glibc

/// A file with the position of a listener: the number and the time of the last printed event.
///
/// The time identifies the database: in another database, the event with that number has a different time.
struct CursorFile {
    struct Cursor: Hashable {
        let seq: Int64
        /// Milliseconds since 1970; nil if the event is no longer kept.
        var at: Int64?
    }

    /// The path given by the user.
    let path: String
    /// The file to replace: the path, or the target if the path is a link; nil for a dangling link.
    private let target: String?

    /// The maximum length of a file, which contains two numbers of at most twenty digits each.
    private static let maxBytes = 64

    init(path: String) {
        self.path = path
        let resolved = realpath(path, nil)
        defer { free(resolved) }
        var status = stat()
        // A path without a file is its own target, unless it is a dangling link.
        let isMissing = lstat(path, &status) != 0
        target = resolved.map { String(cString: $0) } ?? (isMissing ? path : nil)
    }

    /// Whether there is a file at the path.
    var exists: Bool { access(path, F_OK) == 0 }

    /// - Returns: nil if the file does not exist.
    func read() throws(CommandError) -> Cursor? {
        // Opening a named pipe, which is not a valid cursor file, must not block.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw commandError("read")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw notRegular
        }
        var bytes = [UInt8](repeating: 0, count: Self.maxBytes)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw commandError("read") }
        guard count > 0 else {
            // A power failure may have emptied the file; starting with the next event would silently skip events.
            throw CommandError(
                status: .badData, message: "\(path) is empty: expected the number of an event",
                advice: "Remove it to start with the next event, or run once with --after 0 to print all kept events.")
        }
        guard let cursor = Cursor(line: bytes[..<count]) else {
            throw CommandError(
                status: .badData, message: "\(path) is not a cursor file: expected the number of an event",
                advice: Self.advice)
        }
        return cursor
    }

    /// Checks that the file can be written, before the first event is printed.
    func checkWritable() throws(CommandError) {
        // The replacement is never linked, so nothing is left behind.
        _ = try replacement()
    }

    /// Replaces the file atomically, so that it always holds a complete cursor, even after a power failure.
    func write(_ cursor: Cursor) throws(CommandError) {
        let file = try replacement()
        try file.write(Array(cursor.line.utf8))
        try file.finish()
    }

    private func replacement() throws(CommandError) -> AtomicFile {
        guard let target else {
            throw CommandError(status: .badData, message: "\(path) is a symbolic link to a file that does not exist")
        }
        var status = stat()
        guard stat(target, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else { throw notRegular }
        return try AtomicFile(target)
    }

    private var notRegular: CommandError {
        CommandError(status: .badData, message: "\(path) is not a regular file", advice: Self.advice)
    }

    private static let advice = "Nothing was changed. Name a file that does not exist yet, and ipctl creates it."

    private func commandError(_ operation: String) -> CommandError {
        CommandError(status: .badData, message: "cannot \(operation) \(path): \(String(cString: strerror(errno)))")
    }
}

extension CursorFile.Cursor {
    fileprivate var line: String { "\(seq)\(at.map { " \($0)" } ?? "")\n" }

    fileprivate init?(line: ArraySlice<UInt8>) {
        let numbers = String(decoding: line.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
            .split(separator: " ", omittingEmptySubsequences: false).map { Int64($0) }
        guard (1...2).contains(numbers.count), let seq = numbers[0], seq >= 0 else { return nil }
        guard numbers.count == 1 || numbers[1] != nil else { return nil }
        self.init(seq: seq, at: numbers.count == 2 ? numbers[1] : nil)
    }
}
