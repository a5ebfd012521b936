import CLinux
import Glibc

/// A TCP socket with unsent data and SO_LINGER, whose last close blocks for the linger time.
final class LingeringSocket: @unchecked Sendable {
    // Only `isClosed` changes, and only the test that created the socket accesses it, from one thread at a time.
    let descriptor: Int32
    /// The other end, which never reads.
    private let other: Int32
    private var isClosed = false

    init(seconds: Int32) throws(UnixClient.Failed) {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        let client = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isConnected = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(listener, generic, length) == 0 && listen(listener, 1) == 0
                    && getsockname(listener, generic, &length) == 0 && connect(client, generic, length) == 0
            }
        }
        let reason = errno
        descriptor = client
        other = clinux_accept(listener)
        Glibc.close(listener)
        guard isConnected, other >= 0 else { throw UnixClient.Failed(what: "connect over loopback", errno: reason) }
        let bytes = [UInt8](repeating: 0, count: 65_536)
        while send(descriptor, bytes, bytes.count, Int32(MSG_DONTWAIT)) > 0 {}
        var option = linger(l_onoff: 1, l_linger: seconds)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    /// Closes this process's own reference. A descriptor that was passed on is then the only one.
    func letGo() {
        guard !isClosed else { return }
        isClosed = true
        Glibc.close(descriptor)
    }

    deinit {
        // Closing the other end resets the connection, so that the last close does not block.
        Glibc.close(other)
        letGo()
    }
}
