/// What happened in runs, and how often: a fault that never fired has proved nothing.
package struct Coverage: Sendable {
    package private(set) var counts: [String: Int] = [:]

    package init() {}

    mutating func count(_ name: String) {
        counts[name, default: 0] += 1
    }

    package mutating func merge(_ other: Coverage) {
        counts.merge(other.counts, uniquingKeysWith: +)
    }
}
