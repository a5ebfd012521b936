import Varlink

/// What changed in an entry's record, newest first.
package enum History {
    package struct Parameters: CallParameters {
        package static let names: Set<String> = ["address", "before", "limit"]

        package var address: String
        /// Only changes with a smaller seq.
        package var before: Int64?
        /// At least 1; the daemon takes `defaultLimit` where it is left out, and no more than `Limits.changesPerPage`.
        package var limit: Int64?

        package init(address: String, before: Int64? = nil, limit: Int64? = nil) {
            self.address = address
            self.before = before
            self.limit = limit
        }
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var changes: [Interface.Change]

        package init(changes: [Interface.Change]) {
            self.changes = changes
        }
    }

    /// Where the client does not say.
    package static let defaultLimit = 100
}
