/// Encodes types as a ``Value``.
final class ValueEncoder: Encoder {
    /// A value, or the parts of one that is still being encoded.
    enum Result {
        case none
        case value(Value)
        case array([ValueEncoder])
        case object([String: ValueEncoder])

        /// The value. A type that encoded nothing is an object without members.
        var value: Value {
            switch self {
            case .none: .object([:])
            case .value(let value): value
            case .array(let elements): .array(elements.map(\.result.value))
            case .object(let members): .object(members.mapValues(\.result.value))
            }
        }
    }

    var result = Result.none
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(codingPath: [any CodingKey]) { self.codingPath = codingPath }

    func container<Key: CodingKey>(keyedBy _: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(EncodedMembers<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer { EncodedElements(encoder: self) }

    func singleValueContainer() -> any SingleValueEncodingContainer { EncodedSingle(encoder: self) }

    /// Returns the encoder of a member of the object that this encoder encodes.
    fileprivate func member(_ name: String) -> ValueEncoder {
        let member = ValueEncoder(codingPath: codingPath + [CodingPathStep(name)])
        var members: [String: ValueEncoder] = [:]
        if case .object(let earlier) = result {
            members = earlier
            result = .none
        }
        members[name] = member
        result = .object(members)
        return member
    }

    /// Returns the encoder of the next element of the array that this encoder encodes.
    fileprivate func element() -> ValueEncoder {
        var elements: [ValueEncoder] = []
        if case .array(let earlier) = result {
            elements = earlier
            result = .none
        }
        let element = ValueEncoder(codingPath: codingPath + [CodingPathStep(elements.count)])
        elements.append(element)
        result = .array(elements)
        return element
    }
}

private struct EncodedSingle: SingleValueEncodingContainer {
    let encoder: ValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil() { encoder.result = .value(.null) }
    func encode(_ flag: Bool) { encoder.result = .value(.bool(flag)) }
    func encode(_ text: String) { encoder.result = .value(.string(text)) }

    func encode(_ number: Double) throws {
        guard number.isFinite else { throw unencodable(number) }
        encoder.result = .value(.double(number))
    }

    func encode(_ number: Float) throws { try encode(Double(number)) }

    func encode<Number: FixedWidthInteger & Encodable>(_ number: Number) throws {
        guard let integer = Int64(exactly: number) else { throw unencodable(number) }
        encoder.result = .value(.int(integer))
    }

    func encode<Encoded: Encodable>(_ value: Encoded) throws { try value.encode(to: encoder) }

    private func unencodable(_ number: Any) -> EncodingError {
        .invalidValue(number, .init(codingPath: codingPath, debugDescription: "\(number) is not a number in JSON"))
    }
}

private struct EncodedMembers<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: ValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    init(encoder: ValueEncoder) {
        self.encoder = encoder
        // An object without members is also an object.
        if case .none = encoder.result { encoder.result = .object([:]) }
    }

    func encodeNil(forKey key: Key) { encoder.member(key.stringValue).result = .value(.null) }

    func encode<Encoded: Encodable>(_ value: Encoded, forKey key: Key) throws {
        try value.encode(to: encoder.member(key.stringValue))
    }

    func nestedContainer<NestedKey: CodingKey>(
        keyedBy type: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        encoder.member(key.stringValue).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        encoder.member(key.stringValue).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder.member("super") }

    func superEncoder(forKey key: Key) -> any Encoder { encoder.member(key.stringValue) }
}

private struct EncodedElements: UnkeyedEncodingContainer {
    let encoder: ValueEncoder
    var codingPath: [any CodingKey] { encoder.codingPath }

    var count: Int {
        if case .array(let elements) = encoder.result { elements.count } else { 0 }
    }

    init(encoder: ValueEncoder) {
        self.encoder = encoder
        // An array without elements is also an array.
        if case .none = encoder.result { encoder.result = .array([]) }
    }

    func encodeNil() { encoder.element().result = .value(.null) }

    func encode<Encoded: Encodable>(_ value: Encoded) throws { try value.encode(to: encoder.element()) }

    func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type) -> KeyedEncodingContainer<NestedKey> {
        encoder.element().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer { encoder.element().unkeyedContainer() }

    func superEncoder() -> any Encoder { encoder.element() }
}
