/// The number of occurrences of each kind of event. A fault that never occurred has tested nothing.
package struct Coverage: Sendable {
    package private(set) var counts: [String: Int] = [:]

    package init() {}

    package mutating func count(_ name: String) {
        counts[name, default: 0] += 1
    }

    package mutating func merge(_ other: Coverage) {
        counts.merge(other.counts, uniquingKeysWith: +)
    }

    /// Returns the expected events that never occurred, so that their handling remains untested.
    package func missing(of expected: [String]) -> [String] {
        expected.filter { counts[$0] == nil }
    }
}
