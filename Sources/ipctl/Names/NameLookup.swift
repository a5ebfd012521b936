import Glibc
import RecordKeeping

/// The result of a name lookup.
enum NameLookup {
    case found([IPAddress])
    /// The lookup failed for this reason.
    ///
    /// - Parameter isTemporary: whether the name may have addresses nevertheless, because no name server has answered
    ///   the question.
    case failed(String, isTemporary: Bool = true)

    /// Looks up a name with getaddrinfo(3), as other programs do.
    init(of host: String) {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let result = getaddrinfo(host, nil, &hints, &list)
        guard result == 0 else {
            self = .failed(
                result == EAI_SYSTEM ? meaning(of: errno) : String(cString: gai_strerror(result)),
                isTemporary: !Self.finalErrors.contains(result))
            return
        }
        defer { freeaddrinfo(list) }
        var addresses: [IPAddress] = []
        var next = list
        while let entry = next?.pointee {
            if let address = Self.address(of: entry), !addresses.contains(address) { addresses.append(address) }
            next = entry.ai_next
        }
        self = addresses.isEmpty ? .failed("no addresses found", isTemporary: false) : .found(addresses)
    }

    /// The errors of getaddrinfo(3) after which a name has no address: EAI_NONAME, and EAI_NODATA and EAI_ADDRFAMILY,
    /// which Swift's Glibc module does not have.
    private static let finalErrors = [EAI_NONAME, -5, -9]

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
