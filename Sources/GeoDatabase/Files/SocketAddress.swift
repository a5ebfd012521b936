import Glibc
import RecordKeeping

/// An address in the form that libmaxminddb expects: sockaddr_in or sockaddr_in6.
struct SocketAddress {
    private var storage = sockaddr_storage()

    init(_ address: IPAddress) {
        withUnsafeMutableBytes(of: &storage) { bytes in
            if let bits = address.v4 {
                var value = sockaddr_in()
                value.sin_family = sa_family_t(AF_INET)
                value.sin_addr.s_addr = bits.bigEndian
                bytes.storeBytes(of: value, as: sockaddr_in.self)
            } else {
                var value = sockaddr_in6()
                value.sin6_family = sa_family_t(AF_INET6)
                withUnsafeMutableBytes(of: &value.sin6_addr) { $0.copyBytes(from: address.networkOrder) }
                bytes.storeBytes(of: value, as: sockaddr_in6.self)
            }
        }
    }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>) -> Result) -> Result {
        withUnsafePointer(to: storage) { storage in
            storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0) }
        }
    }
}
