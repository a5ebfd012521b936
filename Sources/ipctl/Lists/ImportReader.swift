/// Reads the entries of an exported watch list from a file, in chunks.
final class ImportReader {
    /// The file's name for error messages.
    let name: String
    private let format: ListFormat
    private let lines: LineReader
    /// The CSV columns; nil before the header has been read.
    private var columns: CSVColumns?

    /// - Parameters:
    ///   - path: `-` for standard input.
    ///   - format: the format; nil to detect it from the content.
    init(_ path: String, format wanted: ListFormat?) throws(CommandError) {
        let file = try InputFile(path)
        name = file.name
        var head: [UInt8] = []
        var hasEnded = false
        var guess: ListFormat?
        while guess == nil, !hasEnded, head.count < TextLines.maxLineBytes {
            let chunk = try file.nextChunk()
            hasEnded = chunk.isEmpty
            head += chunk
            guess = ListFormat(ofContent: head.drop { InputFile.byteOrderMark.contains($0) })
        }
        if head.starts(with: InputFile.byteOrderMark) { head.removeFirst(InputFile.byteOrderMark.count) }
        format = wanted ?? guess ?? .jsonl
        lines = LineReader(file, hasQuotes: format == .csv, head: head, hasEnded: hasEnded)
    }

    /// Returns the next entry; nil at the end of the file.
    func next() throws(CommandError) -> ListedEntry? {
        try lines.next { line throws(LineError) in try entry(of: line) }
    }

    /// - Returns: nil for a header.
    private func entry(of line: TextLines.Line) throws(LineError) -> ListedEntry? {
        guard format == .csv else { return try ListedEntry(json: line.bytes) }
        let row = try CSVRow(reading: line.bytes)
        if let columns { return try columns.entry(row) }
        columns = try CSVColumns(row)
        return nil
    }
}
