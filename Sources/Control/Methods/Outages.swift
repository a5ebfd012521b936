import Varlink

/// The times during which no record could be had, newest first.
package enum Outages {
    package struct Parameters: CallParameters {
        package static let names: Set<String> = ["before", "limit"]

        /// Unix milliseconds: only outages that began earlier.
        package var before: Int64?
        /// At least 1; the daemon takes `defaultLimit` where it is left out, and no more than `Limits.outagesPerPage`.
        package var limit: Int64?

        package init(before: Int64? = nil, limit: Int64? = nil) {
            self.before = before
            self.limit = limit
        }
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var outages: [Interface.Outage]

        package init(outages: [Interface.Outage]) {
            self.outages = outages
        }
    }

    /// Where the client does not say.
    package static let defaultLimit = 100
}
