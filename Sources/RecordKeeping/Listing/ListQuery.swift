/// The filters and the page of a `List` request. Filters combine with AND.
package struct ListQuery: Hashable, Sendable {
    package var search: Search?
    package var state: EntryState?
    package var tag: String?
    package var pinned: Bool?
    /// Selects the entries whose record changed at this time or later.
    package var changedSince: WallTime?
    /// The cursor to continue after; nil for the first page.
    package var after: ListCursor?
    /// Maximum number of entries per page, 1 to `Limits.entriesPerPage`.
    package var limit: Int
    /// Whether the reply consists of all remaining pages instead of one.
    package var isWhole: Bool

    package init(
        search: Search? = nil, state: EntryState? = nil, tag: String? = nil, pinned: Bool? = nil,
        changedSince: WallTime? = nil, after: ListCursor? = nil, limit: Int, isWhole: Bool = false
    ) {
        self.search = search
        self.state = state
        self.tag = tag
        self.pinned = pinned
        self.changedSince = changedSince
        self.after = after
        self.limit = limit
        self.isWhole = isWhole
    }

    /// Whether the number of matches is known only after checking each entry. `pinned` alone needs no such check,
    /// because pinned entries are counted as they change.
    package var isFiltering: Bool {
        search != nil || state != nil || tag != nil || changedSince != nil
    }
}

/// One page of the watch list, in list order.
package struct ListPage: Hashable, Sendable {
    package var entries: [EntryView]
    /// The cursor of the next page; nil on the last page.
    package var next: ListCursor?
    /// Number of matching entries on all pages. If filters make a count necessary, the entries are counted once, for
    /// the first page.
    package var total: Int
}

/// A position in the watch list. Pinned entries come first, then IPv4 before IPv6, then lower addresses.
package struct ListPosition: Hashable, Comparable, Sendable {
    package var isPinned: Bool
    package var address: IPAddress

    package init(isPinned: Bool, address: IPAddress) {
        self.isPinned = isPinned
        self.address = address
    }

    package static func < (a: ListPosition, b: ListPosition) -> Bool {
        if a.isPinned != b.isPinned { return a.isPinned }
        if a.address.family != b.address.family { return a.address.family == .v4 }
        return a.address < b.address
    }
}

/// The position at which a page ends. It is a key and not an offset, so that additions and removals between two pages
/// do not make the next page skip or repeat other entries.
///
/// It includes the total of the first page, so that the entries are not counted again for each page.
package struct ListCursor: Hashable, Sendable, CustomStringConvertible {
    package var position: ListPosition
    /// Number of matching entries; nil if they must be counted again.
    package var total: Int?

    package init(position: ListPosition, total: Int?) {
        self.position = position
        self.total = total
    }

    /// Parses a cursor in the form of `description`. Returns nil for any other string.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, ["pinned", "listed"].contains(parts[0]), let address = try? IPAddress(parts[1]) else {
            return nil
        }
        let total = Int(parts[2])
        guard parts[2].isEmpty || total.map({ $0 >= 0 }) ?? false else { return nil }
        self.init(position: ListPosition(isPinned: parts[0] == "pinned", address: address), total: total)
    }

    package var description: String {
        "\(position.isPinned ? "pinned" : "listed")/\(position.address)/\(total.map { "\($0)" } ?? "")"
    }
}
