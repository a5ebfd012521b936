import Glibc

/// Reads a watch list from a file, an entry at a time; of the file, it holds no more than a piece.
final class ListReader {
    /// For complaints.
    let name: String
    private let descriptor: Int32
    private let format: ListFormat
    private var lines: TextLines
    /// Nil before the header.
    private var columns: CSVColumns?
    private var hasEnded = false

    /// - Parameters:
    ///   - path: `-` for standard input.
    ///   - format: nil to tell it from the content.
    init(_ path: String, format wanted: ListFormat?) throws(Complaint) {
        name = path == "-" ? "standard input" : path
        descriptor = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw Self.unreadable(name) }
        var head: [UInt8] = []
        var hasEnded = false
        var guess: ListFormat?
        while guess == nil, !hasEnded, head.count < TextLines.longestLineBytes {
            let piece = try Self.read(descriptor, name)
            hasEnded = piece.isEmpty
            head += piece
            guess = ListFormat(ofContent: head.drop { Self.byteOrderMark.contains($0) })
        }
        // Spreadsheets put it in front of UTF-8.
        if head.starts(with: Self.byteOrderMark) { head.removeFirst(Self.byteOrderMark.count) }
        format = wanted ?? guess ?? .jsonl
        lines = TextLines(hasQuotes: format == .csv)
        lines.receive(head)
        if hasEnded { lines.end() }
        self.hasEnded = hasEnded
    }

    deinit { if descriptor != STDIN_FILENO { close(descriptor) } }

    /// The next entry; nil at the end.
    func next() throws(Complaint) -> ListedEntry? {
        while true {
            var number = lines.number
            do throws(BadLine) {
                while let line = try lines.next() {
                    number = line.number
                    if let entry = try entry(of: line) { return entry }
                    number = lines.number
                }
            } catch {
                throw error.complaint(line: number, of: name)
            }
            guard !hasEnded else { return nil }
            let piece = try Self.read(descriptor, name)
            hasEnded = piece.isEmpty
            hasEnded ? lines.end() : lines.receive(piece)
        }
    }

    /// - Returns: nil for a header.
    private func entry(of line: TextLines.Line) throws(BadLine) -> ListedEntry? {
        guard format == .csv else { return try ListedEntry(json: line.bytes) }
        let row = try CSVRow(reading: line.bytes)
        if let columns { return try columns.entry(row) }
        columns = try CSVColumns(row)
        return nil
    }

    /// - Returns: nothing at the end.
    private static func read(_ descriptor: Int32, _ name: String) throws(Complaint) -> ArraySlice<UInt8> {
        var piece = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = Glibc.read(descriptor, &piece, piece.count)
            if count >= 0 { return piece[..<count] }
            if errno != EINTR { throw unreadable(name) }
        }
    }

    private static func unreadable(_ name: String) -> Complaint {
        Complaint(status: .badData, message: "cannot read \(name): \(String(cString: strerror(errno)))")
    }

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
}
