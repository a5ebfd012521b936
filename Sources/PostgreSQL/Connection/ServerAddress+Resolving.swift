import Dispatch
import Glibc

extension ServerAddress {
    /// A function that resolves a host name to numeric IP addresses, and calls the closure once, on any thread.
    typealias Resolver =
        @Sendable (_ host: String, _ done: @escaping @Sendable (Result<[String], PostgreSQLError>) -> Void) -> Void

    /// Resolves a host name with getaddrinfo(3), which may block for the time limits of resolv.conf(5), on a queue of
    /// its own, and with it on a thread.
    static let resolve: Resolver = { host, done in
        DispatchQueue(label: "iprecord.postgresql.resolver").async { done(addresses(of: host)) }
    }

    private static func addresses(of host: String) -> Result<[String], PostgreSQLError> {
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let status = getaddrinfo(host, nil, &hints, &list)
        guard status == 0 else {
            let reason = status == EAI_SYSTEM ? strerror(errno) : UnsafeMutablePointer(mutating: gai_strerror(status))
            return .failure(.unresolvedHost(host, reason: reason.map { String(cString: $0) } ?? "error \(status)"))
        }
        defer { freeaddrinfo(list) }
        var (addresses, item) = ([String](), list)
        while let info = item?.pointee {
            if let address = text(of: info) { addresses.append(address) }
            item = info.ai_next
        }
        return .success(addresses)
    }

    private static func text(of info: addrinfo) -> String? {
        var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let status = getnameinfo(
            info.ai_addr, info.ai_addrlen, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST)
        guard status == 0 else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
