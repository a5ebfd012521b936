/// An invalid setting of the provider.
package struct ProviderError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problem and the valid values, without any key or password.
    package let description: String

    init(description: String) {
        self.description = description
    }

    /// Adds the place of an invalid setting to its error.
    package init(in place: String, _ error: ProviderError) {
        description = "\(place): \(error.description)"
    }
}
