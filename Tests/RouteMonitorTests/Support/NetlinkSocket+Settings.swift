import CLinux
import Glibc
import RouteMonitor

extension NetlinkSocket {
    /// Sets the size of the receive buffer. The kernel doubles the value and enforces a minimum (socket(7)).
    func setReceiveBuffer(bytes: Int32) throws(NetlinkError) {
        var bytes = bytes
        guard setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size)) == 0 else {
            throw .failed(.configure, errno: errno)
        }
    }

    /// The port id of this socket, which is its address; the kernel has port id 0.
    var portID: UInt32 {
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
}
