import Glibc

/// A blocking TCP socket on this machine, closed with the last reference to it.
final class Loopback: Sendable {
    let descriptor: Int32

    struct Failed: Error { let errno: Int32 }

    /// Connects to a port of 127.0.0.1 or ::1.
    init(connectedTo port: Int, isIPv6: Bool = false) throws {
        descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        let result = Self.withAddress(port: port, isIPv6: isIPv6) { connect(descriptor, $0, $1) }
        guard result == 0 else { throw Failed(errno: errno) }
    }

    /// Listens on a free port of 127.0.0.1.
    init(backlog: Int32) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        guard Self.withAddress(port: 0, isIPv6: false, { bind(descriptor, $0, $1) }) == 0,
            listen(descriptor, backlog) == 0
        else { throw Failed(errno: errno) }
    }

    /// Takes ownership of a descriptor.
    private init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// The port of a listening socket.
    var port: Int {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        _ = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }

    /// Waits for the next connection. Returns nil after `end()`.
    func next() -> Loopback? {
        let accepted = accept(descriptor, nil, nil)
        return accepted < 0 ? nil : Loopback(descriptor: accepted)
    }

    /// Ends all reading, accepting and writing, including blocked calls in other threads.
    func end() { shutdown(descriptor, Int32(SHUT_RDWR)) }

    /// Sends all bytes, or as many as possible before the peer closes the connection.
    func send(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard count > 0 else { return }
            rest = rest.dropFirst(count)
        }
    }

    func readToEnd() -> [UInt8] {
        var bytes: [UInt8] = []
        while let more = read() { bytes += more }
        return bytes
    }

    /// Waits for data and returns it, at least one byte; nil at the end of the stream.
    func read() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer.prefix(count)) : nil
    }

    private static func withAddress(
        port: Int, isIPv6: Bool, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
    ) -> Int32 {
        if isIPv6 {
            var address = sockaddr_in6()
            address.sin6_family = sa_family_t(AF_INET6)
            address.sin6_port = in_port_t(UInt16(port).bigEndian)
            address.sin6_addr = in6addr_loopback
            return withUnsafePointer(to: address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    body($0, socklen_t(MemoryLayout<sockaddr_in6>.size))
                }
            }
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(UInt16(port).bigEndian)
        address.sin_addr = in_addr(s_addr: UInt32(0x7F00_0001).bigEndian)
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
}
