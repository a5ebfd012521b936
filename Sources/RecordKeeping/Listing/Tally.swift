/// The number of entries of each kind, updated with each change, so that `Status` takes constant time.
struct Tally: Hashable, Sendable {
    /// The category of an entry, as far as it depends on the entry alone.
    enum Category: Int, CaseIterable, Hashable, Sendable {
        case fresh, empty, stale
        /// There is no answer, and the last call failed because of the address itself.
        case failed
        /// There is no answer yet. The state is reported as loading or failed, depending on the route and the provider.
        case unknown
    }

    private(set) var watched = 0
    /// Entries that were looked up and are not watched.
    private(set) var cached = 0
    private(set) var pinned = 0
    /// Watched entries that are in the configuration or in a watch-list file.
    private(set) var listed = 0
    /// Watched entries that need calls: all except special-purpose addresses.
    private(set) var called = 0
    private var categories = [Int](repeating: 0, count: Category.allCases.count)
    private var watchedCategories = [Int](repeating: 0, count: Category.allCases.count)

    /// The number of watched and cached entries of a category.
    func count(_ category: Category) -> Int { categories[category.rawValue] }

    /// The number of watched entries of a category.
    func watched(_ category: Category) -> Int { watchedCategories[category.rawValue] }

    mutating func add(_ slot: PackedSlot) { add(slot, times: 1) }
    mutating func remove(_ slot: PackedSlot) { add(slot, times: -1) }

    private mutating func add(_ slot: PackedSlot, times: Int) {
        categories[slot.category.rawValue] += times
        guard slot.isWatched else {
            cached += times
            return
        }
        watched += times
        watchedCategories[slot.category.rawValue] += times
        if slot.isPinned { pinned += times }
        if slot.isByFile { listed += times }
        if !slot.isSpecialPurpose { called += times }
    }

    /// Moves one entry from one category to another.
    mutating func move(from old: Category, to new: Category, isWatched: Bool) {
        categories[old.rawValue] -= 1
        categories[new.rawValue] += 1
        guard isWatched else { return }
        watchedCategories[old.rawValue] -= 1
        watchedCategories[new.rawValue] += 1
    }
}
