package import Varlink

/// The method `Label`: changes pins, tags and notes of watched entries. A nil parameter changes nothing.
package enum Label {
    package struct Parameters: CallParameters {
        package static let names: Set<String> = ["addresses", "pinned", "addTags", "removeTags", "note"]

        package var addresses: [String]
        package var pinned: Bool?
        package var addTags: [String]?
        package var removeTags: [String]?
        /// An empty string removes the note.
        package var note: String?

        package init(
            addresses: [String], pinned: Bool? = nil, addTags: [String]? = nil, removeTags: [String]? = nil,
            note: String? = nil
        ) {
            self.addresses = addresses
            self.pinned = pinned
            self.addTags = addTags
            self.removeTags = removeTags
            self.note = note
        }

        package init(_ members: CallMembers) throws(ServiceError) {
            addresses = try members.required("addresses", members.texts)
            pinned = try members.flag("pinned")
            addTags = try members.texts("addTags")
            removeTags = try members.texts("removeTags")
            note = try members.text("note")
        }
    }

    package struct Reply: Codable, Hashable, Sendable {
        /// The number of entries whose labels changed.
        package var changed: Int

        package init(changed: Int) {
            self.changed = changed
        }
    }
}
