package import Varlink

/// The method `Show`: the entries of addresses, in the order of the call.
package enum Show {
    package struct Parameters: CallParameters {
        package static let names: Set<String> = ["addresses", "wait"]

        package var addresses: [String]
        /// Maximum time to wait for new records, in milliseconds; nil for `defaultWait`.
        package var wait: Int64?

        package init(addresses: [String], wait: Int64?) {
            self.addresses = addresses
            self.wait = wait
        }

        package init?(_ plain: PlainParameters) {
            var (addresses, wait): ([String]?, Int64?)
            for (name, member) in plain.members {
                switch (name, member) {
                case ("addresses", .texts(let texts)): addresses = texts
                case ("wait", .number(let number)): wait = number
                default: return nil
                }
            }
            guard let addresses else { return nil }
            self.init(addresses: addresses, wait: wait)
        }
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var entries: [Interface.Entry]
    }

    /// The wait if the call has none.
    package static let defaultWait = Duration.milliseconds(5_000)
}
