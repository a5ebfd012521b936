import Varlink

/// Put addresses on the watch list.
package enum Add {
    package struct Parameters: CallParameters {
        package static let names: Set<String> = ["addresses", "tags", "note"]

        package var addresses: [String]
        package var tags: [String]?
        package var note: String?

        package init(addresses: [String], tags: [String]?, note: String?) {
            self.addresses = addresses
            self.tags = tags
            self.note = note
        }
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var added: Int
        package var already: Int
    }
}
