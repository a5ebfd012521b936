package import Varlink

/// The method `Refresh`: immediately retries entries that are not fresh, without waiting for their backoff.
package enum Refresh {
    package struct Parameters: CallParameters {
        package static let names: Set<String> = ["addresses"]

        /// Nil for all entries of the watch list.
        package var addresses: [String]?

        package init(addresses: [String]?) {
            self.addresses = addresses
        }

        package init(_ members: CallMembers) throws(ServiceError) {
            addresses = try members.texts("addresses")
        }
    }

    package struct Reply: Codable, Hashable, Sendable {
        /// The number of entries for which a call is due now.
        package var scheduled: Int
        /// The number of other entries: fresh entries, and addresses in special-purpose ranges.
        package var fresh: Int

        package init(scheduled: Int, fresh: Int) {
            self.scheduled = scheduled
            self.fresh = fresh
        }
    }
}
