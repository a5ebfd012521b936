/// A pull scanner for all of JSON (RFC 8259). It reads a text in one pass without allocating memory, and creates only
/// the values that the caller asks for.
///
///     var scanner = JSONScanner(text)
///     try scanner.beginObject()
///     while let name = try scanner.nextName() {
///         if scanner.text(name, is: "total") { total = try scanner.number().int64 } else { try scanner.skip() }
///     }
///     try scanner.end()
///
/// The caller reads or skips each value before it asks for the next name or element. After an error, the scanner must
/// not be used again, except to `leave` an object or array that has too many values. Strings are valid UTF-8, and so is
/// the whole text if it was read up to `end()` without a call to `leave`.
package struct JSONScanner: ~Escapable {
    /// The type of a value.
    package enum Kind: Sendable {
        case object, array, string, number, bool, null
    }

    @usableFromInline
    let bytes: RawSpan
    var position = 0
    /// The number of arrays and objects that have begun and not ended.
    package private(set) var depth = 0
    /// Whether the last token was a value, so that a comma or a closing bracket must follow.
    var isAfterValue = false
    /// The number of commas, colons and opening brackets read, which is approximately the number of values and names.
    package private(set) var parts = 0
    /// The value of `parts` beyond which reading throws `tooManyValues`.
    package var maxParts = Int.max

    /// Maximum number of nested arrays and objects, so that skipping does not exhaust the stack.
    package static let maxDepth = 512

    /// - Parameter bytes: the text; a byte order mark is ignored (RFC 8259, section 8.1).
    @_lifetime(copy bytes)
    package init(_ bytes: RawSpan) {
        self.bytes = bytes
        if bytes.byteCount >= 3, self[0] == 0xEF, self[1] == 0xBB, self[2] == 0xBF { position = 3 }
    }

    /// Returns a byte; the index must be in bounds.
    @inline(__always)
    subscript(index: Int) -> UInt8 { bytes.unsafeLoad(fromUncheckedByteOffset: index, as: UInt8.self) }

    func error(_ problem: JSONError.Problem, at offset: Int) -> JSONError {
        JSONError(problem: problem, offset: offset)
    }

    /// The error for a token that cannot occur at the current position.
    func unexpected() -> JSONError {
        error(position < bytes.byteCount ? .unexpectedByte : .unexpectedEnd, at: position)
    }

    /// Skips whitespace and returns the next byte without consuming it; nil at the end.
    @inline(__always)
    mutating func next() -> UInt8? {
        while position < bytes.byteCount {
            let byte = self[position]
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte }
            position += 1
        }
        return nil
    }

    /// Checks that only whitespace is left.
    package mutating func end() throws(JSONError) {
        guard next() == nil else { throw unexpected() }
    }

    /// Returns the type of the next value without consuming it.
    package mutating func kind() throws(JSONError) -> Kind {
        guard let byte = next() else { throw unexpected() }
        switch byte {
        case UInt8(ascii: "\""): return .string
        case UInt8(ascii: "{"): return .object
        case UInt8(ascii: "["): return .array
        case UInt8(ascii: "t"), UInt8(ascii: "f"): return .bool
        case UInt8(ascii: "n"): return .null
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return .number
        default: throw unexpected()
        }
    }

    // MARK: Objects and arrays

    package mutating func beginObject() throws(JSONError) { try begin(UInt8(ascii: "{")) }

    package mutating func beginArray() throws(JSONError) { try begin(UInt8(ascii: "[")) }

    private mutating func begin(_ bracket: UInt8) throws(JSONError) {
        guard next() == bracket else { throw unexpected() }
        guard depth < Self.maxDepth else { throw error(.tooDeep, at: position) }
        try consumePart()
        depth += 1
    }

    /// Reads the name of the next member. At the end of the object, reads the end and returns nil.
    package mutating func nextName() throws(JSONError) -> JSONText? {
        guard try !ends(with: UInt8(ascii: "}")) else { return nil }
        let name = try string()
        guard next() == UInt8(ascii: ":") else { throw unexpected() }
        try consumePart()
        return name
    }

    /// Reads the name of the next member if it is one of `names` and is spelled plainly: without escapes, and with no
    /// whitespace around it. This takes a fraction of the time of `nextName()`.
    ///
    /// - Parameter first: the index in `names` of the name that is tried first. The others follow in order, wrapping
    ///   around at the end.
    /// - Returns: the name's index in `names`, or nil, in which case nothing has been read, and `nextName()` reads
    ///   whatever comes next.
    @inline(__always)
    package mutating func nextName(among names: [PlainName], startingAt first: Int) -> Int? {
        var start = position
        if isAfterValue {
            guard start < bytes.byteCount, self[start] == UInt8(ascii: ",") else { return nil }
            start += 1
        }
        guard start + PlainName.bytes <= bytes.byteCount, parts + 2 <= maxParts else { return nil }
        let word = bytes.unsafeLoadUnaligned(fromUncheckedByteOffset: start, as: UInt128.self)
        var index = first
        repeat {
            let name = names[index]
            if UInt128(littleEndian: word) & name.mask == name.spelling {
                position = start + name.count
                parts += isAfterValue ? 2 : 1
                isAfterValue = false
                return index
            }
            index = index + 1 == names.count ? 0 : index + 1
        } while index != first
        return nil
    }

    /// Consumes a comma, a colon or an opening bracket.
    @inline(__always)
    private mutating func consumePart() throws(JSONError) {
        guard parts < maxParts else { throw error(.tooManyValues, at: position) }
        position += 1
        parts += 1
        isAfterValue = false
    }

    /// Returns whether another element follows in an array. If not, reads the end of the array.
    package mutating func nextElement() throws(JSONError) -> Bool {
        try !ends(with: UInt8(ascii: "]"))
    }

    /// Reads either the closing bracket or, after a value, a comma.
    @inline(__always)
    private mutating func ends(with bracket: UInt8) throws(JSONError) -> Bool {
        let byte = next()
        if byte == bracket {
            position += 1
            depth -= 1
            isAfterValue = true
            return true
        }
        guard isAfterValue else { return false }
        guard byte == UInt8(ascii: ",") else { throw unexpected() }
        try consumePart()
        return false
    }

    /// Skips a value of any type.
    package mutating func skip() throws(JSONError) {
        switch try kind() {
        case .object:
            try beginObject()
            while try nextName() != nil { try skip() }
        case .array:
            try beginArray()
            while try nextElement() { try skip() }
        case .string: _ = try string()
        case .number: _ = try number()
        case .bool: _ = try bool()
        case .null: try null()
        }
    }

    /// Skips the rest of all arrays and objects that are nested more than `depth` deep. Neither validates nor counts
    /// the skipped values, so it takes a fraction of the time that `skip` takes.
    package mutating func leave(toDepth depth: Int) throws(JSONError) {
        while self.depth > depth {
            guard position < bytes.byteCount else { throw unexpected() }
            switch self[position] {
            case UInt8(ascii: "["), UInt8(ascii: "{"): self.depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): self.depth -= 1
            case UInt8(ascii: "\""): position = try closingQuote(ofStringAt: position)
            default: break
            }
            position += 1
        }
        isAfterValue = true
    }

    // MARK: Words

    package mutating func bool() throws(JSONError) -> Bool {
        let isTrue = next() == UInt8(ascii: "t")
        try word(isTrue ? "true" : "false")
        return isTrue
    }

    package mutating func null() throws(JSONError) {
        _ = next()
        try word("null")
    }

    private mutating func word(_ word: StaticString) throws(JSONError) {
        for index in 0..<word.utf8CodeUnitCount {
            guard position < bytes.byteCount, self[position] == word.utf8Start[index] else { throw unexpected() }
            position += 1
        }
        isAfterValue = true
    }
}
