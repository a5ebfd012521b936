package import Varlink

/// The method `Remove`: removes addresses from the watch list.
package enum Remove {
    package struct Parameters: CallParameters {
        package static let names: Set<String> = ["addresses"]

        package var addresses: [String]

        package init(addresses: [String]) {
            self.addresses = addresses
        }

        package init(_ members: CallMembers) throws(ServiceError) {
            addresses = try members.required("addresses", members.texts)
        }
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var removed: Int
    }
}
