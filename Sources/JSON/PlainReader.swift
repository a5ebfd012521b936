extension UInt8 {
    fileprivate static let brace = UInt8(ascii: "{")
    fileprivate static let closingBrace = UInt8(ascii: "}")
    fileprivate static let bracket = UInt8(ascii: "[")
    fileprivate static let closingBracket = UInt8(ascii: "]")
    fileprivate static let comma = UInt8(ascii: ",")
    fileprivate static let colon = UInt8(ascii: ":")
    fileprivate static let minus = UInt8(ascii: "-")
    fileprivate static let point = UInt8(ascii: ".")
    /// Lower case; set bit 0x20 of a byte before comparing.
    fileprivate static let exponent = UInt8(ascii: "e")
    fileprivate static let quote = UInt8(ascii: "\"")
}

/// A reader of plain JSON, which is JSON (RFC 8259) with neither escapes in strings nor exponents in numbers.
///
/// For any other input, methods return nil or false, and the caller decodes the text from its beginning with a complete
/// JSON decoder. The reader creates only the values that the caller asks for, and takes a twentieth of the time of
/// `JSONDecoder`.
package struct PlainReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let lastOfTexts: UInt8
    private var position = 0

    /// - Parameters:
    ///   - bytes: the JSON text; must outlive the reader and every `PlainText` that it returns.
    ///   - isUTF8: whether `bytes` are known to be valid UTF-8. If false, strings may contain only ASCII.
    package init(bytes: UnsafeBufferPointer<UInt8>, isUTF8: Bool = false) {
        self.bytes = bytes
        lastOfTexts = isUTF8 ? 0xFF : 0x7E
    }

    /// Skips whitespace and returns the next byte without consuming it; nil at the end.
    package mutating func next() -> UInt8? {
        while position < bytes.count {
            let byte = bytes[position]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
            position += 1
        }
        return nil
    }

    /// Whether only whitespace is left.
    package var isAtEnd: Bool {
        mutating get { next() == nil }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next() == byte else { return false }
        position += 1
        return true
    }

    /// Reads an object; returns false if it is not plain, or as soon as `member` returns false.
    ///
    /// - Parameter member: called with each name; must read the value.
    package mutating func object(_ member: (PlainText, inout PlainReader) -> Bool) -> Bool {
        guard take(.brace) else { return false }
        if take(.closingBrace) { return true }
        repeat {
            guard let name = plainText(), take(.colon), member(name, &self) else { return false }
        } while take(.comma)
        return take(.closingBrace)
    }

    /// Reads a string; nil if the next value is not a string or the string is not plain.
    package mutating func plainText() -> PlainText? {
        guard take(.quote) else { return nil }
        let start = position
        position = PlainBytes.end(of: bytes, from: start)
        while position < bytes.count {
            let byte = bytes[position]
            if byte == .quote {
                position += 1
                return PlainText(bytes: UnsafeBufferPointer(rebasing: bytes[start..<position - 1]))
            }
            guard byte >= 0x20, byte <= lastOfTexts, byte != 0x7F, byte != UInt8(ascii: "\\") else { return nil }
            position += 1
        }
        return nil
    }

    /// Consumes the next value if it is `null`, and returns whether it was `null`.
    package mutating func null() -> Bool {
        take(word: "null")
    }

    /// Reads a Boolean; nil if the next value is not a Boolean.
    package mutating func flag() -> Bool? {
        if take(word: "true") { return true }
        return take(word: "false") ? false : nil
    }

    private mutating func take(word: StaticString) -> Bool {
        guard next() != nil, bytes.count - position >= word.utf8CodeUnitCount else { return false }
        for place in 0..<word.utf8CodeUnitCount where bytes[position + place] != word.utf8Start[place] { return false }
        position += word.utf8CodeUnitCount
        return true
    }

    /// Reads an integer of at most 18 digits; nil for any other value.
    package mutating func number() -> Int64? {
        let isNegative = take(.minus)
        let start = position
        var value: Int64 = 0
        while position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) {
            // Every number of 18 digits fits into `Int64`.
            guard position - start < 18 else { return nil }
            value = value * 10 + Int64(bytes[position] - UInt8(ascii: "0"))
            position += 1
        }
        let digits = position - start
        guard digits > 0, digits == 1 || bytes[start] != UInt8(ascii: "0") else { return nil }
        // A number with a fraction or an exponent is not an integer.
        let isWhole = position == bytes.count || bytes[position] != .point && bytes[position] | 0x20 != .exponent
        guard isWhole else { return nil }
        return isNegative ? -value : value
    }

    /// Reads a number of at most 15 digits without an exponent; nil for any other value.
    ///
    /// The digits as an integer and the power of ten that divides it are exact, so their quotient is the nearest double
    /// (Clinger, "How to Read Floating Point Numbers Accurately", 1990).
    package mutating func decimal() -> Double? {
        let isNegative = take(.minus)
        let start = position
        var (value, divisor, digits, point): (UInt64, Double, Int, Int?) = (0, 1, 0, nil)
        while position < bytes.count {
            let byte = bytes[position]
            if byte == .point, point == nil, digits > 0 {
                point = position
            } else if byte &- UInt8(ascii: "0") <= 9 {
                guard digits < 15 else { return nil }
                value = value * 10 + UInt64(byte &- UInt8(ascii: "0"))
                digits += 1
                if point != nil { divisor *= 10 }
            } else {
                break
            }
            position += 1
        }
        let wholeDigits = (point ?? position) - start
        guard digits > 0, wholeDigits == 1 || bytes[start] != UInt8(ascii: "0"), point != position - 1,
            position == bytes.count || bytes[position] != .point && bytes[position] | 0x20 != .exponent
        else { return nil }
        let number = Double(value) / divisor
        return isNegative ? -number : number
    }

    /// Reads an array; returns false if it is not plain, or as soon as `element` returns false.
    ///
    /// - Parameter element: called before each element; must read the element.
    package mutating func array(_ element: (inout PlainReader) -> Bool) -> Bool {
        guard take(.bracket) else { return false }
        if take(.closingBracket) { return true }
        repeat {
            guard element(&self) else { return false }
        } while take(.comma)
        return take(.closingBracket)
    }
}

/// The contents of a string that a `PlainReader` has read; valid as long as the bytes of the reader are.
package struct PlainText {
    package let bytes: UnsafeBufferPointer<UInt8>

    /// - Parameter bytes: the bytes between the quotation marks.
    package init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    package var string: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether the contents equal `text`.
    package func reads(_ text: StaticString) -> Bool {
        guard bytes.count == text.utf8CodeUnitCount else { return false }
        for place in bytes.indices where bytes[place] != text.utf8Start[place] { return false }
        return true
    }
}
