import Varlink

/// Reads the configuration and the watch-list files again.
package enum Reload {
    package struct Parameters: CallParameters {
        package static let names: Set<String> = []
        package init() {}
    }

    package struct Reply: Codable, Hashable, Sendable {
        /// How many addresses are on the watch list that were not.
        package var added: Int
        /// How many have left it.
        package var removed: Int

        package init(added: Int, removed: Int) {
            self.added = added
            self.removed = removed
        }
    }
}
