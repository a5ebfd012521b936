package import RecordKeeping

/// The replies to `Status` and `Metrics`: the state of the core, with what only the daemon around it knows.
package struct StateReplies: Sendable {
    private let version: String
    /// The base URL of the provider.
    private let endpoint: String
    /// The host and port of the proxy; nil if the provider is called directly.
    private let proxy: String?
    private let store: @Sendable (StatusView) -> Interface.Store
    private let process: @Sendable () -> Interface.Process?
    private let databases: @Sendable () -> [Interface.Database]

    /// - Parameters:
    ///   - proxy: the host and port of the proxy; nil if the provider is called directly.
    ///   - process: returns nil if proc(5) cannot be read.
    ///   - databases: returns the state of the local databases.
    package init(
        version: String, endpoint: String, proxy: String? = nil,
        process: @escaping @Sendable () -> Interface.Process? = { nil },
        databases: @escaping @Sendable () -> [Interface.Database] = { [] },
        store: @escaping @Sendable (StatusView) -> Interface.Store
    ) {
        self.version = version
        self.endpoint = endpoint
        self.proxy = proxy
        self.process = process
        self.databases = databases
        self.store = store
    }

    package func status(_ view: StatusView) -> Status.Reply {
        Status.Reply(
            view, version: version, endpoint: endpoint, proxy: proxy, store: store(view), databases: databases())
    }

    func metrics(_ view: MetricsView, clients: Int) -> Metrics.Reply {
        Metrics.Reply(
            view, version: version, store: store(view.status), clients: clients, process: process(),
            databases: databases())
    }
}
