import RecordKeeping

/// Checks that the name of the provider, or of the proxy through which it is called, resolves to an address.
struct NameCheck: Check {
    static let name = "name"

    let endpoint: BaseURL
    let lookup: NameLookup
    /// Whether the name is that of a proxy, which may have a loopback address.
    var isProxy = false

    func findings() -> [Finding] {
        let host = endpoint.host
        guard endpoint.address == nil else { return ok("\(host) is an address, which needs no lookup") }
        switch lookup {
        case .failed(let reason, _):
            return bad(
                "cannot resolve \(host): \(reason)",
                remedy: "Try again with getent ahosts \(host.shellWord); the name servers are in /etc/resolv.conf "
                    + "(resolvectl status)")
        case .found(let addresses):
            let blocked = addresses.filter(Self.isBlockingAddress)
            guard blocked.isEmpty || host == "localhost" || isProxy else {
                return bad(
                    "\(host) resolves to \(blocked[0]): a DNS filter blocks it",
                    remedy: "Allow \(host) in the filter (Pi-hole, AdGuard or the router), then: getent ahosts "
                        + host.shellWord)
            }
            let shown = addresses.prefix(3).map(\.description).joined(separator: ", ")
            return ok("\(host) resolves to \(shown)\(addresses.count > 3 ? ", …" : "")")
        }
    }

    /// Whether DNS filters use an address to block names: the unspecified address or a loopback address.
    private static func isBlockingAddress(_ address: IPAddress) -> Bool {
        switch address.family {
        case .v4: address.networkOrder[0] == 0 || address.networkOrder[0] == 127
        case .v6: address.high == 0 && address.low <= 1
        }
    }
}
