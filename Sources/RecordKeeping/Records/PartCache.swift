/// What many records have in common, as it was made lately: each found by the bytes that it was told with, so that nothing is
/// made, hashed and compared anew that came a moment ago. It has one place for each remainder, and so it never grows.
package struct PartCache<Value: Hashable & Sendable>: Sendable {
    private struct Known: Sendable {
        let key: [UInt8]
        let part: Shared<Value>
    }

    private var known: [Known?] = []
    private let most: Int

    /// In bytes. What is told with more is made anew each time: nothing here is ever forgotten.
    package static var longestKey: Int { 1_024 }

    /// - Parameter most: how many it keeps; a power of two.
    package init(most: Int) {
        precondition(most > 0 && most & (most - 1) == 0, "places are found by the last bits")
        self.most = most
    }

    /// - Parameters:
    ///   - key: all that decides what `make` makes.
    ///   - make: makes it, where it is not known.
    @specialized(where Value == Place)
    @specialized(where Value == Network)
    package mutating func part(of key: [UInt8], make: () throws -> Shared<Value>) rethrows -> Shared<Value> {
        guard key.count <= Self.longestKey else { return try make() }
        if known.isEmpty { known = Array(repeating: nil, count: most) }
        var hasher = Hasher()
        key.withUnsafeBytes { hasher.combine(bytes: $0) }
        let place = hasher.finalize() & (most - 1)
        if let found = known[place], found.key == key { return found.part }
        let part = try make()
        known[place] = Known(key: key, part: part)
        return part
    }
}
