import Varlink

/// Reads the configuration and the watch-list files again.
package enum Reload {
    package struct Parameters: CallParameters {
        package static let names: Set<String> = ["force"]
        /// Whether a reading that finds no address in the watch-list files may remove their entries; nil means no.
        package var force: Bool?

        package init(force: Bool? = nil) {
            self.force = force
        }
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
