import Varlink

/// The entries of addresses, in the order asked.
package enum Show {
    package struct Parameters: CallParameters {
        package static let names: Set<String> = ["addresses", "wait"]

        package var addresses: [String]
        /// Milliseconds; the daemon takes `defaultWait` where it is left out.
        package var wait: Int64?

        package init(addresses: [String], wait: Int64?) {
            self.addresses = addresses
            self.wait = wait
        }
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var entries: [Interface.Entry]
    }

    /// How long a call is awaited where the client does not say.
    package static let defaultWait = Duration.milliseconds(5_000)
}
