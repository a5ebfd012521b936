import RecordKeeping

/// Random values that favour extreme ones and repeat earlier ones.
struct RandomValues {
    var random: Random

    init(seed: UInt64) {
        random = Random(seed: seed)
    }

    mutating func flag() -> Bool { random.next() & 1 == 0 }

    mutating func below(_ bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

    mutating func element<Value>(of values: [Value]) -> Value { values[below(values.count)] }

    mutating func optional<Value>(_ value: (inout RandomValues) -> Value) -> Value? { flag() ? value(&self) : nil }

    mutating func list<Value>(_ max: Int, of value: (inout RandomValues) -> Value) -> [Value] {
        (0..<below(max + 1)).map { _ in value(&self) }
    }

    // MARK: Numbers and times

    mutating func anyNumber() -> Int64 {
        switch below(4) {
        case 0: element(of: [.min, .min + 1, -1, 0, 1, .max - 1, .max])
        case 1: Int64(bitPattern: random.next())
        default: Int64(below(5_000))
        }
    }

    mutating func number(within bound: Int64) -> Int64 {
        switch below(4) {
        case 0: element(of: [-bound, -1, 0, 1, bound])
        case 1: Int64(bitPattern: random.next()) % bound
        default: Int64(below(5_000))
        }
    }

    mutating func count() -> Int { Int(number(within: 1 << 53)) }

    mutating func wall() -> WallTime { WallTime(milliseconds: number(within: Limits.endOfTimes.milliseconds)) }

    mutating func instant() -> Instant {
        Instant(boot: BootTime(nanoseconds: number(within: 1 << 61)), wall: wall())
    }

    mutating func duration() -> Duration {
        flag() ? .nanoseconds(number(within: 1 << 61)) : .milliseconds(number(within: 1 << 40))
    }

    // MARK: Texts and addresses

    mutating func text() -> String {
        element(of: [
            "", "ip-api.com", "city", "Zürich", "Zu\u{308}rich", "\u{0}", "🇨🇭\u{1F3FD}", "東京",
            String(repeating: "x", count: 300), "text \(below(100))",
        ])
    }

    mutating func address() -> IPAddress {
        switch below(6) {
        case 0: IPAddress(v4: element(of: [0, .max]))
        case 1: IPAddress(high: element(of: [0, .max]), low: element(of: [0, .max]))
        case 2: IPAddress(high: 0x2001_0DB8_0000_0000, low: random.next())
        case 3: IPAddress(high: 0x2001_0DB8_0000_0000, low: UInt64(below(300)))
        case 4: IPAddress(v4: UInt32(truncatingIfNeeded: random.next()))
        default: IPAddress(v4: 0x0A00_0000 + UInt32(below(300)))
        }
    }

    mutating func name() -> HostName {
        let label = String(repeating: "a", count: 63)
        let text = element(of: ["example.org", "a", "\(label).\(label).\(label).example", "n\(below(50)).example"])
        guard let name = try? HostName(text) else { preconditionFailure("\(text) is a host name") }
        return name
    }

    mutating func kind<Value: CaseIterable>(_ type: Value.Type) -> Value { element(of: Array(type.allCases)) }
}
