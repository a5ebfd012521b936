import Control
import RecordKeeping

/// A file of addresses, one a line; what follows a `#` is for people, and empty lines do not count.
///
/// Every line is looked at before anything is sent, so that a bad one is told with its place and nothing is added. Of the
/// file, no more than a piece is held.
struct AddressFile {
    let addresses: [String]

    /// - Parameter path: `-` for standard input.
    init(_ path: String) throws(Complaint) {
        let file = try InputFile(path)
        var lines = TextLines(hasQuotes: false)
        var hasEnded = false
        var addresses: [String] = []
        while !hasEnded {
            let piece = try file.nextPiece()
            hasEnded = piece.isEmpty
            hasEnded ? lines.end() : lines.receive(piece)
            var number = lines.number
            do throws(BadLine) {
                while let line = try lines.next() {
                    number = line.number
                    if let address = try Self.address(in: line) { addresses.append(address) }
                    number = lines.number
                }
            } catch {
                throw error.complaint(line: number, of: file.name)
            }
        }
        self.addresses = addresses
    }

    /// - Returns: nil for a line that is for people.
    private static func address(in line: TextLines.Line) throws(BadLine) -> String? {
        guard let text = String(validating: line.bytes, as: UTF8.self) else { throw BadLine("it is no UTF-8 text") }
        let content = line.number == 1 ? text.withoutByteOrderMark : text[...]
        let words = content.prefix { $0 != "#" }.split { $0 == " " || $0 == "\t" || $0 == "\r" }
        guard let word = words.first else { return nil }
        do {
            return try IPAddress(word).description
        } catch {
            throw BadLine("\(BadLine.quoted(word)) is no IP address: \(error)")
        }
    }
}

extension Array {
    /// This in pieces of at most `count`.
    func parts(of count: Int) -> [[Element]] {
        stride(from: 0, to: self.count, by: count).map { Array(self[$0..<Swift.min($0 + count, self.count)]) }
    }
}
