package import Varlink

/// The method `RemoveNames`: ends the watch of host names.
package enum RemoveNames {
    package struct Parameters: CallParameters {
        package static let names: Set<String> = ["names"]

        /// At most `Limits.namesPerRequest` names.
        package var hostNames: [String]

        package init(hostNames: [String]) {
            self.hostNames = hostNames
        }

        package init(_ members: CallMembers) throws(ServiceError) {
            hostNames = try members.required("names", members.texts)
        }

        private enum CodingKeys: String, CodingKey {
            case hostNames = "names"
        }
    }

    package struct Reply: Codable, Hashable, Sendable {
        /// The number of names that are no longer watched.
        package var removed: Int

        package init(removed: Int) {
            self.removed = removed
        }
    }
}
