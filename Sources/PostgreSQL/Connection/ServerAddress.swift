/// An address at which a server may accept connections.
struct ServerAddress: Hashable, Sendable {
    /// A host name, the directory of a Unix socket, or nil for libpq's default. Certificates and password files refer
    /// to this name.
    var host: String?
    /// The numeric IP address of the host; nil for a Unix socket.
    var numericAddress: String?
    /// Nil for libpq's default.
    var port: String?

    /// Whether the name has to be resolved before libpq connects, which would otherwise block its caller.
    var needsResolution: Bool {
        guard numericAddress == nil, let host else { return false }
        return !host.hasPrefix("/") && !host.hasPrefix("@")
    }

    /// Adds the hosts and ports that a URL does not contain, as libpq would do while it connects. It would then resolve
    /// their names itself, and wait for one server as long as the kernel does.
    static func completing(_ keywords: [String: String], with defaults: [String: String]) -> [String: String] {
        keywords.merging(defaults.filter { ["host", "hostaddr", "port"].contains($0.key) }) { given, _ in given }
    }

    /// Returns the servers in the parsed keywords of a URL, in their order ("Specifying Multiple Hosts").
    ///
    /// - Throws: `invalidURL` if the lists of hosts, addresses and ports differ in length.
    static func all(in keywords: [String: String]) throws(PostgreSQLError) -> [ServerAddress] {
        let hosts = list(keywords["host"])
        let addresses = list(keywords["hostaddr"])
        var ports = list(keywords["port"])
        let count = max(hosts.count, addresses.count, 1)
        // A single port applies to all hosts.
        if ports.count == 1 { ports = Array(repeating: ports[0], count: count) }
        for (name, part) in [("host names", hosts), ("addresses", addresses)] where !part.isEmpty {
            guard part.count == count else {
                throw .invalidURL(reason: "\(part.count) \(name) but \(count) hosts: give one for each host, or none")
            }
        }
        guard ports.isEmpty || ports.count == count else {
            throw .invalidURL(
                reason: "\(ports.count) ports but \(count) hosts: give one port, or one for each host")
        }
        return (0..<count).map { index in
            ServerAddress(
                host: hosts.isEmpty ? nil : hosts[index], numericAddress: addresses.isEmpty ? nil : addresses[index],
                port: ports.isEmpty ? nil : ports[index])
        }
    }

    /// The items of a list; those that are left out are nil.
    private static func list(_ text: String?) -> [String?] {
        guard let text, !text.isEmpty else { return [] }
        return text.split(separator: ",", omittingEmptySubsequences: false).map { $0.isEmpty ? nil : String($0) }
    }
}
