package import Varlink

/// The method `Reload`: reads the configuration and the watch-list files again.
package enum Reload {
    package struct Parameters: CallParameters {
        package static let names: Set<String> = ["force"]
        /// Whether a reload that finds no address in the watch-list files may remove their entries; nil means false.
        package var force: Bool?

        package init(force: Bool? = nil) {
            self.force = force
        }

        package init(_ members: CallMembers) throws(ServiceError) {
            force = try members.flag("force")
        }
    }

    package struct Reply: Codable, Hashable, Sendable {
        /// The number of addresses that the reload added to the watch list.
        package var added: Int
        /// The number of addresses that the reload removed from the watch list.
        package var removed: Int

        package init(added: Int, removed: Int) {
            self.added = added
            self.removed = removed
        }
    }
}
