/// The watched addresses in the order in which they are listed.
///
/// What comes and goes is written down, and put in its place when somebody looks: a million additions cost one sort, and
/// nothing where nobody lists.
struct Catalogue: Sendable {
    private var pinned = SortedAddresses()
    private var others = SortedAddresses()

    mutating func insert(_ address: IPAddress, isPinned: Bool) {
        if isPinned { pinned.note(address, isIn: true) } else { others.note(address, isIn: true) }
    }

    mutating func remove(_ address: IPAddress, isPinned: Bool) {
        if isPinned { pinned.note(address, isIn: false) } else { others.note(address, isIn: false) }
    }

    /// The positions that follow, at most so many.
    ///
    /// - Parameters:
    ///   - position: where to go on; nil from the beginning.
    ///   - isPinned: only those that are pinned, or only those that are not; nil for both.
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

/// A sorted set of addresses that takes changes in bulk: IPv4 in four bytes each, for there are millions of them.
struct SortedAddresses: Sendable {
    private var v4: [UInt32] = []
    private var v6: [IPAddress] = []
    /// What has come and gone since, in order.
    private var pending: [(address: IPAddress, isIn: Bool)] = []

    /// So much is kept in mind before it is put in its place, though nobody looks: a share of all, so that each is moved a
    /// few times only.
    private var mostPending: Int { max(1 << 16, (v4.count + v6.count) / 8) }

    mutating func note(_ address: IPAddress, isIn: Bool) {
        pending.append((address, isIn))
        if pending.count > mostPending { settle() }
    }

    mutating func addresses(after address: IPAddress?, atMost count: Int) -> [IPAddress] {
        settle()
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

    private mutating func settle() {
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
            // The last that was said of it holds.
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
