/// Reads a watch list from a file, an entry at a time; of the file, it holds no more than a piece.
final class ListReader {
    private let file: InputFile
    private let format: ListFormat
    private var lines: TextLines
    /// Nil before the header.
    private var columns: CSVColumns?
    private var hasEnded = false

    /// - Parameters:
    ///   - path: `-` for standard input.
    ///   - format: nil to tell it from the content.
    init(_ path: String, format wanted: ListFormat?) throws(Complaint) {
        file = try InputFile(path)
        var head: [UInt8] = []
        var hasEnded = false
        var guess: ListFormat?
        while guess == nil, !hasEnded, head.count < TextLines.longestLineBytes {
            let piece = try file.nextPiece()
            hasEnded = piece.isEmpty
            head += piece
            guess = ListFormat(ofContent: head.drop { InputFile.byteOrderMark.contains($0) })
        }
        if head.starts(with: InputFile.byteOrderMark) { head.removeFirst(InputFile.byteOrderMark.count) }
        format = wanted ?? guess ?? .jsonl
        lines = TextLines(hasQuotes: format == .csv)
        lines.receive(head)
        if hasEnded { lines.end() }
        self.hasEnded = hasEnded
    }

    /// For complaints.
    var name: String { file.name }

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
            let piece = try file.nextPiece()
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
}
