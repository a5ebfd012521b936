/// A store of values that many holders share. It keeps one copy of each value, with a reference count, and identifies
/// the value by a small index.
///
/// The index 0 stands for no value.
package struct Interner<Value: Internable>: Sendable {
    private struct Holding: Sendable {
        let value: Value
        var holders: Int32
    }

    private var holdings: [Holding?] = [nil]
    private var indices: [Value: UInt32] = [:]
    /// A direct-mapped cache of the indices of `Interned` values, by their identity. It avoids hashing long values.
    private var recent: [UInt32] = []
    /// The last index returned for a value that is not `Interned`.
    private var last: UInt32 = 0
    /// Indices that new values may reuse.
    private var reusable: [UInt32] = []
    /// Indices whose value has been released. They become reusable together, when there are many of them.
    private var freed: [UInt32] = []
    /// The generation. It changes whenever an index may stand for a different value than before.
    private(set) var generation = 0

    /// One more than the largest index that was ever in use.
    var bound: Int { holdings.count }

    subscript(index: UInt32) -> Value? {
        holdings[Int(index)]?.value
    }

    /// The value of an id that was obtained after the last change to the interner. The generation is not checked.
    package subscript(id: InternID) -> Value? { self[id.index] }

    /// Replaces the value that an index stands for, and adjusts the reference counts; nil stands for no value.
    mutating func replace(_ index: inout UInt32, by value: Value?) {
        switch (self[index], value) {
        case (nil, nil): return
        case (let old?, let new?) where old.isExactly(new): return
        default: break
        }
        release(index)
        index = value.map { hold($0) } ?? 0
    }

    /// Adds a reference to a value, and returns its index.
    private mutating func hold(_ value: Value) -> UInt32 {
        guard let identity = value.internedIdentity else { return holdUnshared(value) }
        if recent.isEmpty { recent = Array(repeating: 0, count: Self.recentCount) }
        // Object addresses are multiples of 16.
        let place = Int((identity >> 4) % UInt(Self.recentCount))
        let last = Int(recent[place])
        if holdings[last]?.value.internedIdentity == identity {
            holdings[last]?.holders += 1
            return UInt32(last)
        }
        let index = add(value)
        // If an equal value was stored first, that copy is kept, and the index does not belong to this identity.
        if holdings[Int(index)]?.value.internedIdentity == identity { recent[place] = index }
        return index
    }

    /// Adds a reference to a value that is not `Interned`. Nearly all entries have the same value, so the last value is
    /// checked first.
    private mutating func holdUnshared(_ value: Value) -> UInt32 {
        if holdings[Int(last)]?.value.isExactly(value) == true {
            holdings[Int(last)]?.holders += 1
        } else {
            last = add(value)
        }
        return last
    }

    private static var recentCount: Int { 4_096 }

    private mutating func add(_ value: Value) -> UInt32 {
        let known = indices[value]
        if let known, holdings[Int(known)]?.value.isExactly(value) == true {
            holdings[Int(known)]?.holders += 1
            return known
        }
        let holding = Holding(value: value, holders: 1)
        let index = reusableIndex() ?? UInt32(holdings.count)
        if Int(index) == holdings.count { holdings.append(holding) } else { holdings[Int(index)] = holding }
        // Values that are equal, but differ in their bytes (canonically equivalent strings), are rare. The second value
        // is stored, but later lookups do not find it.
        if known == nil { indices[value] = index }
        return index
    }

    /// Removes a reference, and frees the value if that was the last reference.
    private mutating func release(_ index: UInt32) {
        guard let holding = holdings[Int(index)] else { return }
        guard holding.holders == 1 else {
            holdings[Int(index)]?.holders -= 1
            return
        }
        holdings[Int(index)] = nil
        if indices[holding.value] == index { indices[holding.value] = nil }
        freed.append(index)
    }

    /// Returns an index to reuse; nil if there is none. Indices become reusable in bulk, so that `generation` changes
    /// rarely.
    private mutating func reusableIndex() -> UInt32? {
        if reusable.isEmpty, freed.count > max(1_024, bound / 8) {
            swap(&freed, &reusable)
            generation += 1
        }
        return reusable.popLast()
    }
}

/// A value that an interner can keep.
package protocol Internable: Hashable, Sendable {
    /// Returns whether both values are identical byte for byte. Canonically equivalent strings are equal, but their
    /// bytes may differ.
    func isExactly(_ other: Self) -> Bool

    /// The identity of the shared copy, unique while that copy exists; nil if the value is not `Interned`.
    var internedIdentity: UInt? { get }
}

extension Internable {
    package var internedIdentity: UInt? { nil }
}

extension String: Internable {
    package func isExactly(_ other: String) -> Bool {
        let areSame = utf8.withContiguousStorageIfAvailable { mine in
            other.utf8.withContiguousStorageIfAvailable { mine.count == $0.count && mine.elementsEqual($0) }
        }
        return (areSame ?? nil) ?? utf8.elementsEqual(other.utf8)
    }
}

extension [String?] {
    fileprivate func areExactly(_ others: [String?]) -> Bool {
        count == others.count
            && zip(self, others).allSatisfy { mine, other in
                guard let mine, let other else { return mine == other }
                return mine.isExactly(other)
            }
    }
}

extension Place: Internable {
    package func isExactly(_ other: Place) -> Bool { self == other && texts.areExactly(other.texts) }
}

extension Network: Internable {
    package func isExactly(_ other: Network) -> Bool { self == other && texts.areExactly(other.texts) }
}

extension Interned: Internable where Value: Internable {
    package var internedIdentity: UInt? { identity }

    package func isExactly(_ other: Interned) -> Bool { isSame(as: other) || value.isExactly(other.value) }
}

extension WatchLabel: Internable {
    package func isExactly(_ other: WatchLabel) -> Bool {
        self == other && (tags + [note]).areExactly(other.tags + [other.note])
    }
}
