/// A value of the data section.
///
///     let value: MMDBValue = ["country": ["iso_code": "DE"], "location": ["latitude": 52.5]]
package enum MMDBValue: Sendable {
    case string(String)
    case double(Double)
    case boolean(Bool)
    case uint16(UInt16)
    case uint32(UInt32)
    case uint64(UInt64)
    /// Members are written in the order of their keys, so that equal maps have equal bytes.
    case map([String: MMDBValue])
    case array([MMDBValue])
    /// A value in the data section of the same builder: see `MMDBBuilder.store`.
    case stored(StoredValue)
    /// A map of stored members, in ascending order of their keys, each key once. It has the same bytes as a `map` with
    /// these members, and takes less time.
    case members([StoredMembers])

    /// Whether the value takes at most nine bytes and rarely occurs again: a pointer to it would save little.
    var isNumber: Bool {
        switch self {
        case .double, .uint16, .uint32, .uint64: true
        default: false
        }
    }
}

/// A value that a data section contains.
package struct StoredValue: Sendable {
    let offset: UInt32
    /// Number of values in it, with keys and itself.
    let valueCount: Int
    let textBytes: Int
    /// Number of levels of maps and arrays.
    let depth: Int
}

/// A key of maps that a data section contains: see `MMDBBuilder.store(key:)`.
package struct StoredKey: Sendable {
    let text: String
    /// The key, or a pointer to it, in the form in which maps contain it.
    let bytes: [UInt8]
}

/// Members of maps whose keys and values a data section contains: see `MMDBBuilder.store(members:)`.
package struct StoredMembers: Sendable {
    /// The keys and values, in the form in which maps contain them.
    let bytes: [UInt8]
    let count: Int
    /// Number of values, with keys.
    let valueCount: Int
    let textBytes: Int
    /// Number of levels of maps and arrays in the values.
    let depth: Int

    package var isEmpty: Bool { count == 0 }
}

extension MMDBValue: ExpressibleByStringLiteral, ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByDictionaryLiteral, ExpressibleByArrayLiteral
{
    package init(stringLiteral value: String) { self = .string(value) }
    package init(floatLiteral value: Double) { self = .double(value) }
    package init(booleanLiteral value: Bool) { self = .boolean(value) }
    package init(arrayLiteral elements: MMDBValue...) { self = .array(elements) }

    package init(dictionaryLiteral elements: (String, MMDBValue)...) {
        self = .map(Dictionary(elements) { _, last in last })
    }
}
