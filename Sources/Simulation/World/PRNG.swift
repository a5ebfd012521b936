import RecordKeeping

/// A source of random values, all derived from one seed.
struct PRNG: Sendable {
    private var random: Random

    init(seed: UInt64) {
        random = Random(seed: seed)
    }

    /// - Parameter probability: from 0 (never) to 1 (always).
    mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &random) < probability
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &random)
    }

    /// Returns a random duration within the bounds. The upper bound is first halved a random number of times, which
    /// makes short durations more frequent than in a uniform distribution.
    mutating func duration(_ minimum: Duration, _ maximum: Duration) -> Duration {
        var bound = maximum.wholeNanoseconds
        let minimum = max(1, minimum.wholeNanoseconds)
        while bound / 2 > minimum, chance(0.5) { bound /= 2 }
        return .nanoseconds(Int64.random(in: minimum...max(minimum, bound), using: &random))
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[number(0...(elements.count - 1))]
    }

    mutating func shuffled<Element>(_ elements: [Element]) -> [Element] {
        elements.shuffled(using: &random)
    }

    mutating func seed() -> UInt64 { random.next() }
}
