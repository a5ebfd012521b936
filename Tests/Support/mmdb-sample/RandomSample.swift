import MMDBWriter
import RecordKeeping

/// A generator of networks and values with the extremes that a database can hold. A seed determines all of them.
struct RandomSample {
    static let metadata = MMDBMetadata(
        databaseType: "iprecord-Sample", description: ["en": "Sample", "de": "Muster – Größe"],
        languages: ["de", "en"], buildEpoch: 1_700_000_000)

    private var generator: Random
    /// Earlier values, some of which occur again.
    private var pool: [MMDBValue] = []

    init(seed: UInt64) { generator = Random(seed: seed) }

    // MARK: Networks

    /// Returns networks in random order: neighbours, nested ones, the same ones again, and IPv4 in several notations.
    mutating func networks(_ count: Int) throws -> [(MMDBNetwork, MMDBValue)] {
        var networks: [(MMDBNetwork, MMDBValue)] = []
        while networks.count < count {
            let network = try network()
            networks.append((network, value()))
            // Hosts beside each other, with equal and with other values.
            for step in 0..<UInt128(below(4) == 0 ? below(20) : 0) {
                let host = try MMDBNetwork(address: network.address &+ step, prefixLength: 128)
                networks.append((host, below(2) == 0 ? networks[networks.count - 1].1 : value()))
            }
        }
        return networks
    }

    private mutating func network() throws -> MMDBNetwork {
        let random = UInt128(next()) << 64 | UInt128(next())
        let starts: [(UInt128, Int)] = [
            (0, 96), (0, 96), (0, 96), (0xFFFF << 32, 96), (0x0A00_0000, 112), (0x2001_0DB8 << 96, 32),
            (0x2000 << 112, 3),
            (0x2001_0DB8 << 96, 120), (0, 0), (.max, 120),
        ]
        let (start, bits) = starts[below(starts.count)]
        // Where all random bits are used, few networks are nested.
        let host = bits == 0 ? random : random & (UInt128.max >> UInt128(bits))
        // One network in a thousand is larger than the ranges above.
        let length = below(10) > 0 ? 128 : below(100) == 0 ? below(bits + 1) : bits + below(129 - bits)
        return try MMDBNetwork(address: start ^ host, prefixLength: length)
    }

    // MARK: Values

    private mutating func value() -> MMDBValue {
        if below(3) == 0, !pool.isEmpty { return pool[below(pool.count)] }
        let value = below(20) == 0 ? anyValue(depth: 0) : record()
        if pool.count < 200 { pool.append(value) } else { pool[below(200)] = value }
        return value
    }

    /// A value with the members of a GeoIP2 City database.
    private mutating func record() -> MMDBValue {
        [
            "city": ["names": ["en": .string(text())]],
            "country": ["iso_code": .string(["DE", "US", "FR"][below(3)]), "names": ["en": .string(text())]],
            "location": ["latitude": .double(number()), "longitude": .double(number())],
            "autonomous_system_number": .uint32(UInt32(truncatingIfNeeded: integer())),
            "iprecord": [
                "scanned_at": .uint64(integer()), "proxy": .boolean(below(2) == 0),
                "tags": .array((0..<below(4)).map { _ in .string(text()) }),
            ],
            text(): anyValue(depth: 1),
        ]
    }

    private mutating func anyValue(depth: Int) -> MMDBValue {
        switch below(depth < 5 ? 11 : 8) {
        case 0, 1: return .string(text())
        case 2: return .double(number())
        case 3: return .boolean(below(2) == 0)
        case 4: return .uint16(UInt16(truncatingIfNeeded: integer()))
        case 5: return .uint32(UInt32(truncatingIfNeeded: integer()))
        case 6: return .uint64(integer())
        case 7: return below(2) == 0 ? [:] : []
        case 8:
            let levels = below(50) == 0 ? 100 : 1
            let inner = anyValue(depth: depth + 1)
            return (0..<levels).reduce(inner) { value, level in level % 2 == 0 ? [value] : ["k": value] }
        case 9:
            // Around the sizes that take more bytes.
            let count = [1, 2, 28, 29, 30, 284, 285, 286][below(depth == 0 ? 8 : 2)]
            return .array((0..<count).map { _ in below(2) == 0 ? .uint16(5) : .string(text()) })
        default:
            let count = [1, 2, 3, 28, 29, 30, 285][below(depth == 0 ? 7 : 3)]
            var members: [String: MMDBValue] = [:]
            for index in 0..<count { members["\(index)" + text()] = anyValue(depth: depth + 2) }
            return .map(members)
        }
    }

    private mutating func text() -> String {
        switch below(12) {
        case 0: return ""
        case 1: return ["x", "\"", "\\", " ", "\n", "\u{0}", "\u{7F}", "%s%n"][below(8)]
        case 2: return ["Zürich", "Zu\u{308}rich", "東京", "القاهرة", "🇩🇪👨‍👩‍👧", "\u{10FFFF}\u{202E}"][below(6)]
        case 3:
            let lengths = [27, 28, 29, 30, 283, 284, 285, 286]
            return String(repeating: "y", count: lengths[below(lengths.count)])
        case 4 where below(200) == 0:
            let lengths = [65_819, 65_820, 65_821, 65_822, 400_000]
            return String(repeating: "z", count: lengths[below(lengths.count)])
        default: return "name \(below(1_000))"
        }
    }

    private mutating func number() -> Double {
        let extremes: [Double] = [
            0, -0.0, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, -.greatestFiniteMagnitude, 0.1, 180, -90,
        ]
        let index = below(15)
        return index < extremes.count ? extremes[index] : Double(below(3_600_000)) / 10_000 - 180
    }

    private mutating func integer() -> UInt64 {
        let extremes: [UInt64] = [0, 1, 255, 256, 65_535, 65_536, 1 << 24 - 1, 1 << 24, 1 << 32 - 1, 1 << 32, .max]
        let index = below(20)
        return index < extremes.count ? extremes[index] : next() >> UInt64(below(64))
    }

    // MARK: Random numbers

    private mutating func next() -> UInt64 { generator.next() }

    private mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }
}

extension MMDBValue {
    /// The value as a text in ASCII that shows types and bits, with members sorted by key.
    var typedText: String {
        switch self {
        case .string(let text): return Self.hexadecimal(text)
        case .double(let number): return "d\(String(number.bitPattern, radix: 16))"
        case .boolean(let flag): return flag ? "t" : "f"
        case .uint16(let number): return "h\(number)"
        case .uint32(let number): return "i\(number)"
        case .uint64(let number): return "l\(number)"
        case .map(let members):
            let sorted = members.map { (Self.hexadecimal($0.key), $0.value.typedText) }.sorted { $0.0 < $1.0 }
            return "{" + sorted.map { $0.0 + "=" + $0.1 }.joined(separator: ",") + "}"
        case .array(let elements): return "[" + elements.map(\.typedText).joined(separator: ",") + "]"
        case .stored, .members: return "stored"
        }
    }

    private static func hexadecimal(_ text: String) -> String {
        let digits = Array("0123456789abcdef")
        return "s" + String(text.utf8.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
