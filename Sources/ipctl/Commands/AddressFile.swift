import Control
import RecordKeeping

/// A file of addresses in the format of watch-list files (iprecord.watch(5)): one per line, then tags and a `# note`.
///
/// All lines are validated before anything is sent, so that an invalid line is reported with its number and nothing is
/// changed. The file is read in chunks.
struct AddressFile {
    /// The addresses in the order of the lines.
    let listed: [ListedAddress]

    /// - Parameter path: `-` for standard input.
    init(_ path: String) throws(CommandError) {
        let file = try InputFile(path)
        var lines = TextLines(hasQuotes: false)
        var hasEnded = false
        var listed: [ListedAddress] = []
        while !hasEnded {
            let chunk = try file.nextChunk()
            hasEnded = chunk.isEmpty
            hasEnded ? lines.end() : lines.receive(chunk)
            var number = lines.number
            do throws(LineError) {
                while let line = try lines.next() {
                    number = line.number
                    if let address = try Self.address(in: line) { listed.append(address) }
                    number = lines.number
                }
            } catch {
                throw error.commandError(line: number, of: file.name)
            }
        }
        self.listed = listed
    }

    /// - Returns: nil for a line without an address.
    private static func address(in line: TextLines.Line) throws(LineError) -> ListedAddress? {
        guard let text = String(validating: line.bytes, as: UTF8.self) else { throw LineError("not valid UTF-8") }
        do throws(WatchListText.Refusal) {
            return try WatchListText.address(in: line.number == 1 ? text.withoutByteOrderMark : text[...])
        } catch {
            throw LineError(error.reason.printable)
        }
    }
}

extension Array {
    /// Splits the array into parts of at most `count` elements.
    func parts(of count: Int) -> [[Element]] {
        stride(from: 0, to: self.count, by: count).map { Array(self[$0..<Swift.min($0 + count, self.count)]) }
    }
}
