import Glibc
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
        case .failed(let reason):
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

/// The result of a name lookup.
enum NameLookup {
    case found([IPAddress])
    case failed(String)

    /// Looks up a name with getaddrinfo(3), as other programs do.
    init(of host: String) {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let result = getaddrinfo(host, nil, &hints, &list)
        guard result == 0 else {
            self = .failed(result == EAI_SYSTEM ? meaning(of: errno) : String(cString: gai_strerror(result)))
            return
        }
        defer { freeaddrinfo(list) }
        var addresses: [IPAddress] = []
        var next = list
        while let entry = next?.pointee {
            if let address = Self.address(of: entry), !addresses.contains(address) { addresses.append(address) }
            next = entry.ai_next
        }
        self = addresses.isEmpty ? .failed("no addresses found") : .found(addresses)
    }

    var addresses: [IPAddress] {
        if case .found(let addresses) = self { addresses } else { [] }
    }

    private static func address(of entry: addrinfo) -> IPAddress? {
        guard let generic = entry.ai_addr else { return nil }
        switch entry.ai_family {
        case AF_INET:
            return generic.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin_addr) { IPAddress(networkOrder: Array($0)) }
            }
        case AF_INET6:
            return generic.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                withUnsafeBytes(of: $0.pointee.sin6_addr) { IPAddress(networkOrder: Array($0)) }
            }
        default: return nil
        }
    }
}
