package import Varlink

/// The method `Add`: puts addresses on the watch list.
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

        package init?(_ plain: PlainParameters) {
            var (addresses, tags, note): ([String]?, [String]?, String?)
            for (name, member) in plain.members {
                switch (name, member) {
                case ("addresses", .texts(let value)): addresses = value
                case ("tags", .texts(let value)): tags = value
                case ("note", .text(let value)): note = value
                default: return nil
                }
            }
            guard let addresses else { return nil }
            self.init(addresses: addresses, tags: tags, note: note)
        }
    }

    package struct Reply: Codable, Hashable, Sendable {
        /// The number of addresses that were not on the watch list.
        package var added: Int
        /// The number of addresses that were already on the watch list.
        package var already: Int
    }
}
