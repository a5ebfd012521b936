/// An invalid setting of the provider.
package struct ProviderError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problem and the valid values, without any key or password.
    package let description: String
}
