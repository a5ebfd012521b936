import JSON

/// A call in plain JSON: ASCII strings without escapes, integers, and parameters nested no deeper than lists of
/// strings. Nearly all calls have this form.
///
/// Reading such a call takes a twentieth of the time of `JSONDecoder`. For any other message the initializer returns
/// nil, and the caller decodes it. The fuzzer checks that both readers agree on plain messages.
struct PlainMessage: Sendable {
    private(set) var method = ""
    private(set) var more = false
    private(set) var oneway = false
    private(set) var upgrade = false
    private(set) var parameters = PlainParameters()

    /// - Parameter maxTexts: the maximum number of strings in the lists of all parameters together. A message with more
    ///   strings is not plain.
    init?(_ message: ArraySlice<UInt8>, maxTexts: Int = .max) {
        let isPlain = message.withUnsafeBufferPointer { bytes in
            var reader = PlainReader(bytes: bytes)
            return read(&reader, maxTexts: maxTexts) && reader.isAtEnd
        }
        guard isPlain, !method.isEmpty else { return nil }
    }

    private mutating func read(_ reader: inout PlainReader, maxTexts: Int) -> Bool {
        var seen = Members()
        return reader.object { name, reader in
            if name.reads("method") { return seen.insert(.method) && Self.set(&method, reader.plainText()?.string) }
            if name.reads("more") { return seen.insert(.more) && Self.set(&more, reader.flag()) }
            if name.reads("oneway") { return seen.insert(.oneway) && Self.set(&oneway, reader.flag()) }
            if name.reads("upgrade") { return seen.insert(.upgrade) && Self.set(&upgrade, reader.flag()) }
            guard name.reads("parameters") else { return false }
            return seen.insert(.parameters) && Self.set(&parameters, reader.parameters(maxTexts: maxTexts))
        }
    }

    private static func set<Value>(_ value: inout Value, _ read: Value?) -> Bool {
        guard let read else { return false }
        value = read
        return true
    }
}

/// The parameters of a plain message.
package struct PlainParameters: Sendable {
    package enum Member: Hashable, Sendable {
        case text(String)
        case texts([String])
        case number(Int64)
        case flag(Bool)
    }

    /// The parameters in the order of the message; each name occurs once.
    package private(set) var members: [(name: String, value: Member)] = []

    /// The maximum number of parameters; every method has fewer.
    private static let maximum = 16

    /// Adds a parameter; returns false if its name occurs twice or there are too many.
    mutating func add(_ name: String, _ value: Member) -> Bool {
        guard members.count < Self.maximum, !members.contains(where: { $0.name == name }) else { return false }
        members.append((name, value))
        return true
    }
}

/// The members of a message that have been read. A message in which a member occurs twice is not plain.
private struct Members: OptionSet {
    var rawValue: UInt8 = 0

    static let method = Members(rawValue: 1)
    static let more = Members(rawValue: 2)
    static let oneway = Members(rawValue: 4)
    static let upgrade = Members(rawValue: 8)
    static let parameters = Members(rawValue: 16)

    /// Marks a member as read; returns false if it was already marked.
    mutating func insert(_ member: Members) -> Bool {
        defer { formUnion(member) }
        return !contains(member)
    }
}

extension PlainReader {
    fileprivate mutating func parameters(maxTexts: Int) -> PlainParameters? {
        var parameters = PlainParameters()
        var textsLeft = maxTexts
        let isPlain = object { name, reader in
            guard let member = reader.member(maxTexts: textsLeft) else { return false }
            if case .texts(let texts) = member { textsLeft -= texts.count }
            return parameters.add(name.string, member)
        }
        return isPlain ? parameters : nil
    }

    private mutating func member(maxTexts: Int) -> PlainParameters.Member? {
        switch next() {
        case UInt8(ascii: "\""): plainText().map { .text($0.string) }
        case UInt8(ascii: "["): texts(max: maxTexts).map { .texts($0) }
        case UInt8(ascii: "t"), UInt8(ascii: "f"): flag().map { .flag($0) }
        default: number().map { .number($0) }
        }
    }

    private mutating func texts(max: Int) -> [String]? {
        var texts: [String] = []
        let isPlain = array { reader in
            guard texts.count < max, let text = reader.plainText() else { return false }
            texts.append(text.string)
            return true
        }
        return isPlain ? texts : nil
    }
}
