import Glibc
import RecordKeeping

/// Whether the provider's name stands for an address.
struct NameCheck: Check {
    static let name = "name"

    let endpoint: Endpoint
    let lookUp: NameLookup

    func findings() -> [Finding] {
        let host = endpoint.host
        guard endpoint.address == nil else { return [ok("\(host) is an address, and needs no look-up")] }
        switch lookUp {
        case .failed(let reason):
            return [
                bad(
                    "\(host) cannot be looked up: \(reason)",
                    remedy: "getent ahosts \(host.shellWord) asks again; the name servers are in /etc/resolv.conf "
                        + "(resolvectl status)")
            ]
        case .found(let addresses):
            let blocked = addresses.filter(Self.isNobody)
            guard blocked.isEmpty || host == "localhost" else {
                return [
                    bad(
                        "\(host) stands for \(blocked[0]) here: a filter in the DNS blocks it",
                        remedy: "Allow \(host) in the filter (Pi-hole, AdGuard, the router's), then: getent ahosts "
                            + host.shellWord)
                ]
            }
            let told = addresses.prefix(3).map(\.description).joined(separator: ", ")
            return [ok("\(host) stands for \(told)\(addresses.count > 3 ? ", …" : "")")]
        }
    }

    /// What filters answer: the unspecified address, or this host.
    private static func isNobody(_ address: IPAddress) -> Bool {
        switch address.family {
        case .v4: address.networkOrder[0] == 0 || address.networkOrder[0] == 127
        case .v6: address.high == 0 && address.low <= 1
        }
    }
}

/// What a name stands for.
enum NameLookup {
    case found([IPAddress])
    case failed(String)

    /// Asks as every program on this host does (getaddrinfo(3)).
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
        self = addresses.isEmpty ? .failed("it has no address") : .found(addresses)
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
