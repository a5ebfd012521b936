/// The position in a stream of CSV (RFC 4180), advanced byte by byte.
///
/// Only a quote at the start of a field begins a quoted field, so that a stray quote inside a field does not join rows.
struct CSVPosition {
    private enum State {
        case fieldStart, unquoted, quoted
        /// After a quote in a quoted field: the end of the field, or the first of two quotes.
        case quoteInQuoted
    }

    private var state = State.fieldStart

    /// Whether the next byte is the first of a field.
    var isAtFieldStart: Bool { state == .fieldStart }

    /// Advances by one byte. Returns whether it is a line break that ends a row.
    @inline(__always)
    mutating func endsRow(at byte: UInt8) -> Bool {
        if state == .quoted {
            if byte == UInt8(ascii: "\"") { state = .quoteInQuoted }
            return false
        }
        switch byte {
        case UInt8(ascii: ","): state = .fieldStart
        case UInt8(ascii: "\n"):
            state = .fieldStart
            return true
        case UInt8(ascii: "\""): state = state == .unquoted ? .unquoted : .quoted
        default: state = .unquoted
        }
        return false
    }

    /// Returns the fields of a row without its line break, with their quotes.
    static func fields(of row: UnsafeBufferPointer<UInt8>) -> [Range<Int>] {
        var (position, start) = (CSVPosition(), 0)
        var fields: [Range<Int>] = []
        for (index, byte) in row.enumerated() {
            _ = position.endsRow(at: byte)
            guard byte == UInt8(ascii: ","), position.isAtFieldStart else { continue }
            fields.append(start..<index)
            start = index + 1
        }
        return fields + [start..<row.count]
    }
}
