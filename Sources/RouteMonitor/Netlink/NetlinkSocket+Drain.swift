import Glibc

/// The number of datagrams and overflows found while draining an event socket.
package struct Drained: Hashable, Sendable {
    /// Datagrams from the kernel.
    package var fromKernel = 0
    /// Datagrams from other senders, which are ignored.
    package var fromOthers = 0
    /// The number of times that the kernel reported events dropped because the buffer was full (ENOBUFS).
    package var overflows = 0

    /// Whether the kernel sent or dropped an event.
    package var isChange: Bool { fromKernel > 0 || overflows > 0 }
}

extension NetlinkSocket {
    /// Discards the datagrams that are queued on a non-blocking socket.
    ///
    /// The contents of events are not used, because the kernel reports causes but not all of their effects. Instead,
    /// each burst leads to a new route check.
    ///
    /// - Parameter limit: the maximum number of datagrams, so that a burst does not block the queue. The socket stays
    ///   readable while datagrams remain.
    package func drain(atMost limit: Int) throws(NetlinkError) -> Drained {
        var drained = Drained()
        for _ in 0..<limit {
            do throws(NetlinkError) {
                guard let (_, port) = try receive(into: UnsafeMutableRawBufferPointer(start: nil, count: 0)) else {
                    break
                }
                if port == 0 { drained.fromKernel += 1 } else { drained.fromOthers += 1 }
            } catch .failed(.receive, ENOBUFS) {
                // The kernel dropped events, so the known state is out of date. Continue, to make room for new events.
                drained.overflows += 1
            }
        }
        return drained
    }
}
