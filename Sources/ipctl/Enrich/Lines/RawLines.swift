import Glibc

/// Splits a stream of bytes into lines with their line breaks: all parts together are the stream.
///
/// Bytes may arrive in chunks of any size. Memory is bounded by the length limit and one chunk, because a longer line
/// is returned in parts.
struct RawLines {
    struct Part: Hashable {
        /// The bytes, with the line break if it is among them.
        let bytes: ArraySlice<UInt8>
        /// Whether these bytes are a line, not a part of a line that exceeds the limit.
        let isWholeLine: Bool
    }

    /// The default length limit of lines: more than the records of the usual log formats.
    static let maxLineBytes = 1 << 20

    private let maxLineBytes: Int
    /// The position in a CSV row; nil for other formats, in which each line break ends a line.
    private var csv: CSVPosition?
    /// Whether CSV begins here, possibly with a byte order mark.
    private var isAtStart: Bool
    private var buffer = LineBuffer()
    private var isInLongLine = false
    private var hasEnded = false

    /// - Parameter maxLineBytes: the maximum length of a line, with its line break.
    init(_ format: LineFormat, maxLineBytes: Int = RawLines.maxLineBytes) {
        self.maxLineBytes = maxLineBytes
        csv = format == .csv ? CSVPosition() : nil
        isAtStart = format == .csv
    }

    mutating func receive(_ bytes: some Collection<UInt8>) { buffer.receive(bytes) }

    /// Ends the stream; the remaining bytes are the last line.
    mutating func end() {
        hasEnded = true
    }

    /// Returns the next line, or the next part of a long line; nil if more bytes are needed.
    mutating func next() -> Part? {
        if let end = nextLineEnd() { return part(upTo: end, isLast: true) }
        guard buffer.start < buffer.bytes.count else { return nil }
        if hasEnded { return part(upTo: buffer.bytes.count, isLast: true) }
        guard isInLongLine || buffer.bytes.count - buffer.start > maxLineBytes else { return nil }
        return part(upTo: buffer.bytes.count, isLast: false)
    }

    /// - Parameter isLast: whether the line ends here.
    private mutating func part(upTo end: Int, isLast: Bool) -> Part {
        let isWholeLine = isLast && !isInLongLine && end - buffer.start <= maxLineBytes
        defer { (buffer.start, isInLongLine) = (end, !isLast) }
        return Part(bytes: buffer.bytes[buffer.start..<end], isWholeLine: isWholeLine)
    }

    /// Returns the index after the next line break that ends a line, and scans all bytes before it.
    private mutating func nextLineEnd() -> Int? {
        guard !isAtStart || skipMark() else { return nil }
        let scanned = buffer.scanned
        let end = buffer.bytes.withUnsafeBytes { bytes -> Int? in
            guard scanned < bytes.count else { return nil }
            guard csv == nil else { return bytes[scanned...].firstIndex { csv?.endsRow(at: $0) == true } }
            guard let base = bytes.baseAddress,
                let found = memchr(base + scanned, Int32(UInt8(ascii: "\n")), bytes.count - scanned)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
        buffer.scanned = end.map { $0 + 1 } ?? buffer.bytes.count
        return end.map { $0 + 1 }
    }

    /// Skips a byte order mark, which is not a part of the first field. Returns whether enough bytes have arrived.
    private mutating func skipMark() -> Bool {
        let mark = InputFile.byteOrderMark
        let beginning = buffer.bytes.prefix(mark.count)
        if beginning.count < mark.count, mark.starts(with: beginning), !hasEnded { return false }
        isAtStart = false
        if beginning.elementsEqual(mark) { buffer.scanned = mark.count }
        return true
    }
}
