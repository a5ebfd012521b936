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

/// Reads plain JSON from its beginning on; nil and false for anything that is not plain.
package struct PlainReader {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    package init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
    }

    /// The next byte that is no blank, which stays where it is; nil at the end.
    private mutating func next() -> UInt8? {
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
        while position < bytes.count {
            let byte = bytes[position]
            if byte == .quote {
                position += 1
                return PlainText(bytes: UnsafeBufferPointer(rebasing: bytes[start..<position - 1]))
            }
            guard byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "\\") else { return nil }
            position += 1
        }
        return nil
    }

    mutating func text() -> String? {
        plainText().map { String(decoding: $0.bytes, as: UTF8.self) }
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

    mutating func parameters() -> PlainParameters? {
        var parameters = PlainParameters()
        let isPlain = object { name, reader in
            guard let member = reader.member() else { return false }
            return parameters.add(String(decoding: name.bytes, as: UTF8.self), member)
        }
        return isPlain ? parameters : nil
    }

    private mutating func member() -> PlainParameters.Member? {
        switch next() {
        case .quote: text().map { .text($0) }
        case .bracket: texts().map { .texts($0) }
        case UInt8(ascii: "t"), UInt8(ascii: "f"): flag().map { .flag($0) }
        default: number().map { .number($0) }
        }
    }

    private mutating func texts() -> [String]? {
        var texts: [String] = []
        let isPlain = list {
            texts.append(String(decoding: $0.bytes, as: UTF8.self))
            return true
        }
        return isPlain ? texts : nil
    }

    /// - Parameter text: called with each text of the list.
    package mutating func list(_ text: (PlainText) -> Bool) -> Bool {
        guard take(.bracket) else { return false }
        if take(.closingBracket) { return true }
        repeat {
            guard let element = plainText(), text(element) else { return false }
        } while take(.comma)
        return take(.closingBracket)
    }
}

/// A text of a plain message, for as long as its bytes are there: ASCII.
package struct PlainText {
    package let bytes: UnsafeBufferPointer<UInt8>

    /// It says just this.
    package func reads(_ text: StaticString) -> Bool {
        guard bytes.count == text.utf8CodeUnitCount else { return false }
        for place in bytes.indices where bytes[place] != text.utf8Start[place] { return false }
        return true
    }
}

/// Members of a plain object that were there already: each may stand there once.
package struct PlainMembers: OptionSet {
    package var rawValue: UInt8 = 0

    package init() {}

    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let method = PlainMembers(rawValue: 1)
    package static let more = PlainMembers(rawValue: 2)
    package static let oneway = PlainMembers(rawValue: 4)
    package static let upgrade = PlainMembers(rawValue: 8)
    package static let parameters = PlainMembers(rawValue: 16)

    /// - Returns: whether it was missing.
    package mutating func insert(_ member: PlainMembers) -> Bool {
        defer { formUnion(member) }
        return !contains(member)
    }
}
