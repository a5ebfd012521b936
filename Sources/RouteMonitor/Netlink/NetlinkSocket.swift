import CLinux
import Glibc

/// A routing netlink socket (netlink(7), rtnetlink(7)), closed when the last reference to it is released.
///
/// It belongs to the network namespace of the thread that creates it, is close-on-exec, and has a unique port id.
package final class NetlinkSocket: Sendable {
    package let descriptor: Int32

    package init(isBlocking: Bool) throws(NetlinkError) {
        let kind = SOCK_RAW.rawValue | SOCK_CLOEXEC.rawValue | (isBlocking ? 0 : SOCK_NONBLOCK.rawValue)
        descriptor = socket(AF_NETLINK, Int32(bitPattern: kind), NETLINK_ROUTE)
        guard descriptor >= 0 else { throw .failed(.open, errno: errno) }
        guard withAddress(port: 0, { bind(descriptor, $0, $1) }) == 0 else { throw .failed(.bind, errno: errno) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Restricts the socket to datagrams from the kernel. Other senders get ECONNREFUSED.
    package func connectToKernel() throws(NetlinkError) {
        guard withAddress(port: 0, { connect(descriptor, $0, $1) }) == 0 else {
            throw .failed(.connect, errno: errno)
        }
    }

    /// Subscribes to the events of a group.
    package func join(_ group: NetlinkGroup) throws(NetlinkError) {
        try set(SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, to: group.number, step: .join(group))
    }

    /// Requests an explanation in text with each error (netlink(7), NETLINK_EXT_ACK; Linux 4.12 or later).
    package func enableExtendedErrors() throws(NetlinkError) {
        try set(SOL_NETLINK, NETLINK_EXT_ACK, to: Int32(1), step: .configure)
        try set(SOL_NETLINK, NETLINK_CAP_ACK, to: Int32(1), step: .configure)
    }

    /// Sets the time after which a blocking `receive` returns nil.
    package func setReceiveTimeout(milliseconds: Int) throws(NetlinkError) {
        let time = timeval(tv_sec: milliseconds / 1_000, tv_usec: milliseconds % 1_000 * 1_000)
        try set(SOL_SOCKET, SO_RCVTIMEO, to: time, step: .configure)
    }

    /// Sends one datagram, to the kernel unless another port id is given.
    package func send(_ bytes: [UInt8], to port: UInt32 = 0) throws(NetlinkError) {
        while true {
            let sent = withAddress(port: port) { address, length in
                sendto(descriptor, bytes, bytes.count, 0, address, length)
            }
            if sent == bytes.count { return }
            // A datagram is sent completely or not at all.
            guard sent < 0, errno == EINTR else { throw .failed(.send, errno: sent < 0 ? errno : EMSGSIZE) }
        }
    }

    /// Receives the next datagram, truncated to the size of the buffer. An empty buffer discards it.
    ///
    /// - Returns: the complete length of the datagram and the port id of its sender; nil if there is none (EAGAIN).
    package func receive(into buffer: UnsafeMutableRawBufferPointer) throws(NetlinkError) -> (bytes: Int, port: UInt32)?
    {
        while true {
            var address = sockaddr_nl()
            var length = socklen_t(MemoryLayout<sockaddr_nl>.size)
            let received = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    recvfrom(
                        descriptor, buffer.baseAddress, buffer.count, Int32(MSG_TRUNC), $0, &length)
                }
            }
            if received >= 0 { return (received, address.nl_pid) }
            switch errno {
            case EINTR: continue
            case EAGAIN: return nil
            case let code: throw .failed(.receive, errno: code)
            }
        }
    }

    private func set<Value: BitwiseCopyable>(
        _ level: Int32, _ option: Int32, to value: Value, step: NetlinkError.Step
    ) throws(NetlinkError) {
        let result = withUnsafeBytes(of: value) {
            setsockopt(descriptor, level, option, $0.baseAddress, socklen_t($0.count))
        }
        guard result == 0 else { throw .failed(step, errno: errno) }
    }
}

/// Calls `body` with the netlink address of a port id.
private func withAddress<Result>(port: UInt32, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    var address = sockaddr_nl()
    address.nl_family = sa_family_t(AF_NETLINK)
    address.nl_pid = port
    return withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
            body($0, socklen_t(MemoryLayout<sockaddr_nl>.size))
        }
    }
}
