import Varlink

/// Take addresses off the watch list.
package enum Remove {
    package struct Parameters: CallParameters {
        package static let names: Set<String> = ["addresses"]

        package var addresses: [String]

        package init(addresses: [String]) {
            self.addresses = addresses
        }
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var removed: Int
    }
}
