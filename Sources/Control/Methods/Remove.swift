package import Varlink

/// The method `Remove`: removes addresses from the watch list.
package enum Remove {
    package struct Parameters: CallParameters {
        package static let names: Set<String> = ["addresses"]

        package var addresses: [String]

        package init(addresses: [String]) {
            self.addresses = addresses
        }

        package init?(_ plain: PlainParameters) {
            var addresses: [String]?
            for (name, member) in plain.members {
                switch (name, member) {
                case ("addresses", .texts(let value)): addresses = value
                default: return nil
                }
            }
            guard let addresses else { return nil }
            self.init(addresses: addresses)
        }
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var removed: Int
    }
}
