/// Splits a stream of bytes into numbered lines.
///
/// Bytes may arrive in chunks of any size; only one line and one chunk are buffered.
struct TextLines {
    struct Line: Hashable {
        /// The line without its line break.
        let bytes: ArraySlice<UInt8>
        /// The number of the line, counted from 1; for a CSV row of several lines, the number of the first line.
        let number: Int
    }

    /// The maximum length: room for all tags, a note and a record, with every character escaped.
    static let maxLineBytes = 65_536

    /// Whether a line break inside quotes is part of the line, as in CSV.
    private let hasQuotes: Bool
    private var buffer = LineBuffer()
    private var isQuoted = false
    private var hasEnded = false
    /// The number of the current line.
    private(set) var number = 1
    private var breaksInside = 0

    init(hasQuotes: Bool) {
        self.hasQuotes = hasQuotes
    }

    mutating func receive(_ bytes: some Sequence<UInt8>) { buffer.receive(bytes) }

    /// Ends the stream; the remaining bytes are the last line.
    mutating func end() {
        hasEnded = true
    }

    /// Returns the next line that is not blank; nil if more bytes are needed.
    mutating func next() throws(LineError) -> Line? {
        while let line = try nextIncludingBlank() {
            if line.bytes.contains(where: { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }) { return line }
        }
        return nil
    }

    private mutating func nextIncludingBlank() throws(LineError) -> Line? {
        while buffer.scanned < buffer.bytes.count {
            let byte = buffer.bytes[buffer.scanned]
            buffer.scanned += 1
            if byte == UInt8(ascii: "\""), hasQuotes { isQuoted.toggle() }
            guard byte == UInt8(ascii: "\n") else { continue }
            if isQuoted { breaksInside += 1 } else { return try extractLine(upTo: buffer.scanned - 1) }
        }
        guard hasEnded, buffer.start < buffer.bytes.count else {
            try checkLength(of: buffer.bytes[buffer.start...])
            return nil
        }
        return try extractLine(upTo: buffer.scanned)
    }

    private mutating func extractLine(upTo end: Int) throws(LineError) -> Line {
        var bytes = buffer.bytes[buffer.start..<end]
        try checkLength(of: bytes)
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        defer {
            buffer.start = buffer.scanned
            number += breaksInside + 1
            breaksInside = 0
        }
        return Line(bytes: bytes, number: number)
    }

    private func checkLength(of bytes: ArraySlice<UInt8>) throws(LineError) {
        guard bytes.count <= Self.maxLineBytes else {
            throw LineError("longer than the limit of \(Times.grouped(Self.maxLineBytes)) bytes")
        }
    }
}
