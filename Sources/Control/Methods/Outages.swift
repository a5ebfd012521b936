package import Varlink

/// The method `Outages`: the periods without new records, newest first.
package enum Outages {
    package struct Parameters: CallParameters {
        package static let names: Set<String> = ["before", "limit"]

        /// Unix time in milliseconds: only outages that began earlier; nil for all.
        package var before: Int64?
        /// Maximum number of outages in the reply, 1 to `Limits.outagesPerPage`; nil for `defaultLimit`.
        package var limit: Int64?

        package init(before: Int64? = nil, limit: Int64? = nil) {
            self.before = before
            self.limit = limit
        }

        package init(_ members: CallMembers) throws(ServiceError) {
            before = try members.number("before")
            limit = try members.number("limit")
        }
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var outages: [Interface.Outage]

        package init(outages: [Interface.Outage]) {
            self.outages = outages
        }
    }

    /// The limit if the call has none.
    package static let defaultLimit = 100
}
