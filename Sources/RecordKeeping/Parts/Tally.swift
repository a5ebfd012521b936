/// How many entries there are of each sort, counted as they change, so that `Status` costs the same with a million.
struct Tally: Hashable, Sendable {
    /// What an entry counts as, as far as that is the entry's own affair.
    enum Category: Int, CaseIterable, Hashable, Sendable {
        case fresh, empty, stale
        /// Nothing is known and the address itself is at fault.
        case failed
        /// Nothing is known yet. Whether that is told as loading or failed depends on the way and the provider.
        case unknown
    }

    private(set) var watched = 0
    private(set) var cached = 0
    private(set) var pinned = 0
    /// Watched entries that are in the configuration or in a watch-list file.
    private(set) var listed = 0
    /// Watched entries that need calls: all but the special-purpose ones.
    private(set) var called = 0
    private var categories = [Int](repeating: 0, count: Category.allCases.count)

    func count(_ category: Category) -> Int { categories[category.rawValue] }

    mutating func add(_ slot: PackedSlot) { add(slot, times: 1) }
    mutating func remove(_ slot: PackedSlot) { add(slot, times: -1) }

    private mutating func add(_ slot: PackedSlot, times: Int) {
        categories[slot.category.rawValue] += times
        guard slot.isWatched else {
            cached += times
            return
        }
        watched += times
        if slot.isPinned { pinned += times }
        if slot.isByFile { listed += times }
        if !slot.isSpecialPurpose { called += times }
    }

    /// An entry counts as another than before.
    mutating func move(from old: Category, to new: Category) {
        categories[old.rawValue] -= 1
        categories[new.rawValue] += 1
    }
}
