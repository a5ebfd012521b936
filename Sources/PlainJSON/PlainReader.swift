extension UInt8 {
    fileprivate static let brace = UInt8(ascii: "{")
    fileprivate static let closingBrace = UInt8(ascii: "}")
    fileprivate static let bracket = UInt8(ascii: "[")
    fileprivate static let closingBracket = UInt8(ascii: "]")
    fileprivate static let comma = UInt8(ascii: ",")
    fileprivate static let colon = UInt8(ascii: ":")
    fileprivate static let minus = UInt8(ascii: "-")
    fileprivate static let point = UInt8(ascii: ".")
    /// In its small form.
    fileprivate static let exponent = UInt8(ascii: "e")
    fileprivate static let quote = UInt8(ascii: "\"")
}

/// Reads plain JSON (RFC 8259) from its beginning on: texts without escapes, numbers without exponents. For anything that is not
/// plain it gives nil or false, and a decoder that knows all of JSON has to look at it.
///
/// Nothing is made of what is read but what is asked for, so reading takes a twentieth of the time that `JSONDecoder` takes.
package struct PlainReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let lastOfTexts: UInt8
    private var position = 0

    /// - Parameters:
    ///   - bytes: have to be there for as long as the reader and the texts that it gives.
    ///   - isUTF8: they are, so texts may have more than ASCII.
    package init(bytes: UnsafeBufferPointer<UInt8>, isUTF8: Bool = false) {
        self.bytes = bytes
        lastOfTexts = isUTF8 ? 0xFF : 0x7E
    }

    /// The next byte that is no blank, which stays where it is; nil at the end.
    package mutating func next() -> UInt8? {
        while position < bytes.count {
            let byte = bytes[position]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
            position += 1
        }
        return nil
    }

    package var isAtEnd: Bool {
        mutating get { next() == nil }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next() == byte else { return false }
        position += 1
        return true
    }

    /// - Parameter member: called with each name, and reads the value.
    package mutating func object(_ member: (PlainText, inout PlainReader) -> Bool) -> Bool {
        guard take(.brace) else { return false }
        if take(.closingBrace) { return true }
        repeat {
            guard let name = plainText(), take(.colon), member(name, &self) else { return false }
        } while take(.comma)
        return take(.closingBrace)
    }

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

    /// - Returns: whether the next value is null, which is read then.
    package mutating func null() -> Bool {
        take(word: "null")
    }

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

    package mutating func number() -> Int64? {
        let isNegative = take(.minus)
        let start = position
        var value: Int64 = 0
        while position < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[position]) {
            // Eighteen digits fit.
            guard position - start < 18 else { return nil }
            value = value * 10 + Int64(bytes[position] - UInt8(ascii: "0"))
            position += 1
        }
        let digits = position - start
        guard digits > 0, digits == 1 || bytes[start] != UInt8(ascii: "0") else { return nil }
        // A fraction or an exponent is not plain.
        let isWhole = position == bytes.count || bytes[position] != .point && bytes[position] | 0x20 != .exponent
        guard isWhole else { return nil }
        return isNegative ? -value : value
    }

    /// A number of at most fifteen digits: it and the power of ten that divides it are exact, so their quotient is the double
    /// that is nearest (Clinger, "How to Read Floating Point Numbers Accurately", 1990).
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

    /// - Parameter element: called with the place of each element, and reads it.
    package mutating func array(_ element: (inout PlainReader) -> Bool) -> Bool {
        guard take(.bracket) else { return false }
        if take(.closingBracket) { return true }
        repeat {
            guard element(&self) else { return false }
        } while take(.comma)
        return take(.closingBracket)
    }
}

/// A text that a `PlainReader` has read, for as long as the reader's bytes are there.
package struct PlainText {
    package let bytes: UnsafeBufferPointer<UInt8>

    /// - Parameter bytes: the bytes between the quotation marks.
    package init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    package var string: String { String(decoding: bytes, as: UTF8.self) }

    /// It says just this.
    package func reads(_ text: StaticString) -> Bool {
        guard bytes.count == text.utf8CodeUnitCount else { return false }
        for place in bytes.indices where bytes[place] != text.utf8Start[place] { return false }
        return true
    }
}
