/// The filters, the order and the page of a `List` request.
package struct ListQuery: Hashable, Sendable {
    /// Filters that combine with AND.
    package var filters: [EntryFilter]
    /// The order of the entries, after pinned entries; nil for the order of the addresses.
    package var sort: FieldOrder?
    /// The cursor to continue after; nil for the first page.
    package var after: ListCursor?
    /// Maximum number of entries per page, 1 to `Limits.entriesPerPage`.
    package var limit: Int
    /// Whether the reply consists of all remaining pages instead of one.
    package var isWhole: Bool

    package init(
        filters: [EntryFilter] = [], sort: FieldOrder? = nil, after: ListCursor? = nil, limit: Int,
        isWhole: Bool = false
    ) {
        self.filters = filters
        self.sort = sort
        self.after = after
        self.limit = limit
        self.isWhole = isWhole
    }

    /// Whether the number of matches is known only after checking each entry. `isPinned` alone needs no such check,
    /// because pinned entries are counted as they change.
    package var isFiltering: Bool {
        filters.contains { $0.hasOtherConditions } || Set(filters.compactMap(\.isPinned)).count > 1
    }

    /// The value of `EntryFilter.isPinned` in the first filter that has this condition; nil if there is none.
    var isPinned: Bool? { filters.lazy.compactMap(\.isPinned).first }
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
    /// The order of the list, and the value of its field at the position.
    package struct Sort: Hashable, Sendable {
        package var order: FieldOrder
        package var value: SortValue

        package init(_ order: FieldOrder, value: SortValue) {
            self.order = order
            self.value = value
        }
    }

    package var position: ListPosition
    /// Number of matching entries; nil if they must be counted again.
    package var total: Int?
    /// nil if the list is in the order of the addresses.
    package var sort: Sort?

    package init(position: ListPosition, total: Int?, sort: Sort? = nil) {
        self.position = position
        self.total = total
        self.sort = sort
    }

    /// The key in the order of the list; nil if the list is in the order of the addresses.
    var key: SortKey? {
        sort.map { SortKey(value: $0.value, position: position, isDescending: $0.order.isDescending) }
    }

    /// Parses a cursor in the form of `description`. Returns nil for any other string.
    package init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count == 3 || parts.count == 5, ["pinned", "listed"].contains(parts[0]),
            let address = try? IPAddress(parts[1])
        else { return nil }
        let total = Int(parts[2])
        guard parts[2].isEmpty || total.map({ $0 >= 0 }) ?? false else { return nil }
        self.init(position: ListPosition(isPinned: parts[0] == "pinned", address: address), total: total)
        guard parts.count == 5 else { return }
        guard let order = FieldOrder(cursor: parts[3]), let value = SortValue(cursor: parts[4]) else { return nil }
        sort = Sort(order, value: value)
    }

    package var description: String {
        let text = "\(position.isPinned ? "pinned" : "listed")/\(position.address)/\(total.map { "\($0)" } ?? "")"
        return sort.map { "\(text)/\($0.order.cursorText)/\($0.value.cursorText)" } ?? text
    }
}

extension FieldOrder {
    /// The order in a cursor: the name of the field, after a hyphen if the order is descending.
    fileprivate var cursorText: String { "\(isDescending ? "-" : "")\(field.rawValue)" }

    fileprivate init?(cursor text: Substring) {
        let isDescending = text.hasPrefix("-")
        guard let field = Record.Field(rawValue: String(isDescending ? text.dropFirst() : text)) else { return nil }
        self.init(field, isDescending: isDescending)
    }
}

extension SortValue {
    /// The value in a cursor, which begins with the letter of its type.
    fileprivate var cursorText: String {
        switch self {
        case .number(let number): "n\(number)"
        case .text(let text): "t\(text)"
        case .missing: "m"
        }
    }

    fileprivate init?(cursor text: Substring) {
        // A character of the value may combine with the letter.
        let rest = Substring(text.unicodeScalars.dropFirst())
        switch text.unicodeScalars.first {
        case "t": self = .text(String(rest))
        case "m" where rest.isEmpty: self = .missing
        case "n":
            guard let number = Double(rest), !number.isNaN else { return nil }
            self = .number(number)
        default: return nil
        }
    }
}
