/// Reads the entries of an exported watch list from a file, in chunks.
final class ImportReader {
    private let file: InputFile
    private let format: ListFormat
    private var lines: TextLines
    /// The CSV columns; nil before the header has been read.
    private var columns: CSVColumns?
    private var hasEnded = false

    /// - Parameters:
    ///   - path: `-` for standard input.
    ///   - format: the format; nil to detect it from the content.
    init(_ path: String, format wanted: ListFormat?) throws(CommandError) {
        file = try InputFile(path)
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
        lines = TextLines(hasQuotes: format == .csv)
        lines.receive(head)
        if hasEnded { lines.end() }
        self.hasEnded = hasEnded
    }

    /// The file's name for error messages.
    var name: String { file.name }

    /// Returns the next entry; nil at the end of the file.
    func next() throws(CommandError) -> ListedEntry? {
        while true {
            var number = lines.number
            do throws(LineError) {
                while let line = try lines.next() {
                    number = line.number
                    if let entry = try entry(of: line) { return entry }
                    number = lines.number
                }
            } catch {
                throw error.commandError(line: number, of: name)
            }
            guard !hasEnded else { return nil }
            let chunk = try file.nextChunk()
            hasEnded = chunk.isEmpty
            hasEnded ? lines.end() : lines.receive(chunk)
        }
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
