/// The types of fields that this module writes, with their numbers (specification, "Output Data Section").
enum FieldType: UInt8 {
    case pointer = 1
    case string = 2
    case double = 3
    case uint16 = 5
    case uint32 = 6
    case map = 7
    case uint64 = 9
    case array = 11
    case boolean = 14
}

extension [UInt8] {
    /// Appends the bytes before the payload of a field: its type, and its size in bytes, members or elements.
    mutating func appendControl(_ type: FieldType, size: Int) {
        let code: UInt8
        let (extra, extraCount): (Int, Int)
        switch size {
        case ..<29: (code, extra, extraCount) = (UInt8(size), 0, 0)
        case ..<285: (code, extra, extraCount) = (29, size - 29, 1)
        case ..<65_821: (code, extra, extraCount) = (30, size - 285, 2)
        default: (code, extra, extraCount) = (31, size - 65_821, 3)
        }
        if type.rawValue <= 7 {
            append(type.rawValue << 5 | code)
        } else {
            append(code)
            append(type.rawValue - 7)
        }
        appendBytes(of: UInt64(extra), count: extraCount)
    }

    /// Appends an integer without leading zero bytes.
    mutating func appendInteger(_ type: FieldType, _ value: UInt64) {
        let count = (71 - value.leadingZeroBitCount) / 8
        appendControl(type, size: count)
        appendBytes(of: value, count: count)
    }

    /// Appends a pointer to an offset in the data section, in the shortest form.
    mutating func appendPointer(to offset: UInt32) {
        let control = FieldType.pointer.rawValue << 5
        switch offset {
        case ..<2_048:
            append(control | UInt8(offset >> 8))
            appendBytes(of: UInt64(offset), count: 1)
        case ..<526_336:
            append(control | 1 << 3 | UInt8((offset - 2_048) >> 16))
            appendBytes(of: UInt64(offset - 2_048), count: 2)
        case ..<134_744_064:
            append(control | 2 << 3 | UInt8((offset - 526_336) >> 24))
            appendBytes(of: UInt64(offset - 526_336), count: 3)
        default:
            append(control | 3 << 3)
            appendBytes(of: UInt64(offset), count: 4)
        }
    }

    /// Appends the least significant bytes of a number, the most significant of them first.
    @inline(__always)
    mutating func appendBytes(of number: UInt64, count: Int) {
        guard count > 0 else { return }
        let bytes = (number << UInt64(8 * (8 - count))).bigEndian
        Swift.withUnsafeBytes(of: bytes) { append(contentsOf: $0.prefix(count)) }
    }
}
