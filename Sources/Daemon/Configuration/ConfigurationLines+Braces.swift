extension ConfigurationLines {
    /// The kind of text at a position; the payload is the quotation mark that ends it.
    private enum Quotation: Equatable {
        case none
        case comment
        case line(UInt8)
        /// A multi-line string, between triple quotation marks.
        case lines(UInt8)
    }

    /// Returns the first line with an unmatched closing brace; nil if there is none.
    ///
    /// The parser aborts the process at such a brace in an array.
    static func lineOfUnmatchedBrace(in text: String) -> Int? {
        let bytes = Array(text.utf8)
        var (position, line, quotation) = (0, 1, Quotation.none)
        var open: [UInt8] = []
        while position < bytes.count {
            let byte = bytes[position]
            if byte == UInt8(ascii: "\n") {
                line += 1
                if case .lines = quotation {} else { quotation = .none }
            }
            var length = 1
            switch quotation {
            case .comment: break
            case .none:
                switch byte {
                case UInt8(ascii: "{"), UInt8(ascii: "["): open.append(byte)
                case UInt8(ascii: "]"): if open.last == UInt8(ascii: "[") { open.removeLast() }
                case UInt8(ascii: "}"): if open.popLast() != UInt8(ascii: "{") { return line }
                default: break
                }
                if byte == UInt8(ascii: "#") { quotation = .comment }
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                    let isLong = bytes[position...].prefix(3).elementsEqual([byte, byte, byte])
                    quotation = isLong ? .lines(byte) : .line(byte)
                    length = isLong ? 3 : 1
                }
            case .line(let quote), .lines(let quote):
                if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                    // Skips the escaped byte, unless it is a line feed, which must be counted.
                    if position + 1 < bytes.count, bytes[position + 1] != UInt8(ascii: "\n") { length = 2 }
                } else if byte == quote {
                    let quotes = bytes[position...].prefix(5).prefix { $0 == quote }.count
                    if quotation == .line(quote) {
                        quotation = .none
                    } else if quotes >= 3 {
                        // Up to two quotation marks before the closing three belong to the string.
                        (quotation, length) = (.none, quotes)
                    }
                }
            }
            position += length
        }
        return nil
    }
}
