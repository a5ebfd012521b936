import RecordKeeping

/// The structure of a line of JSON, as far as a member can be added to it.
///
/// The line is not validated, so that a member can be added to a line with invalid UTF-8, too. If the line is valid
/// JSON, so is the line with the member.
struct JSONLine {
    /// The strings, without their quotes.
    private(set) var strings: [Range<Int>] = []
    /// The index of the brace that ends the object; nil if the line is not an object or already has the member.
    private(set) var end: Int?
    /// The line with each escape that could be taken for a part of a word replaced by spaces; nil if there is none.
    private(set) var plain: [UInt8]?

    /// - Parameter member: the name of the member that will be added.
    mutating func read(_ line: UnsafeBufferPointer<UInt8>, member: [UInt8]) {
        strings.removeAll(keepingCapacity: true)
        (end, plain) = (nil, nil)
        let mark = InputFile.byteOrderMark
        var (depth, index, lastEnd) = (0, line.starts(with: mark) ? mark.count : 0, 0)
        while index < line.count {
            let byte = line[index]
            index += 1
            switch byte {
            case UInt8(ascii: "\""):
                let start = index
                guard let quote = closingQuote(from: start, in: line) else { return }
                strings.append(start..<quote)
                index = quote + 1
                if depth == 1, line[start..<quote].elementsEqual(member), Self.isName(line[index...]) { return }
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                guard depth > 0 || byte == UInt8(ascii: "{") && lastEnd == 0 else { return }
                depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                guard depth > 0 || depth == 0 && byte == UInt8(ascii: "}") else { return }
                lastEnd = index
            default:
                guard depth > 0 || Self.isSpace(byte) else { return }
            }
        }
        if depth == 0, lastEnd > 0 { end = lastEnd - 1 }
    }

    /// Returns the index of the quote that ends a string; nil if there is none.
    private mutating func closingQuote(from start: Int, in line: UnsafeBufferPointer<UInt8>) -> Int? {
        var index = start
        while index < line.count, line[index] != UInt8(ascii: "\"") {
            guard line[index] == UInt8(ascii: "\\") else {
                index += 1
                continue
            }
            let escape = Self.escape(at: index, in: line)
            if let filler = escape.filler {
                var bytes = plain ?? Array(line)
                // The copy is held only here, so that it is not copied again.
                plain = nil
                for place in index..<min(escape.end, line.count) { bytes[place] = filler }
                plain = bytes
            }
            index = escape.end
        }
        return index < line.count ? index : nil
    }

    /// Returns the end of an escape, and the byte that replaces it in a search: a space for the escape of a character
    /// that ends a word, a letter for others, and nil if the escape contains no letter.
    private static func escape(at start: Int, in line: UnsafeBufferPointer<UInt8>) -> (end: Int, filler: UInt8?) {
        guard start + 1 < line.count else { return (line.count, nil) }
        switch line[start + 1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return (start + 2, nil)
        case UInt8(ascii: "u"):
            let digits = line[(start + 2)...].prefix(4)
            let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) ?? 0
            let byte = UInt8(exactly: code) ?? 0x80
            // The finder knows the sequences of terminals.
            if byte == 0x1B { return (digits.endIndex, byte) }
            let isPart =
                AddressFinder.isWord(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: ":")
            return (digits.endIndex, isPart ? UInt8(ascii: "x") : UInt8(ascii: " "))
        default: return (start + 2, UInt8(ascii: " "))
        }
    }

    /// Whether a colon follows.
    private static func isName(_ rest: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        rest.first { !isSpace($0) } == UInt8(ascii: ":")
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}
