package import RecordKeeping
package import Varlink

/// The method `Count`: the number of watched entries in each group, largest group first.
package enum Count {
    package struct Parameters: CallParameters {
        package static let names: Set<String> = ["by", "filter", "limit"]

        /// What the entries of a group have in common, as a `CountKey`.
        package var by: String
        package var filter: Interface.Filter?
        /// Maximum number of groups, 1 to `Limits.groups`; nil for `defaultLimit`.
        package var limit: Int64?

        package init(by: String, filter: Interface.Filter? = nil, limit: Int64? = nil) {
            self.by = by
            self.filter = filter
            self.limit = limit
        }

        package init(_ members: CallMembers) throws(ServiceError) {
            by = try members.required("by", members.text)
            filter = try members.filter("filter")
            limit = try members.number("limit")
        }
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var groups: [Interface.Group]
        /// The number of entries that match the filter.
        package var total: Int
        /// The number of entries in groups beyond the limit.
        package var others: Int

        package init(_ counted: GroupCounts) {
            self.init(
                groups: counted.groups.map { Interface.Group(key: $0.key, count: $0.count, lat: $0.lat, lon: $0.lon) },
                total: counted.total, others: counted.others)
        }

        package init(groups: [Interface.Group], total: Int, others: Int = 0) {
            self.groups = groups
            self.total = total
            self.others = others
        }
    }

    /// The limit if the call has none.
    package static let defaultLimit = 100
}

extension Interface {
    /// A group of entries.
    package struct Group: Codable, Hashable, Sendable {
        /// The common value as text; empty if the entries have none.
        package var key: String
        package var count: Int
        /// The coordinates of a place, in degrees; nil for other groups.
        package var lat: Double?
        package var lon: Double?

        package init(key: String, count: Int, lat: Double? = nil, lon: Double? = nil) {
            self.key = key
            self.count = count
            self.lat = lat
            self.lon = lon
        }
    }
}
