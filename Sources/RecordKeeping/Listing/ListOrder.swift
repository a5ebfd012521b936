/// The watched addresses in list order: pinned addresses first, then IPv4 before IPv6, then by value.
///
/// Insertions and removals are collected, and merged in bulk when the list is read or many of them are pending. A
/// million additions cost a few merges, not a million insertions into a sorted array.
struct ListOrder: Sendable {
    private var pinned = SortedAddresses()
    private var others = SortedAddresses()

    mutating func insert(_ address: IPAddress, isPinned: Bool) {
        if isPinned { pinned.note(address, isIn: true) } else { others.note(address, isIn: true) }
    }

    /// - Parameter isPinned: the value with which the address was inserted.
    mutating func remove(_ address: IPAddress, isPinned: Bool) {
        if isPinned { pinned.note(address, isIn: false) } else { others.note(address, isIn: false) }
    }

    /// Returns the next positions in list order, at most `count`.
    ///
    /// - Parameters:
    ///   - position: the position to continue after; nil for the beginning.
    ///   - isPinned: true for pinned addresses only, false for the others only, nil for both.
    mutating func positions(after position: ListPosition?, isPinned: Bool?, atMost count: Int) -> [ListPosition] {
        var found: [ListPosition] = []
        if isPinned != false, position?.isPinned != false {
            found += pinned.addresses(after: position?.address, atMost: count).map {
                ListPosition(isPinned: true, address: $0)
            }
        }
        if isPinned != true, found.count < count {
            let start = position?.isPinned == false ? position?.address : nil
            found += others.addresses(after: start, atMost: count - found.count).map {
                ListPosition(isPinned: false, address: $0)
            }
        }
        return found
    }
}

/// A sorted set of addresses that is changed in bulk. IPv4 addresses take four bytes each, because there may be
/// millions.
struct SortedAddresses: Sendable {
    private var v4: [UInt32] = []
    private var v6: [IPAddress] = []
    /// Insertions and removals that are not merged yet, oldest first.
    private var pending: [(address: IPAddress, isIn: Bool)] = []

    /// Number of pending changes above which they are merged even if the set is not read. It grows with the set, so
    /// that each element is moved only a few times.
    private var maxPending: Int { max(1 << 16, (v4.count + v6.count) / 8) }

    /// Records an insertion or a removal.
    ///
    /// - Parameter isIn: whether the address is in the set from now on.
    mutating func note(_ address: IPAddress, isIn: Bool) {
        pending.append((address, isIn))
        if pending.count > maxPending { applyPending() }
    }

    /// Returns the addresses after the given one in ascending order, at most `count`; nil stands for the beginning.
    mutating func addresses(after address: IPAddress?, atMost count: Int) -> [IPAddress] {
        applyPending()
        var found: [IPAddress] = []
        if address.map({ $0.family == .v4 }) ?? true {
            let start = address?.v4.map { Self.index(after: $0, in: v4) } ?? 0
            found += v4[start...].prefix(count).map { IPAddress(v4: $0) }
        }
        guard found.count < count else { return found }
        let start = address?.family == .v6 ? address.map { Self.index(after: $0, in: v6) } ?? 0 : 0
        return found + v6[start...].prefix(count - found.count)
    }

    private static func index<Element: Comparable>(after element: Element, in sorted: [Element]) -> Int {
        var (low, high) = (0, sorted.count)
        while low < high {
            let middle = (low + high) / 2
            if sorted[middle] <= element { low = middle + 1 } else { high = middle }
        }
        return low
    }

    // MARK: Merging

    private mutating func applyPending() {
        guard !pending.isEmpty else { return }
        var small: [Change<UInt32>] = []
        var large: [Change<IPAddress>] = []
        small.reserveCapacity(pending.count)
        for (order, (address, isIn)) in pending.enumerated() {
            if let v4 = address.v4 {
                small.append(Change(element: v4, order: Int32(order), isIn: isIn))
            } else {
                large.append(Change(element: address, order: Int32(order), isIn: isIn))
            }
        }
        pending = []
        if !small.isEmpty { v4 = Self.merged(v4, small.sorted()) }
        if !large.isEmpty { v6 = Self.merged(v6, large.sorted()) }
    }

    private struct Change<Element: Comparable>: Comparable {
        let element: Element
        let order: Int32
        let isIn: Bool

        static func < (a: Change, b: Change) -> Bool {
            a.element == b.element ? a.order < b.order : a.element < b.element
        }
    }

    private static func merged<Element: Comparable>(
        _ sorted: [Element], _ changes: [Change<Element>]
    ) -> [Element] {
        var merged: [Element] = []
        merged.reserveCapacity(sorted.count + changes.count)
        var old = sorted[...]
        for (index, change) in changes.enumerated() {
            // Only the last change to an element counts.
            if index + 1 < changes.count, changes[index + 1].element == change.element { continue }
            let passed = old.prefix { $0 < change.element }
            merged += passed
            old = old[passed.endIndex...]
            if old.first == change.element { old.removeFirst() }
            if change.isIn { merged.append(change.element) }
        }
        return merged + old
    }
}
