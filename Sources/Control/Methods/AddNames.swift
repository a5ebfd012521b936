package import Varlink

/// The method `AddNames`: watches host names.
package enum AddNames {
    package struct Parameters: CallParameters {
        package static let names: Set<String> = ["names", "tags", "note"]

        /// At most `Limits.namesPerRequest` names.
        package var hostNames: [String]
        package var tags: [String]?
        package var note: String?

        package init(hostNames: [String], tags: [String]?, note: String?) {
            (self.hostNames, self.tags, self.note) = (hostNames, tags, note)
        }

        package init(_ members: CallMembers) throws(ServiceError) {
            hostNames = try members.required("names", members.texts)
            tags = try members.texts("tags")
            note = try members.text("note")
        }

        private enum CodingKeys: String, CodingKey {
            case tags, note
            case hostNames = "names"
        }
    }

    package struct Reply: Codable, Hashable, Sendable {
        /// The number of names that were not watched.
        package var added: Int
        /// The number of names that were watched already.
        package var already: Int

        package init(added: Int, already: Int) {
            (self.added, self.already) = (added, already)
        }
    }
}
