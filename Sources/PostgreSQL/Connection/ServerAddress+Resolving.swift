import Dispatch
import Glibc

extension ServerAddress {
    /// Resolves host names with getaddrinfo(3), which may block for the time limits of resolv.conf(5), on a queue of
    /// its own, and with it on a thread.
    ///
    /// - Parameter done: called on that queue. If some names cannot be resolved, the other servers are returned; if
    ///   none can, the failure of the first.
    static func resolve(
        _ servers: [ServerAddress], done: @escaping @Sendable (Result<[ServerAddress], PostgreSQLError>) -> Void
    ) {
        DispatchQueue(label: "iprecord.postgresql.resolver").async {
            var (resolved, failures) = ([ServerAddress](), [PostgreSQLError]())
            for server in servers {
                guard server.needsResolution, let host = server.host else {
                    resolved.append(server)
                    continue
                }
                switch addresses(of: host) {
                case .success(let addresses):
                    resolved += addresses.map {
                        ServerAddress(host: host, numericAddress: $0, port: server.port)
                    }
                case .failure(let failure): failures.append(failure)
                }
            }
            if let failure = failures.first, resolved.isEmpty { return done(.failure(failure)) }
            done(.success(resolved))
        }
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
