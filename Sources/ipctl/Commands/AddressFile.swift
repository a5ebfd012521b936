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
        let lines = LineReader(try InputFile(path), hasQuotes: false)
        var listed: [ListedAddress] = []
        while let address = try lines.next(Self.address) { listed.append(address) }
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
