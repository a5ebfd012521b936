import Glibc

/// What a bounded look into an event socket found.
package struct Drained: Hashable, Sendable {
    /// Datagrams of the kernel.
    package var fromKernel = 0
    /// Datagrams of others, which mean nothing.
    package var fromOthers = 0
    /// How often the kernel said that it dropped events because nobody read them (ENOBUFS).
    package var overflows = 0

    /// Whether the kernel told of something, or of having told more than fitted.
    package var isChange: Bool { fromKernel > 0 || overflows > 0 }

    package init(fromKernel: Int = 0, fromOthers: Int = 0, overflows: Int = 0) {
        self.fromKernel = fromKernel
        self.fromOthers = fromOthers
        self.overflows = overflows
    }
}

extension NetlinkSocket {
    /// Takes away unread what waits at a non-blocking socket.
    ///
    /// What an event says is of no use: the kernel tells of causes and not of all effects, so each burst means that the
    /// question for the way is asked anew.
    ///
    /// - Parameter limit: how many datagrams at most, so that a storm does not hold up the queue; what is left makes
    ///   the socket readable again.
    package func drain(atMost limit: Int) throws(NetlinkError) -> Drained {
        var drained = Drained()
        for _ in 0..<limit {
            do throws(NetlinkError) {
                guard let (_, port) = try receive(into: UnsafeMutableRawBufferPointer(start: nil, count: 0)) else {
                    break
                }
                if port == 0 { drained.fromKernel += 1 } else { drained.fromOthers += 1 }
            } catch .failed(.receive, ENOBUFS) {
                // The kernel dropped events. What was known is worthless; go on, so that there is room again.
                drained.overflows += 1
            }
        }
        return drained
    }
}
