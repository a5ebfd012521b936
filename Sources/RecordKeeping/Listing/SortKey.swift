/// The order of a list by a field of the records.
package struct FieldOrder: Hashable, Sendable {
    package var field: Record.Field
    package var isDescending: Bool

    package init(_ field: Record.Field, isDescending: Bool = false) {
        self.field = field
        self.isDescending = isDescending
    }
}

/// The value of a record's field by which the list is ordered.
package enum SortValue: Hashable, Comparable, Sendable {
    /// A number, or a flag as 0 or 1.
    case number(Double)
    case text(String)
    /// There is no value. Such entries come last in either order.
    case missing

    init(_ value: Record.Value?) {
        switch value {
        case .text(let text): self = .text(text)
        case .number(let number): self = .number(Double(number))
        case .degrees(let degrees): self = .number(degrees)
        case .flag(let flag): self = .number(flag ? 1 : 0)
        case nil: self = .missing
        }
    }

    /// Returns whether this value comes before another one.
    ///
    /// - Parameter isDescending: whether higher values come first.
    package func precedes(_ other: SortValue, isDescending: Bool) -> Bool {
        let isReversed = isDescending && self != .missing && other != .missing
        return isReversed ? other < self : self < other
    }
}

/// A position in the list that is ordered by a field: pinned entries first, then by the value of the field, and entries
/// with the same value by address. All keys of a list have the same direction.
struct SortKey: Comparable, Sendable {
    var value: SortValue
    var position: ListPosition
    /// Whether higher values come first.
    var isDescending = false

    static func < (a: SortKey, b: SortKey) -> Bool {
        if a.position.isPinned != b.position.isPinned { return a.position.isPinned }
        if a.value == b.value { return a.position < b.position }
        return a.value.precedes(b.value, isDescending: a.isDescending)
    }
}

/// The lowest keys of those that were added, in bounded memory.
struct LowestKeys: Sendable {
    /// Only keys above this one are added; nil if all are.
    private let start: SortKey?
    private let capacity: Int
    private var keys: [SortKey] = []
    /// The highest of the lowest keys, if some keys were dropped.
    private var end: SortKey?

    /// - Parameters:
    ///   - start: only keys above this one are added.
    ///   - capacity: at least 1; at least this many of the lowest keys are kept.
    init(after start: SortKey?, capacity: Int) {
        self.start = start
        self.capacity = capacity
    }

    /// Whether all keys fit within the capacity.
    var isComplete: Bool { end == nil }

    mutating func add(_ key: SortKey) {
        if let start, key <= start { return }
        if let end, key > end { return }
        keys.append(key)
        // Sorting twice as many keys at once halves the time per key.
        if keys.count == 2 * capacity { prune() }
    }

    /// Returns the lowest keys in ascending order, at most `capacity`.
    mutating func sorted() -> ArraySlice<SortKey> {
        if keys.count > capacity { prune() } else { keys.sort() }
        return keys[...]
    }

    private mutating func prune() {
        keys.sort()
        keys.removeLast(keys.count - capacity)
        end = keys.last
    }
}
