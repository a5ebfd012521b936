/// The decoded control bytes of a value in a data section (https://maxmind.github.io/MaxMind-DB/, "Data Field Format").
struct ValueHeader {
    enum Kind: Int {
        case pointer = 1
        case string, double, bytes, uint16, uint32, map, int32, uint64, uint128, array
        case boolean = 14
        case float
    }

    let kind: Kind
    /// The number of bytes, of elements, or of pairs; for a Boolean, the value; for a pointer, its target.
    let size: Int
    /// The offset of the first byte after the control bytes; for a pointer, of the first byte after the pointer.
    let end: Int

    /// The sizes that the lowest five bits cannot express: the number of additional bytes, and the smallest size.
    private static let longSizes = [29: (bytes: 1, base: 29), 30: (bytes: 2, base: 285), 31: (bytes: 3, base: 65_821)]
    /// The smallest target of a pointer, by the number of its bytes minus one.
    private static let pointerBases = [0, 2_048, 526_336, 0]

    init(_ section: Span<UInt8>, at offset: Int) throws(DataProblem) {
        let control = Int(try Self.number(section, at: offset, count: 1))
        var end = offset + 1
        var type = control >> 5
        if type == 0 {
            type = 7 + Int(try Self.number(section, at: end, count: 1))
            end += 1
        }
        guard let kind = Kind(rawValue: type) else { throw .invalidType(type) }
        self.kind = kind
        if kind == .pointer {
            let count = (control >> 3 & 3) + 1
            let low = Int(try Self.number(section, at: end, count: count))
            let high = count == 4 ? 0 : (control & 7) << (8 * count)
            size = high + low + Self.pointerBases[count - 1]
            self.end = end + count
        } else if let long = Self.longSizes[control & 31] {
            size = long.base + Int(try Self.number(section, at: end, count: long.bytes))
            self.end = end + long.bytes
        } else {
            size = control & 31
            self.end = end
        }
    }

    /// Returns the big-endian number of at most eight bytes at an offset.
    static func number(_ section: Span<UInt8>, at offset: Int, count: Int) throws(DataProblem) -> UInt64 {
        guard offset >= 0, count <= section.count, offset <= section.count - count else { throw .outOfBounds }
        var number: UInt64 = 0
        for index in offset..<offset + count { number = number << 8 | UInt64(section[index]) }
        return number
    }
}
