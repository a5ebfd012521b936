package import Varlink

/// The method `NameHistory`: the kept events of a host name, newest first.
package enum NameHistory {
    package struct Parameters: CallParameters {
        package static let names: Set<String> = ["name", "before", "limit"]

        package var name: String
        /// Only events with a smaller seq; nil for the newest.
        package var before: Int64?
        /// Maximum number of events in the reply, 1 to `Limits.changesPerPage`; nil for `defaultLimit`.
        package var limit: Int64?

        package init(name: String, before: Int64? = nil, limit: Int64? = nil) {
            (self.name, self.before, self.limit) = (name, before, limit)
        }

        package init(_ members: CallMembers) throws(ServiceError) {
            name = try members.required("name", members.text)
            before = try members.number("before")
            limit = try members.number("limit")
        }
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var events: [Interface.Event]

        package init(events: [Interface.Event]) {
            self.events = events
        }
    }

    /// The limit if the call has none.
    package static let defaultLimit = 100
}
