import Varlink

/// Pins, tags and notes of entries of the watch list; nil leaves as it is.
package enum Label {
    package struct Parameters: CallParameters {
        package static let names: Set<String> = ["addresses", "pinned", "addTags", "removeTags", "note"]

        package var addresses: [String]
        package var pinned: Bool?
        package var addTags: [String]?
        package var removeTags: [String]?
        /// Empty takes the note away.
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
    }

    package struct Reply: Codable, Hashable, Sendable {
        /// How many entries are other than they were.
        package var changed: Int

        package init(changed: Int) {
            self.changed = changed
        }
    }
}
