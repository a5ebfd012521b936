import Glibc
import RouteMonitor

/// A socket that turned into something else: another kind of descriptor in its place, in which a byte waits, so that it is
/// readable and nothing can be received or sent (recvmsg(2)).
enum BrokenSocket {
    struct Failure: Error {
        let errno: Int32
    }

    /// The other end stays open to the end of the tests: a hang-up may crash Dispatch (swift-corelibs-libdispatch, issue 949).
    static func replace(_ socket: NetlinkSocket) throws(Failure) {
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0, write(ends[1], "x", 1) == 1, dup2(ends[0], socket.descriptor) >= 0 else {
            throw Failure(errno: errno)
        }
        close(ends[0])
    }
}
