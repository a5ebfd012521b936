package import RecordKeeping

/// Draws of the kinds that plans and simulated worlds need.
extension Random {
    /// - Parameter probability: from 0 (never) to 1 (always).
    package mutating func chance(_ probability: Double) -> Bool {
        Double.random(in: 0..<1, using: &self) < probability
    }

    package mutating func number(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &self)
    }

    /// Returns a random duration within the bounds. The upper bound is first halved a random number of times, which
    /// makes short durations more frequent than in a uniform distribution.
    package mutating func duration(_ minimum: Duration, _ maximum: Duration) -> Duration {
        var bound = maximum.wholeNanoseconds
        let minimum = max(1, minimum.wholeNanoseconds)
        while bound / 2 > minimum, chance(0.5) { bound /= 2 }
        return .nanoseconds(Int64.random(in: minimum...max(minimum, bound), using: &self))
    }

    package mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[number(0...(elements.count - 1))]
    }
}
