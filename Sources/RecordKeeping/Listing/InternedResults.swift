/// The results of one function for the values of one interner. The function is called once per value, however many
/// entries share the value.
struct InternedResults<Result: Sendable>: Sendable {
    private var known: [Result?] = []
    private var generation = 0
    private let isCaching: Bool

    /// Maximum number of cached results. Clients decide how many requests run at once, so the memory that each request
    /// uses is bounded: 128 KiB for results of one byte, 1 MiB for groups, and 3 MiB for values to sort by.
    private static var maximum: Int { 1 << 17 }

    /// - Parameter isCaching: whether results are cached. For a single entry, a cache costs more than it saves.
    init(isCaching: Bool = true) {
        self.isCaching = isCaching
    }

    /// Returns the cached result for a value, or computes and caches it.
    ///
    /// While the generation of the interner stays the same, an index does not stand for two values, so results remain
    /// valid between turns.
    ///
    /// - Parameter compute: called only if there is no cached result.
    mutating func of<Value>(_ index: UInt32, in interner: Interner<Value>, _ compute: () -> Result) -> Result {
        // In a larger interner, nearly every entry has a value of its own, so a cache would save little.
        guard isCaching, interner.bound <= Self.maximum else { return compute() }
        if generation != interner.generation {
            known = []
            generation = interner.generation
        }
        if known.count < interner.bound {
            known += repeatElement(nil, count: interner.bound - known.count)
        }
        if let result = known[Int(index)] { return result }
        let result = compute()
        known[Int(index)] = result
        return result
    }
}

extension InternedResults<Bool> {
    /// Returns whether a value matches; false if there is no value.
    mutating func matches<Value>(
        _ index: UInt32, in interner: Interner<Value>, _ isMatch: (Value) -> Bool
    ) -> Bool {
        of(index, in: interner) { interner[index].map(isMatch) ?? false }
    }
}
