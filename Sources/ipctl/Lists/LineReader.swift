/// Reads the lines of a file in chunks, and reports an invalid line with its number and the file's name.
final class LineReader {
    private let file: InputFile
    private var lines: TextLines
    private var hasEnded: Bool

    /// - Parameters:
    ///   - head: the bytes of the file that have been read already.
    ///   - hasEnded: whether these are all bytes of the file.
    init(_ file: InputFile, hasQuotes: Bool, head: [UInt8] = [], hasEnded: Bool = false) {
        (self.file, self.hasEnded) = (file, hasEnded)
        lines = TextLines(hasQuotes: hasQuotes)
        lines.receive(head)
        if hasEnded { lines.end() }
    }

    /// Returns the value of the next line that has one; nil at the end of the file.
    ///
    /// - Parameter value: returns the value of a line; nil if it has none.
    func next<Value>(
        _ value: (TextLines.Line) throws(LineError) -> Value?
    ) throws(CommandError) -> Value? {
        while true {
            var number = lines.number
            do throws(LineError) {
                while let line = try lines.next() {
                    number = line.number
                    if let value = try value(line) { return value }
                    number = lines.number
                }
            } catch {
                throw error.commandError(line: number, of: file.name)
            }
            guard !hasEnded else { return nil }
            let chunk = try file.nextChunk()
            hasEnded = chunk.isEmpty
            hasEnded ? lines.end() : lines.receive(chunk)
        }
    }
}
