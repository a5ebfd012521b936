/// The addresses of several servers while their host names are being resolved.
struct HostResolution {
    private let servers: [ServerAddress]
    /// In the order of the servers; nil while a name is being resolved.
    private var results: [Result<[ServerAddress], PostgreSQLError>?]

    init(_ servers: [ServerAddress]) {
        self.servers = servers
        results = servers.map { $0.needsResolution ? nil : .success([$0]) }
    }

    /// The names without a result, with the indexes of their servers.
    var pendingHosts: [(index: Int, host: String)] {
        servers.indices.compactMap { index in results[index] == nil ? servers[index].host.map { (index, $0) } : nil }
    }

    /// The addresses that are known, in the order of the servers.
    var addresses: [ServerAddress] {
        results.flatMap { result in
            guard case .success(let addresses) = result else { return [ServerAddress]() }
            return addresses
        }
    }

    /// The failures of the names that cannot be resolved, in the order of the servers.
    var failures: [PostgreSQLError] {
        results.compactMap { result in
            guard case .failure(let failure) = result else { return nil }
            return failure
        }
    }

    /// Records the numeric addresses of the server with this index.
    mutating func record(_ result: Result<[String], PostgreSQLError>, at index: Int) {
        let server = servers[index]
        results[index] = result.map { addresses in
            addresses.map { ServerAddress(host: server.host, numericAddress: $0, port: server.port) }
        }
    }
}
