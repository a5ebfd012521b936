import Glibc

/// Where a listener has come to, in a file: the number of the last event that was printed, and when that was.
///
/// The time is there to know the database again: in another one the event with that number is another, too.
struct CursorFile {
    struct Cursor: Hashable {
        let seq: Int64
        /// Milliseconds since 1970; nil where no event with that number is kept.
        var at: Int64?
    }

    /// As it was said.
    let path: String
    /// What a link leads to, which is replaced rather than the link.
    private let target: String
    private var temporary: String { target + ".new" }

    /// Two numbers of at most twenty digits each.
    private static let longestBytes = 64

    init(path: String) {
        self.path = path
        let resolved = realpath(path, nil)
        defer { free(resolved) }
        // What is not there yet has no other name.
        target = resolved.map { String(cString: $0) } ?? path
    }

    /// - Returns: nil where the file is not there yet, or empty as mktemp(1) leaves it.
    func read() throws(Complaint) -> Cursor? {
        // Without waiting for whoever writes into a named pipe: that is no cursor file either.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw complaint("read")
        }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw Complaint(
                status: .badData, message: "\(path) is no regular file, as a cursor file is", advice: Self.advice)
        }
        var bytes = [UInt8](repeating: 0, count: Self.longestBytes)
        let count = Glibc.read(descriptor, &bytes, bytes.count)
        guard count >= 0 else { throw complaint("read") }
        guard count > 0 else { return nil }
        guard let cursor = Cursor(line: bytes[..<count]) else {
            throw Complaint(
                status: .badData, message: "\(path) holds no cursor, which is the number of an event",
                advice: Self.advice)
        }
        return cursor
    }

    /// Better now than after the first event has been printed.
    func checkThatItCanBeWritten() throws(Complaint) {
        guard let file = fopen(temporary, "we") else { throw complaint("write") }
        fclose(file)
        unlink(temporary)
    }

    /// Replaces the file at once, so that it always holds a whole cursor.
    func write(_ cursor: Cursor) throws(Complaint) {
        guard let file = fopen(temporary, "we") else { throw complaint("write") }
        let isWritten = fputs(cursor.line, file) >= 0
        guard fclose(file) == 0, isWritten, rename(temporary, target) == 0 else { throw complaint("write") }
    }

    private static let advice = "Nothing has changed. Name a file that is not there yet, and it is made."

    private func complaint(_ what: String) -> Complaint {
        Complaint(status: .badData, message: "cannot \(what) \(path): \(String(cString: strerror(errno)))")
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
