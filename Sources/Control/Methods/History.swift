package import Varlink

/// The method `History`: the changes of records, newest first, in pages.
package enum History {
    package struct Parameters: CallParameters {
        package static let names: Set<String> = [
            "address", "addresses", "filter", "since", "until", "fields", "old", "new", "before", "limit",
        ]

        // At most one of these selects entries; without them, the changes of all watched entries are returned.
        package var address: String?
        package var addresses: [String]?
        package var filter: Interface.Filter?

        /// Unix times in milliseconds: only changes in this period, which includes both times.
        package var since: Int64?
        package var until: Int64?
        /// Raw values of `Record.Field`: only changes of these fields; nil for all.
        package var fields: [String]?
        /// Only fields that changed from exactly this value; an empty string stands for no value, and nil for any.
        package var old: String?
        /// Only fields that changed to exactly this value; an empty string stands for no value, and nil for any.
        package var new: String?
        /// `next` of the previous page; nil for the first page.
        package var before: Int64?
        /// Maximum number of changes in the reply, 1 to `Limits.changesPerPage`; nil for `defaultLimit`.
        package var limit: Int64?

        package init(
            address: String? = nil, addresses: [String]? = nil, filter: Interface.Filter? = nil, since: Int64? = nil,
            until: Int64? = nil, fields: [String]? = nil, old: String? = nil, new: String? = nil,
            before: Int64? = nil, limit: Int64? = nil
        ) {
            self.address = address
            self.addresses = addresses
            self.filter = filter
            self.since = since
            self.until = until
            self.fields = fields
            self.old = old
            self.new = new
            self.before = before
            self.limit = limit
        }

        package init(_ members: CallMembers) throws(ServiceError) {
            address = try members.text("address")
            addresses = try members.texts("addresses")
            filter = try members.filter("filter")
            since = try members.number("since")
            until = try members.number("until")
            fields = try members.texts("fields")
            old = try members.text("old")
            new = try members.text("new")
            before = try members.number("before")
            limit = try members.number("limit")
        }
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var changes: [Interface.Change]
        /// The value of `before` for the next page; nil on the last page.
        package var next: Int64?

        package init(changes: [Interface.Change], next: Int64? = nil) {
            self.changes = changes
            self.next = next
        }
    }

    /// The limit if the call has none.
    package static let defaultLimit = 100
}
