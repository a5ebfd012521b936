package import Varlink

/// The method `Monitor`: events as they happen, or all events after a cursor.
package enum Monitor {
    package struct Parameters: CallParameters {
        package static let names: Set<String> = ["after", "kinds", "addresses", "names", "fields", "tags", "filter"]

        /// Kept events with a larger seq are sent first; nil for new events only.
        package var after: Int64?
        /// The raw values of `PublishedEvent.Kind` to send; nil for all.
        package var kinds: [String]?
        /// Only events of these addresses or `hostNames` are sent; if both are nil, the events of all. Events about the
        /// route and the provider are always sent.
        package var addresses: [String]?
        package var hostNames: [String]?
        /// The raw values of `Record.Field`: of the `changed` events, only those in which one of these fields changed
        /// are sent; nil for all.
        package var fields: [String]?
        /// Only events of entries that have one of these tags are sent; nil for all. Events about the route and the
        /// provider are always sent, those about a host name itself are not.
        package var tags: [String]?
        /// Only events of entries that match the filter are sent; nil for all. The exceptions are the same as for
        /// `tags`.
        package var filter: Interface.Filter?

        package init(
            after: Int64?, kinds: [String]? = nil, addresses: [String]? = nil,
            hostNames: [String]? = nil, fields: [String]? = nil, tags: [String]? = nil, filter: Interface.Filter? = nil
        ) {
            self.after = after
            self.kinds = kinds
            self.addresses = addresses
            self.hostNames = hostNames
            self.fields = fields
            self.tags = tags
            self.filter = filter
        }

        package init(_ members: CallMembers) throws(ServiceError) {
            after = try members.number("after")
            kinds = try members.texts("kinds")
            addresses = try members.texts("addresses")
            hostNames = try members.texts("names")
            fields = try members.texts("fields")
            tags = try members.texts("tags")
            filter = try members.filter("filter")
        }

        private enum CodingKeys: String, CodingKey {
            case after, kinds, addresses, fields, tags, filter
            case hostNames = "names"
        }
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var event: Interface.Event

        package init(event: Interface.Event) {
            self.event = event
        }
    }
}
