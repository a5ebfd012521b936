package import Varlink

/// Tries again now what is not fresh, without waiting for its backoff.
package enum Refresh {
    package struct Parameters: CallParameters {
        package static let names: Set<String> = ["addresses"]

        /// Nil for all entries of the watch list.
        package var addresses: [String]?

        package init(addresses: [String]?) {
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
            self.init(addresses: addresses)
        }
    }

    package struct Reply: Codable, Hashable, Sendable {
        /// How many are called for as soon as may be.
        package var scheduled: Int
        /// How many were left as they are, being fresh.
        package var fresh: Int

        package init(scheduled: Int, fresh: Int) {
            self.scheduled = scheduled
            self.fresh = fresh
        }
    }
}
