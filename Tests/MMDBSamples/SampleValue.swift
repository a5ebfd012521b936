/// A value of a test's database, which may violate the format.
package indirect enum SampleValue {
    case string(String)
    case double(Double)
    case float(Float)
    case uint16(UInt16)
    case uint32(UInt32)
    case uint64(UInt64)
    case int32(Int32)
    case bytes([UInt8])
    case boolean(Bool)
    case map([(String, SampleValue)])
    case array([SampleValue])
    /// A pointer of four bytes to an offset of the data section.
    case pointer(Int)
    /// Encoded bytes, written unchanged.
    case raw([UInt8])

    /// The value in the MaxMind DB format, "Data Field Format".
    package var encoded: [UInt8] {
        switch self {
        case .string(let text): Self.control(2, text.utf8.count) + Array(text.utf8)
        case .double(let number): Self.control(3, 8) + Self.bigEndian(number.bitPattern, 8)
        case .float(let number): Self.control(15, 4) + Self.bigEndian(UInt64(number.bitPattern), 4)
        case .uint16(let number): Self.control(5, 2) + Self.bigEndian(UInt64(number), 2)
        case .uint32(let number): Self.control(6, 4) + Self.bigEndian(UInt64(number), 4)
        case .uint64(let number): Self.control(9, 8) + Self.bigEndian(number, 8)
        case .int32(let number): Self.control(8, 4) + Self.bigEndian(UInt64(UInt32(bitPattern: number)), 4)
        case .bytes(let bytes): Self.control(4, bytes.count) + bytes
        case .boolean(let flag): Self.control(14, flag ? 1 : 0)
        case .map(let members):
            members.reduce(Self.control(7, members.count)) { $0 + SampleValue.string($1.0).encoded + $1.1.encoded }
        case .array(let elements): elements.reduce(Self.control(11, elements.count)) { $0 + $1.encoded }
        case .pointer(let offset): [0b0011_1000] + Self.bigEndian(UInt64(offset), 4)
        case .raw(let bytes): bytes
        }
    }

    package static func control(_ type: UInt8, _ size: Int) -> [UInt8] {
        let long: [UInt8] =
            switch size {
            case ..<29: []
            case ..<285: [UInt8(size - 29)]
            case ..<65_821: bigEndian(UInt64(size - 285), 2)
            default: bigEndian(UInt64(size - 65_821), 3)
            }
        let low = size < 29 ? UInt8(size) : 28 + UInt8(long.count)
        return type < 8 ? [type << 5 | low] + long : [low, type - 7] + long
    }

    package static func bigEndian(_ number: UInt64, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
}

extension SampleValue: ExpressibleByStringLiteral, ExpressibleByFloatLiteral, ExpressibleByDictionaryLiteral,
    ExpressibleByArrayLiteral, ExpressibleByBooleanLiteral
{
    package init(stringLiteral text: String) { self = .string(text) }
    package init(floatLiteral number: Double) { self = .double(number) }
    package init(dictionaryLiteral members: (String, SampleValue)...) { self = .map(members) }
    package init(arrayLiteral elements: SampleValue...) { self = .array(elements) }
    package init(booleanLiteral flag: Bool) { self = .boolean(flag) }
}
