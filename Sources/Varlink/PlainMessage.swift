/// A call that is written plainly, as nearly all are: no escapes in its texts, ASCII only, whole numbers, and nothing deeper in
/// its parameters than lists of texts.
///
/// Reading one takes a twentieth of the time that `JSONDecoder` takes. Whatever is not so plain is no such message, and is for
/// the decoder to judge: that both understand the same by what both understand is what the fuzzer looks for.
struct PlainMessage: Sendable {
    private(set) var method = ""
    private(set) var more = false
    private(set) var oneway = false
    private(set) var upgrade = false
    private(set) var parameters = PlainParameters()

    init?(_ message: ArraySlice<UInt8>) {
        let isPlain = message.withUnsafeBufferPointer { bytes in
            var reader = PlainReader(bytes: bytes)
            return read(&reader) && reader.isAtEnd
        }
        guard isPlain, !method.isEmpty else { return nil }
    }

    private mutating func read(_ reader: inout PlainReader) -> Bool {
        var seen = Members()
        return reader.object { name, reader in
            switch name {
            case "method": seen.insert(.method) && Self.set(&method, reader.text())
            case "more": seen.insert(.more) && Self.set(&more, reader.flag())
            case "oneway": seen.insert(.oneway) && Self.set(&oneway, reader.flag())
            case "upgrade": seen.insert(.upgrade) && Self.set(&upgrade, reader.flag())
            case "parameters": seen.insert(.parameters) && Self.set(&parameters, reader.parameters())
            default: false
            }
        }
    }

    /// Each may stand there once.
    private struct Members: OptionSet {
        var rawValue: UInt8 = 0

        static let method = Members(rawValue: 1)
        static let more = Members(rawValue: 2)
        static let oneway = Members(rawValue: 4)
        static let upgrade = Members(rawValue: 8)
        static let parameters = Members(rawValue: 16)

        /// - Returns: whether it was missing.
        mutating func insert(_ member: Members) -> Bool {
            defer { formUnion(member) }
            return !contains(member)
        }
    }

    private static func set<Value>(_ value: inout Value, _ read: Value?) -> Bool {
        guard let read else { return false }
        value = read
        return true
    }
}

/// Parameters of a plain message.
package struct PlainParameters: Sendable {
    package enum Member: Hashable, Sendable {
        case text(String)
        case texts([String])
        case number(Int64)
        case flag(Bool)
    }

    /// As they stand there, each once.
    package private(set) var members: [(name: String, value: Member)] = []

    /// No method has as many.
    private static let most = 16

    /// - Returns: false where it is there already, or there are too many.
    fileprivate mutating func add(_ name: String, _ value: Member) -> Bool {
        guard members.count < Self.most, !members.contains(where: { $0.name == name }) else { return false }
        members.append((name, value))
        return true
    }
}

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
private struct PlainReader {
    let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0

    init(bytes: UnsafeBufferPointer<UInt8>) {
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

    var isAtEnd: Bool {
        mutating get { next() == nil }
    }

    private mutating func take(_ byte: UInt8) -> Bool {
        guard next() == byte else { return false }
        position += 1
        return true
    }

    mutating func object(_ member: (String, inout PlainReader) -> Bool) -> Bool {
        guard take(.brace) else { return false }
        if take(.closingBrace) { return true }
        repeat {
            guard let name = text(), take(.colon), member(name, &self) else { return false }
        } while take(.comma)
        return take(.closingBrace)
    }

    mutating func text() -> String? {
        guard take(.quote) else { return nil }
        let start = position
        while position < bytes.count {
            let byte = bytes[position]
            if byte == .quote {
                defer { position += 1 }
                return String(decoding: bytes[start..<position], as: UTF8.self)
            }
            guard byte >= 0x20, byte < 0x7F, byte != UInt8(ascii: "\\") else { return nil }
            position += 1
        }
        return nil
    }

    mutating func flag() -> Bool? {
        if take(word: "true") { return true }
        return take(word: "false") ? false : nil
    }

    private mutating func take(word: StaticString) -> Bool {
        guard next() != nil, bytes.count - position >= word.utf8CodeUnitCount else { return false }
        for place in 0..<word.utf8CodeUnitCount where bytes[position + place] != word.utf8Start[place] { return false }
        position += word.utf8CodeUnitCount
        return true
    }

    private mutating func number() -> Int64? {
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
            return parameters.add(name, member)
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
        guard take(.bracket) else { return nil }
        var texts: [String] = []
        if take(.closingBracket) { return texts }
        repeat {
            guard let text = text() else { return nil }
            texts.append(text)
        } while take(.comma)
        return take(.closingBracket) ? texts : nil
    }
}
