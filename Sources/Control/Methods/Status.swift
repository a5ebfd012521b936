package import RecordKeeping
import Varlink

/// The daemon's condition.
package enum Status {
    package struct Parameters: CallParameters {
        package static let names: Set<String> = []
        package init() {}
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var version: String
        package var startedAt: Int64
        package var network: Interface.Network
        package var provider: Interface.Provider
        package var entries: Interface.Counts
        package var refresh: Interface.Schedule
        package var store: Interface.Store

        /// - Parameters:
        ///   - view: what the core says.
        ///   - endpoint: the provider's base URL.
        ///   - store: what the store says of itself.
        package init(_ view: StatusView, version: String, endpoint: String, store: Interface.Store) {
            self.version = version
            startedAt = view.startedAt.milliseconds
            network = Interface.Network(view)
            provider = Interface.Provider(view.provider, endpoint: endpoint)
            entries = Interface.Counts(view.counts)
            refresh = Interface.Schedule(view)
            self.store = store
        }
    }
}
