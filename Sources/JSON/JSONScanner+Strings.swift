/// Strings, with escapes and surrogate pairs.
extension JSONScanner {
    /// Reads a string.
    @inline(__always)
    package mutating func string() throws(JSONError) -> JSONText {
        guard next() == UInt8(ascii: "\"") else { throw unexpected() }
        let start = position + 1
        let end = PlainBytes.end(of: bytes, from: start)
        guard end < bytes.byteCount, self[end] == UInt8(ascii: "\"") else {
            return try string(from: start, plainUntil: end)
        }
        position = end + 1
        isAfterValue = true
        return JSONText(range: start..<end, hasEscapes: false, isValid: true)
    }

    /// Reads a string if the next value is one. Otherwise returns nil, and the value has not been read.
    @inline(__always)
    package mutating func stringIfNext() throws(JSONError) -> JSONText? {
        guard next() == UInt8(ascii: "\"") else { return nil }
        return try string()
    }

    /// Reads a string from `start`, of which the bytes before `plainEnd` need no interpretation.
    private mutating func string(from start: Int, plainUntil plainEnd: Int) throws(JSONError) -> JSONText {
        var end = plainEnd
        var (hasEscapes, isValid) = (false, true)
        while end < bytes.byteCount {
            let byte = self[end]
            if byte == UInt8(ascii: "\"") {
                position = end + 1
                isAfterValue = true
                return JSONText(range: start..<end, hasEscapes: hasEscapes, isValid: isValid)
            }
            if byte == UInt8(ascii: "\\") {
                hasEscapes = true
                let escape = escape(at: end)
                if escape.scalar == nil { isValid = false }
                end = PlainBytes.end(of: bytes, from: escape.end)
            } else if byte >= 0x80 {
                end = PlainBytes.end(of: bytes, from: try endOfSequence(at: end))
            } else {
                if byte < 0x20 { isValid = false }
                end += 1
            }
        }
        throw error(.unexpectedEnd, at: end)
    }

    /// Returns the index of the quotation mark that ends the string at `start`, without validating the string.
    func closingQuote(ofStringAt start: Int) throws(JSONError) -> Int {
        var end = PlainBytes.end(of: bytes, from: start + 1)
        while end < bytes.byteCount, self[end] != UInt8(ascii: "\"") {
            end = PlainBytes.end(of: bytes, from: end + (self[end] == UInt8(ascii: "\\") ? 2 : 1))
        }
        guard end < bytes.byteCount else { throw error(.unexpectedEnd, at: bytes.byteCount) }
        return end
    }

    /// Returns the end of a UTF-8 sequence of several bytes (Unicode 15.0, table 3-7).
    private func endOfSequence(at start: Int) throws(JSONError) -> Int {
        let second: ClosedRange<UInt8>
        let count: Int
        switch self[start] {
        case 0xC2...0xDF: (count, second) = (2, 0x80...0xBF)
        case 0xE0: (count, second) = (3, 0xA0...0xBF)
        case 0xED: (count, second) = (3, 0x80...0x9F)
        case 0xE1...0xEF: (count, second) = (3, 0x80...0xBF)
        case 0xF0: (count, second) = (4, 0x90...0xBF)
        case 0xF1...0xF3: (count, second) = (4, 0x80...0xBF)
        case 0xF4: (count, second) = (4, 0x80...0x8F)
        default: throw error(.invalidUTF8, at: start)
        }
        let end = start + count
        guard end <= bytes.byteCount, second.contains(self[start + 1]) else { throw error(.invalidUTF8, at: start) }
        for index in start + 2..<end where self[index] & 0xC0 != 0x80 { throw error(.invalidUTF8, at: start) }
        return end
    }

    /// Reads an escape, or the two escapes of a surrogate pair.
    ///
    /// - Returns: the scalar, which is nil if the escape is invalid or an unpaired surrogate, and the index after the
    ///   escape.
    private func escape(at start: Int) -> (scalar: Unicode.Scalar?, end: Int) {
        guard start + 1 < bytes.byteCount else { return (nil, start + 1) }
        let scalar: Unicode.Scalar
        switch self[start + 1] {
        case UInt8(ascii: "u"):
            guard let unit = codeUnit(at: start) else { return (nil, start + 2) }
            if let scalar = Unicode.Scalar(unit) { return (scalar, start + 6) }
            guard UTF16.isLeadSurrogate(unit), let trail = codeUnit(at: start + 6), UTF16.isTrailSurrogate(trail) else {
                return (nil, start + 6)
            }
            return (UTF16.decode(UTF16.EncodedScalar([unit, trail])), start + 12)
        case UInt8(ascii: "\""): scalar = "\""
        case UInt8(ascii: "\\"): scalar = "\\"
        case UInt8(ascii: "/"): scalar = "/"
        case UInt8(ascii: "b"): scalar = "\u{8}"
        case UInt8(ascii: "f"): scalar = "\u{C}"
        case UInt8(ascii: "n"): scalar = "\n"
        case UInt8(ascii: "r"): scalar = "\r"
        case UInt8(ascii: "t"): scalar = "\t"
        default: return (nil, start + 1)
        }
        return (scalar, start + 2)
    }

    /// Reads an escape of the form \u1234; nil for anything else.
    private func codeUnit(at start: Int) -> UInt16? {
        guard start + 6 <= bytes.byteCount, self[start] == UInt8(ascii: "\\"), self[start + 1] == UInt8(ascii: "u")
        else {
            return nil
        }
        var unit: UInt16 = 0
        for index in start + 2..<start + 6 {
            let digit: UInt8
            switch self[index] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = self[index] - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = self[index] - UInt8(ascii: "a") + 10
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = self[index] - UInt8(ascii: "A") + 10
            default: return nil
            }
            unit = unit << 4 | UInt16(digit)
        }
        return unit
    }

    // MARK: Values

    /// Decodes a string. Invalid escapes become U+FFFD.
    package func string(of text: JSONText) -> String {
        guard text.hasEscapes else { return withBytes(of: text) { String(decoding: $0, as: UTF8.self) } }
        var decoded: [UInt8] = []
        decoded.reserveCapacity(text.range.count)
        var index = text.range.lowerBound
        while index < text.range.upperBound {
            guard self[index] == UInt8(ascii: "\\") else {
                decoded.append(self[index])
                index += 1
                continue
            }
            let escape = escape(at: index)
            decoded.append(contentsOf: UTF8.encode(escape.scalar ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter)
            index = escape.end
        }
        return String(decoding: decoded, as: UTF8.self)
    }

    /// Whether a string equals `other`.
    package func text(_ text: JSONText, equals other: String) -> Bool {
        guard text.isValid, !text.hasEscapes else { return text.isValid && string(of: text) == other }
        var other = other
        return other.withUTF8 { isPlain(text, equalTo: UnsafeRawBufferPointer($0)) }
    }

    /// Whether a string equals `literal`, which is ASCII.
    package func text(_ text: JSONText, is literal: StaticString) -> Bool {
        guard text.isValid, !text.hasEscapes else { return self.text(text, equals: "\(literal)") }
        return isPlain(
            text, equalTo: UnsafeRawBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
    }

    /// Whether a string without escapes consists of these bytes, which are compared eight at a time.
    @inline(__always)
    private func isPlain(_ text: JSONText, equalTo other: UnsafeRawBufferPointer) -> Bool {
        guard text.range.count == other.count else { return false }
        let (other, start) = (RawSpan(_unsafeBytes: other), text.range.lowerBound)
        var offset = 0
        while offset + 8 <= other.byteCount {
            guard
                bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: start + offset, as: UInt64.self)
                    == other.unsafeLoadUnaligned(fromUncheckedByteOffset: offset, as: UInt64.self)
            else { return false }
            offset += 8
        }
        while offset < other.byteCount {
            guard self[start + offset] == other.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self) else {
                return false
            }
            offset += 1
        }
        return true
    }

    /// Calls `body` with the bytes between the quotation marks, escapes included.
    @inlinable
    package func withBytes<Result>(of text: JSONText, _ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        bytes.extracting(text.range).withUnsafeBytes { body($0.assumingMemoryBound(to: UInt8.self)) }
    }
}
