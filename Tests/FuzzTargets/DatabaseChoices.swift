import MMDBWriter

/// Networks and values that are selected by bytes. After the last byte, the choice is always the first.
struct DatabaseChoices {
    private var rest: ArraySlice<UInt8>

    init(_ input: [UInt8]) { rest = input[...] }

    var isEmpty: Bool { rest.isEmpty }

    private mutating func next() -> UInt8 { rest.popFirst() ?? 0 }

    private mutating func element<Element>(of elements: [Element]) -> Element {
        elements[Int(next()) % elements.count]
    }

    mutating func aliases() -> Set<MMDBAlias> { element(of: [[], [.mapped], [.sixToFour], [.mapped, .sixToFour]]) }

    /// Whether the next value is stored on its own before it is inserted.
    mutating func isPart() -> Bool { next() % 2 == 1 }

    /// Returns a network close to the interesting places of the address space, so that many are nested or neighbours.
    mutating func network() throws -> MMDBNetwork {
        var address = element(of: Self.starts)
        for _ in 0..<next() % 4 { address ^= 1 << UInt128(next() % 128) }
        let length = Int(next())
        return try MMDBNetwork(address: address, prefixLength: length <= 128 ? length : 128 - length % 8)
    }

    private static let starts: [UInt128] = [
        0, 0x0A00_0000, 0xFFFF << 32, 0xFFFF_0A00_0000, 0x2002 << 112, 0x2002_0A00 << 96, 0x2001_0DB8 << 96,
        0x2001 << 112, .max,
    ]

    /// - Parameter depth: the number of maps and arrays around the value.
    mutating func value(depth: Int) -> MMDBValue {
        switch next() % (depth < 4 ? 9 : 7) {
        case 0: return .string(text())
        case 1: return .double(Double(bitPattern: bits()))
        case 2: return .boolean(next() % 2 == 1)
        case 3: return .uint16(UInt16(truncatingIfNeeded: bits()))
        case 4: return .uint32(UInt32(truncatingIfNeeded: bits()))
        case 5: return .uint64(bits())
        case 6: return next() % 2 == 0 ? [:] : []
        case 7: return .array((0..<count()).map { _ in value(depth: depth + 1) })
        default:
            var members: [String: MMDBValue] = [:]
            for _ in 0..<count() { members[text()] = value(depth: depth + 1) }
            return .map(members)
        }
    }

    private mutating func count() -> Int { [0, 1, 2, 3, 28, 29, 30][Int(next()) % 7] }

    private mutating func text() -> String {
        // Around the sizes that take more bytes.
        let lengths = [0, 1, 2, 3, 4, 5, 28, 29, 30, 284, 285, 286, 65_820, 65_821]
        return String(repeating: element(of: ["a", "b", "\u{0}", "ü", "東", "🇩🇪"]), count: element(of: lengths))
    }

    private mutating func bits() -> UInt64 {
        let extremes: [UInt64] = [0, 1, 255, 256, 65_535, 65_536, 1 << 32 - 1, 1 << 32, 1 << 63, 0x7FF0 << 48, .max]
        return element(of: extremes) &+ UInt64(next())
    }
}
