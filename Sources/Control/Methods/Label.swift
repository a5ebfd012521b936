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

        package init?(_ plain: PlainParameters) {
            var (addresses, pinned, addTags, removeTags, note): ([String]?, Bool?, [String]?, [String]?, String?)
            for (name, member) in plain.members {
                switch (name, member) {
                case ("addresses", .texts(let value)): addresses = value
                case ("pinned", .flag(let value)): pinned = value
                case ("addTags", .texts(let value)): addTags = value
                case ("removeTags", .texts(let value)): removeTags = value
                case ("note", .text(let value)): note = value
                default: return nil
                }
            }
            guard let addresses else { return nil }
            self.init(addresses: addresses, pinned: pinned, addTags: addTags, removeTags: removeTags, note: note)
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
