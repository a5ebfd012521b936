import CLinux
import Glibc

/// A routing netlink socket (netlink(7), rtnetlink(7)), closed when the last reference to it goes.
///
/// It is bound to the network namespace of the thread that made it, close-on-exec, and has a port id of its own.
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

    /// Refuses, with ECONNREFUSED at the sender, everything that is unicast to this socket by anybody but the kernel.
    package func connectToKernel() throws(NetlinkError) {
        guard withAddress(port: 0, { connect(descriptor, $0, $1) }) == 0 else {
            throw .failed(.connect, errno: errno)
        }
    }

    package func join(_ group: NetlinkGroup) throws(NetlinkError) {
        try set(SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, to: group.number, step: .join(group))
    }

    /// Asks the kernel to say in words what is wrong with a request (netlink(7), NETLINK_EXT_ACK; Linux 4.12 on).
    package func askForExplanations() throws(NetlinkError) {
        try set(SOL_NETLINK, NETLINK_EXT_ACK, to: Int32(1), step: .configure)
        try set(SOL_NETLINK, NETLINK_CAP_ACK, to: Int32(1), step: .configure)
    }

    /// How long a blocking `receive` waits before it gives up with EAGAIN.
    package func setReceiveTimeout(milliseconds: Int) throws(NetlinkError) {
        let time = timeval(tv_sec: milliseconds / 1_000, tv_usec: milliseconds % 1_000 * 1_000)
        try set(SOL_SOCKET, SO_RCVTIMEO, to: time, step: .configure)
    }

    /// How much the kernel keeps for a reader that does not read; it doubles the value and has a least (socket(7)).
    package func setReceiveBuffer(bytes: Int32) throws(NetlinkError) {
        try set(SOL_SOCKET, SO_RCVBUF, to: bytes, step: .configure)
    }

    /// The address that others would send to; the kernel's own is 0.
    package var portID: UInt32 {
        get throws(NetlinkError) {
            var address = sockaddr_nl()
            var length = socklen_t(MemoryLayout<sockaddr_nl>.size)
            let result = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &length) }
            }
            guard result == 0 else { throw .failed(.bind, errno: errno) }
            return address.nl_pid
        }
    }

    /// Sends one datagram, to the kernel unless another port is named.
    package func send(_ bytes: [UInt8], to port: UInt32 = 0) throws(NetlinkError) {
        while true {
            let sent = withAddress(port: port) { address, length in
                sendto(descriptor, bytes, bytes.count, 0, address, length)
            }
            if sent == bytes.count { return }
            // A datagram goes whole or not at all.
            guard sent < 0, errno == EINTR else { throw .failed(.send, errno: sent < 0 ? errno : EMSGSIZE) }
        }
    }

    /// Takes the next datagram: as much of it as fits, its whole length, and the port id of whoever sent it.
    ///
    /// An empty buffer takes the datagram away unread.
    ///
    /// - Returns: nil when there is none (EAGAIN).
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

/// Calls `body` with the netlink address of a port of this namespace.
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
