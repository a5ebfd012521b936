package import Varlink

/// The method `Names`: the watched host names.
package enum Names {
    package struct Parameters: CallParameters {
        package static let names: Set<String> = ["names"]

        /// At most `Limits.watchedNames` names; nil for all.
        package var hostNames: [String]?

        package init(hostNames: [String]? = nil) {
            self.hostNames = hostNames
        }

        package init(_ members: CallMembers) throws(ServiceError) {
            hostNames = try members.texts("names")
        }

        private enum CodingKeys: String, CodingKey {
            case hostNames = "names"
        }
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var names: [Interface.Name]

        package init(names: [Interface.Name]) {
            self.names = names
        }
    }
}
