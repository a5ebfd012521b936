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
