/// Identifies an interned value among the values of its kind. While the process runs, an id stands for only one value,
/// so other modules may use it as the key of a cache.
package struct InternID: Hashable, Sendable {
    /// The index in the interner; 0 stands for no value. Indices are small and dense, and are reused.
    package let index: UInt32
    /// The interner's generation, which changes when indices are reused.
    package let generation: UInt32

    /// The id that stands for no value.
    package static let none = InternID(index: 0, generation: 0)

    init(index: UInt32, generation: Int) {
        self.index = index
        self.generation = UInt32(truncatingIfNeeded: generation)
    }
}

/// The ids of the values that an entry shares with others.
package struct InternedIDs: Hashable, Sendable {
    /// The tags and the note; nil if the entry has neither.
    package let label: InternID?
    package let place: InternID
    package let network: InternID
    package let provider: InternID
}
