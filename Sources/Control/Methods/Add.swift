package import RecordKeeping
package import Varlink

/// The method `Add`: puts addresses on the watch list.
package enum Add {
    package struct Parameters: CallParameters {
        package static let names: Set<String> = ["addresses", "tags", "note", "until"]

        package var addresses: [String]
        package var tags: [String]?
        package var note: String?
        /// The time at which the watch ends by itself, in Unix milliseconds; nil if it does not.
        package var until: Int64?

        package init(addresses: [String], tags: [String]?, note: String?, until: Int64? = nil) {
            self.addresses = addresses
            self.tags = tags
            self.note = note
            self.until = until
        }

        package init(_ members: CallMembers) throws(ServiceError) {
            addresses = try members.required("addresses", members.texts)
            tags = try members.texts("tags")
            note = try members.text("note")
            until = try members.number("until")
        }
    }

    package struct Reply: Codable, Hashable, Sendable {
        /// The number of addresses that were not on the watch list.
        package var added: Int
        /// The number of addresses that were already on the watch list.
        package var already: Int
        /// The number of watches that had an end, and no longer end by themselves; nil if there are none.
        package var endsRemoved: Int?
        /// The number of watches that end later than `until`, or not at all; nil if there are none.
        package var endsKept: Int?

        package init(added: Int, already: Int, ends: WatchEndCounts) {
            (self.added, self.already) = (added, already)
            endsRemoved = ends.removed == 0 ? nil : ends.removed
            endsKept = ends.kept == 0 ? nil : ends.kept
        }
    }
}
