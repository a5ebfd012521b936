import RecordKeeping
package import Varlink

/// The method `Show`: the entries of addresses, in the order of the call.
package enum Show {
    package struct Parameters: CallParameters {
        package static let names: Set<String> = ["addresses", "wait", "lookup"]

        package var addresses: [String]
        /// Maximum time to wait for new records, in milliseconds; nil for `defaultWait`.
        package var wait: Int64?
        /// Whether calls may be made; nil means true.
        package var lookup: Bool?

        package init(addresses: [String], wait: Int64? = nil, lookup: Bool? = nil) {
            self.addresses = addresses
            self.wait = wait
            self.lookup = lookup
        }

        package init(_ members: CallMembers) throws(ServiceError) {
            addresses = try members.required("addresses", members.texts)
            wait = try members.number("wait")
            lookup = try members.flag("lookup")
        }
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var entries: [Interface.Entry]
    }

    /// The wait if the call has none.
    package static let defaultWait = Duration.milliseconds(5_000)

    /// Returns the wait of a call.
    ///
    /// - Parameter milliseconds: the parameter `wait`, which is not negative.
    static func wait(milliseconds: Int64?) -> Duration {
        milliseconds.map { min(.milliseconds($0), Limits.maxWait) } ?? defaultWait
    }
}
