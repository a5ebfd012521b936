import CLinux
import Glibc
import RouteMonitor

/// A query socket that receives no replies: a filter drops each of them (socket(7), SO_ATTACH_FILTER).
enum SilentSocket {
    static func silence(_ socket: NetlinkSocket) throws(NetlinkError) {
        // A Berkeley packet filter of one instruction: accept 0 bytes (linux/filter.h).
        var instruction = sock_filter(code: UInt16(BPF_RET | BPF_K), jt: 0, jf: 0, k: 0)
        let result = withUnsafeMutablePointer(to: &instruction) { filter in
            var program = sock_fprog(len: 1, filter: filter)
            return setsockopt(
                socket.descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &program, socklen_t(MemoryLayout<sock_fprog>.size))
        }
        guard result == 0 else { throw .failed(.configure, errno: errno) }
    }
}
