package import RecordKeeping
package import Varlink

/// The method `List`: the entries of the watch list that match all given filters, in pages.
package enum List {
    package struct Parameters: CallParameters {
        package static let names: Set<String> = [
            "search", "state", "tag", "pinned", "changedSince", "filter", "sort", "descending", "after", "limit",
        ]

        /// A CIDR block that contains the address, or a text that occurs, ignoring case, in the address, the tags, the
        /// note or any string of the record.
        package var search: String?
        /// The raw value of an `EntryState`.
        package var state: String?
        package var tag: String?
        package var pinned: Bool?
        /// Unix time in milliseconds: only entries whose record has changed at that time or later.
        package var changedSince: Int64?
        /// Further conditions.
        package var filter: Interface.Filter?
        /// The raw value of a `Record.Field`, by which the entries are ordered, pinned entries first; nil for the order
        /// of their addresses.
        package var sort: String?
        /// Whether the order of `sort` is reversed. Pinned entries still come first, and entries without a value last.
        package var descending: Bool?
        /// `next` of the previous page; nil for the first page.
        package var after: String?
        /// Maximum number of entries per page, 1 to `Limits.entriesPerPage`; nil for `defaultLimit`.
        package var limit: Int64?

        package init(
            search: String? = nil, state: String? = nil, tag: String? = nil, pinned: Bool? = nil,
            changedSince: Int64? = nil, filter: Interface.Filter? = nil, sort: String? = nil,
            descending: Bool? = nil, after: String? = nil, limit: Int64? = nil
        ) {
            self.search = search
            self.state = state
            self.tag = tag
            self.pinned = pinned
            self.changedSince = changedSince
            self.filter = filter
            self.sort = sort
            self.descending = descending
            self.after = after
            self.limit = limit
        }

        package init(_ members: CallMembers) throws(ServiceError) {
            search = try members.text("search")
            state = try members.text("state")
            tag = try members.text("tag")
            pinned = try members.flag("pinned")
            changedSince = try members.number("changedSince")
            filter = try members.filter("filter")
            sort = try members.text("sort")
            descending = try members.flag("descending")
            after = try members.text("after")
            limit = try members.number("limit")
        }
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var entries: [Interface.Entry]
        /// The value of `after` for the next page; nil on the last page.
        package var next: String?
        /// The total number of matching entries on all pages.
        package var total: Int

        package init(_ page: ListPage) {
            self.init(
                entries: page.entries.map { Interface.Entry($0) }, next: page.next?.description, total: page.total)
        }

        package init(entries: [Interface.Entry], next: String?, total: Int) {
            self.entries = entries
            self.next = next
            self.total = total
        }
    }

    /// The limit if the call has none.
    package static let defaultLimit = 100
}
