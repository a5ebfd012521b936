import Glibc
import RouteMonitor

/// A socket whose descriptor is replaced with that of a pipe. A byte in the pipe makes it readable, but socket calls
/// fail (recvmsg(2)).
enum BrokenSocket {
    struct Failure: Error {
        let errno: Int32
    }

    /// Replaces the descriptor. The write end stays open until the tests end, because a hang-up may crash Dispatch
    /// (swift-corelibs-libdispatch, issue 949).
    static func replace(_ socket: NetlinkSocket) throws(Failure) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0, write(ends[1], "x", 1) == 1, dup2(ends[0], socket.descriptor) >= 0 else {
            throw Failure(errno: errno)
        }
        close(ends[0])
    }
}
