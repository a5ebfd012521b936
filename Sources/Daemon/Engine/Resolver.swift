// Provides `SOCK_STREAM`, which some builds find in the headers of CLinux, and others in those of the C library.
import CLinux
import Dispatch
import Glibc
import RecordKeeping

/// Resolves the host name of the provider or its proxy with getaddrinfo(3), on a queue of its own because the call
/// blocks.
final class Resolver: Sendable {
    private let host: String
    private let queue = DispatchQueue(label: "iprecord.resolver")

    init(host: String) {
        self.host = host
    }

    /// - Parameter done: called on the resolver's queue with the addresses; empty if the name cannot be resolved.
    func resolve(done: @escaping @Sendable ([IPAddress]) -> Void) {
        queue.async { [host] in done(Self.addresses(of: host)) }
    }

    private static func addresses(of host: String) -> [IPAddress] {
        if let address = try? IPAddress(host) { return [address] }  // Otherwise the host is a name.
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        return sequence(first: list) { $0?.pointee.ai_next }.prefix { $0 != nil }.compactMap { item in
            item.flatMap { address(in: $0.pointee) }
        }
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
