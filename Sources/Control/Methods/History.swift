package import Varlink

/// The method `History`: the changes of a record, newest first.
package enum History {
    package struct Parameters: CallParameters {
        package static let names: Set<String> = ["address", "before", "limit"]

        package var address: String
        /// Only changes with a smaller seq; nil for all.
        package var before: Int64?
        /// Maximum number of changes in the reply, 1 to `Limits.changesPerPage`; nil for `defaultLimit`.
        package var limit: Int64?

        package init(address: String, before: Int64? = nil, limit: Int64? = nil) {
            self.address = address
            self.before = before
            self.limit = limit
        }

        package init(_ members: CallMembers) throws(ServiceError) {
            address = try members.required("address", members.text)
            before = try members.number("before")
            limit = try members.number("limit")
        }
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var changes: [Interface.Change]

        package init(changes: [Interface.Change]) {
            self.changes = changes
        }
    }

    /// The limit if the call has none.
    package static let defaultLimit = 100
}
