package import RecordKeeping
package import Varlink

/// The method `Remove`: removes addresses from the watch list.
package enum Remove {
    package struct Parameters: CallParameters {
        package static let names: Set<String> = ["addresses", "dryRun"]

        package var addresses: [String]
        package var dryRun: Bool?

        package init(addresses: [String], dryRun: Bool? = nil) {
            (self.addresses, self.dryRun) = (addresses, dryRun)
        }

        package init(_ members: CallMembers) throws(ServiceError) {
            addresses = try members.required("addresses", members.texts)
            dryRun = try members.flag("dryRun")
        }
    }

    package struct Reply: Codable, Hashable, Sendable {
        /// The number of addresses that left the watch list.
        package var removed: Int
        /// The first addresses of the request that stay on the watch list, because a file lists them; nil if there are
        /// none.
        package var staying: [String]?

        package init(removed: Int, staying: [IPAddress]) {
            self.removed = removed
            self.staying = staying.isEmpty ? nil : staying.map(\.description)
        }
    }
}
