// Provides `SOCK_STREAM`, which some builds find in the headers of CLinux, and others in those of the C library.
import CLinux
import Dispatch
import Glibc
import RecordKeeping

/// Resolves host names with getaddrinfo(3): that of the provider or its proxy on a queue of its own, and each watched
/// name on another one, because the call blocks. The time limit of a resolution is that of the host's resolver
/// (resolv.conf(5)).
final class Resolver: Sendable {
    private let host: String
    private let queue = DispatchQueue(label: "iprecord.resolver")

    init(host: String) {
        self.host = host
    }

    /// - Parameter done: called on the resolver's queue with the addresses; empty if the name cannot be resolved.
    func resolve(done: @escaping @Sendable ([IPAddress]) -> Void) {
        queue.async { [host] in
            // If the host is not an address, it is a name.
            if let address = try? IPAddress(host) { return done([address]) }
            if case .addresses(let addresses) = Self.answer(about: host) { done(addresses) } else { done([]) }
        }
    }

    /// Resolves a watched name. The core limits the number of resolutions in progress, and thus of threads.
    ///
    /// If only one of the two queries for IPv4 and IPv6 addresses succeeds, getaddrinfo(3) returns its addresses, and
    /// does not report the failure of the other one. A family without addresses is therefore queried again by itself.
    ///
    /// - Parameter done: called on a queue of the resolution, with the answer and the family that could not be queried.
    static func resolve(_ name: HostName, done: @escaping @Sendable (NameAnswer, IPAddress.Family?) -> Void) {
        DispatchQueue(label: "iprecord.name").async {
            let host = name.description
            let answer = answer(about: host)
            guard case .addresses(let addresses) = answer else { return done(answer, nil) }
            for (family, code) in [(IPAddress.Family.v4, AF_INET), (.v6, AF_INET6)] {
                guard !addresses.contains(where: { $0.family == family }) else { continue }
                let (status, more) = query(host, code)
                let isAnswered = status == 0 || noAddresses.contains(status)
                return done(.addresses(addresses + more), isAnswered ? nil : family)
            }
            done(answer, nil)
        }
    }

    /// The errors of getaddrinfo(3) after which a name has no address: EAI_NONAME, and EAI_NODATA and EAI_ADDRFAMILY,
    /// which netdb.h defines only for GNU programs.
    private static let noAddresses = [EAI_NONAME, -5, -9]

    private static func answer(about host: String) -> NameAnswer {
        let (status, addresses) = query(host, AF_UNSPEC)
        guard status == 0 else {
            return .failed(
                status == EAI_SYSTEM ? String(cString: strerror(errno)) : String(cString: gai_strerror(status)))
        }
        return .addresses(addresses)
    }

    /// - Parameter family: AF_INET, AF_INET6 or AF_UNSPEC.
    /// - Returns: the status of getaddrinfo(3), which also sets errno if it is EAI_SYSTEM, and the addresses.
    private static func query(_ host: String, _ family: Int32) -> (status: Int32, addresses: [IPAddress]) {
        var hints = addrinfo()
        hints.ai_family = family
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, nil, &hints, &list)
        guard status == 0 else { return (status, []) }
        defer { freeaddrinfo(list) }
        let addresses = sequence(first: list) { $0?.pointee.ai_next }.prefix { $0 != nil }.compactMap { item in
            item.flatMap { address(in: $0.pointee) }
        }
        return (0, addresses)
    }

    private static func address(in info: addrinfo) -> IPAddress? {
        guard let socketAddress = info.ai_addr else { return nil }
        let raw = UnsafeRawPointer(socketAddress)
        switch info.ai_family {
        case AF_INET:
            var address = raw.loadUnaligned(as: sockaddr_in.self).sin_addr
            return withUnsafeBytes(of: &address) { IPAddress(networkOrder: $0) }
        case AF_INET6:
            var address = raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            return withUnsafeBytes(of: &address) { IPAddress(networkOrder: $0) }
        default:
            return nil
        }
    }
}
