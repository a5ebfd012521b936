/// Which entries of the watch list are wanted, and how many at a time.
package struct ListQuery: Hashable, Sendable {
    package var search: Search?
    package var state: EntryState?
    package var tag: String?
    package var pinned: Bool?
    /// Only entries whose record has changed at this time or later.
    package var changedSince: WallTime?
    /// After which entry to go on; nil from the beginning.
    package var after: ListCursor?
    /// Entries of one page, 1 to `Limits.entriesPerPage`.
    package var limit: Int
    /// One page after the other, to the end.
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

    /// Entries have to be looked at one by one to know how many match.
    package var isFiltering: Bool {
        search != nil || state != nil || tag != nil || changedSince != nil
    }
}

/// Entries of the watch list, in its order.
package struct ListPage: Hashable, Sendable {
    package var entries: [EntryView]
    /// Where the page that follows begins; nil on the last page.
    package var next: ListCursor?
    /// How many entries match, on all pages together, as of the first of them.
    package var total: Int
}

/// A place in the watch list: pinned entries first, then IPv4 before IPv6, then by value.
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

/// Where one page ended, so that the next goes on there, whatever has come and gone since: a key, and not a number of
/// entries to pass over.
///
/// It carries along what the first page counted, for counting takes a look at every entry.
package struct ListCursor: Hashable, Sendable, CustomStringConvertible {
    package var position: ListPosition
    /// How many entries matched; nil where that is to be counted anew.
    package var total: Int?

    package init(position: ListPosition, total: Int?) {
        self.position = position
        self.total = total
    }

    /// - Returns: nil for a text that is no cursor.
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
