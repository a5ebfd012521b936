/// Takes a stream of bytes apart into lines, and knows the number of each.
///
/// Bytes may come in any pieces; what is held is one line and one piece.
struct TextLines {
    struct Line: Hashable {
        /// Without its end.
        let bytes: ArraySlice<UInt8>
        /// Counted from 1; of the first line, where a row of CSV has several.
        let number: Int
    }

    /// Room for the longest tags and the longest note with every character escaped, and for a whole record beside.
    static let longestLineBytes = 65_536

    /// A line break between quotes does not end a line, as in CSV.
    private let hasQuotes: Bool
    private var buffer: [UInt8] = []
    /// Where the line that is not ended yet begins, and up to where it was looked at.
    private var (start, scanned) = (0, 0)
    private var isQuoted = false
    private var hasEnded = false
    /// The number of the line that is not ended yet.
    private(set) var number = 1
    private var breaksInside = 0

    init(hasQuotes: Bool) {
        self.hasQuotes = hasQuotes
    }

    mutating func receive(_ bytes: some Sequence<UInt8>) {
        buffer.removeSubrange(..<start)
        scanned -= start
        start = 0
        buffer += bytes
    }

    /// No more bytes come: what is left is the last line.
    mutating func end() {
        hasEnded = true
    }

    /// The next line that is not blank; nil until more bytes come.
    mutating func next() throws(BadLine) -> Line? {
        while let line = try nextOfAll() {
            if line.bytes.contains(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }) { return line }
        }
        return nil
    }

    private mutating func nextOfAll() throws(BadLine) -> Line? {
        while scanned < buffer.count {
            let byte = buffer[scanned]
            scanned += 1
            if byte == UInt8(ascii: "\""), hasQuotes { isQuoted.toggle() }
            guard byte == UInt8(ascii: "\n") else { continue }
            if isQuoted { breaksInside += 1 } else { return try take(upTo: scanned - 1) }
        }
        guard hasEnded, start < buffer.count else {
            try checkLength(of: buffer[start...])
            return nil
        }
        return try take(upTo: scanned)
    }

    private mutating func take(upTo end: Int) throws(BadLine) -> Line {
        var bytes = buffer[start..<end]
        try checkLength(of: bytes)
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        defer {
            start = scanned
            number += breaksInside + 1
            breaksInside = 0
        }
        return Line(bytes: bytes, number: number)
    }

    private func checkLength(of bytes: ArraySlice<UInt8>) throws(BadLine) {
        guard bytes.count <= Self.longestLineBytes else {
            throw BadLine("it has more than \(Times.grouped(Self.longestLineBytes)) bytes, as no line of a list does")
        }
    }
}
