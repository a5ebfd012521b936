package import RecordKeeping
package import Varlink

/// The method `Status`: the state of the daemon.
package enum Status {
    package struct Parameters: CallParameters {
        package static let names: Set<String> = []
        package init() {}
        package init(_: CallMembers) {}
    }

    package struct Reply: Codable, Hashable, Sendable {
        package var version: String
        /// Unix time in milliseconds.
        package var startedAt: Int64
        package var network: Interface.Network
        package var provider: Interface.Provider
        package var entries: Interface.Counts
        /// The watched host names; nil from an older daemon.
        package var names: Interface.NameCounts?
        package var refresh: Interface.Schedule
        package var store: Interface.Store
        /// The local databases, in the order of the configuration; nil in the reply of an older daemon.
        package var databases: [Interface.Database]?
        /// The user id of the caller.
        package var user: UInt32
        /// Whether the caller may change the watch list.
        package var administrator: Bool

        /// - Parameters:
        ///   - view: the state of the core.
        ///   - endpoint: the base URL of the provider.
        ///   - proxy: the host and port of the proxy; nil if the provider is called directly.
        ///   - store: the state of the database.
        ///   - databases: the state of the local databases.
        package init(
            _ view: StatusView, version: String, endpoint: String, proxy: String? = nil, store: Interface.Store,
            databases: [Interface.Database] = []
        ) {
            self.version = version
            startedAt = view.startedAt.milliseconds
            network = Interface.Network(view)
            provider = Interface.Provider(view.provider, endpoint: endpoint, proxy: proxy)
            entries = Interface.Counts(view.counts)
            names = Interface.NameCounts(watched: view.names.watched, failing: view.names.failing)
            refresh = Interface.Schedule(view)
            self.store = store
            self.databases = databases
            user = view.user
            administrator = view.isAdministrator
        }
    }
}
