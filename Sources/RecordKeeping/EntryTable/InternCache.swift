/// A cache of recently created shared values, keyed by the bytes from which they are decoded. Frequent values are found
/// without being decoded, hashed and compared again.
///
/// The cache is direct-mapped: the hash of a key determines its place, and a new value replaces the old one there, so
/// the cache never grows.
package struct InternCache<Value: Hashable & Sendable>: Sendable {
    private struct Known: Sendable {
        let key: [UInt8]
        let value: Interned<Value>
    }

    private var known: [Known?] = []
    private let maximum: Int

    /// Maximum length of a cached key, in bytes. A value with a longer key is created on each use, because a cached
    /// value may stay for the lifetime of the cache.
    package static var maxKeyBytes: Int { 1_024 }

    /// - Parameter maximum: the number of places; a power of two. Memory is allocated on the first use.
    package init(maximum: Int) {
        precondition(maximum > 0 && maximum & (maximum - 1) == 0, "the number of places must be a power of two")
        self.maximum = maximum
    }

    /// Returns the cached value for a key, or creates and caches it.
    ///
    /// - Parameters:
    ///   - key: the bytes that fully determine the result of `make`.
    ///   - make: creates the value if it is not cached.
    @specialized(where Value == Place)
    @specialized(where Value == Network)
    package mutating func value(of key: [UInt8], make: () throws -> Interned<Value>) rethrows -> Interned<Value> {
        guard key.count <= Self.maxKeyBytes else { return try make() }
        if known.isEmpty { known = Array(repeating: nil, count: maximum) }
        var hasher = Hasher()
        key.withUnsafeBytes { hasher.combine(bytes: $0) }
        let place = hasher.finalize() & (maximum - 1)
        if let found = known[place], found.key == key { return found.value }
        let value = try make()
        known[place] = Known(key: key, value: value)
        return value
    }
}
