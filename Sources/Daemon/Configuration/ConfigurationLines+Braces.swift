extension ConfigurationLines {
    private enum Quotation: Equatable {
        case none
        case comment
        case line(UInt8)
        /// Between three quotes and three more.
        case lines(UInt8)
    }

    /// The first line with a closing brace that closes nothing; nil where there is none.
    ///
    /// Where the parser finds one in a list it ends the process.
    static func lineOfLoneBrace(in text: String) -> Int? {
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
                    // What it escapes; a line's end is looked at still.
                    if position + 1 < bytes.count, bytes[position + 1] != UInt8(ascii: "\n") { length = 2 }
                } else if byte == quote {
                    let quotes = bytes[position...].prefix(5).prefix { $0 == quote }.count
                    if quotation == .line(quote) {
                        quotation = .none
                    } else if quotes >= 3 {
                        // Up to two before the three that end it are of the text.
                        (quotation, length) = (.none, quotes)
                    }
                }
            }
            position += length
        }
        return nil
    }
}
