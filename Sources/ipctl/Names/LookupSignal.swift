import Glibc

/// A pair of sockets through which threads report the ends of their lookups to poll(2). Each thread holds it, so that
/// no descriptor is closed and reused while a thread can still write to it.
final class LookupSignal: Sendable {
    private let readEnd: Int32
    private let writeEnd: Int32

    init() throws(CommandError) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw CommandError(status: .software, message: "cannot create a pipe: \(meaning(of: errno))")
        }
        (readEnd, writeEnd) = (ends[0], ends[1])
    }

    deinit {
        close(readEnd)
        close(writeEnd)
    }

    func send() {
        var byte: UInt8 = 0
        // The socket has space for a byte of each thread.
        _ = write(writeEnd, &byte, 1)
    }

    /// Waits until a number of lookups have ended, or until the deadline.
    func await(_ count: Int, until end: Deadline?) {
        var (rest, chunk) = (count, [UInt8](repeating: 0, count: NameLookups.maxNames))
        while rest > 0, end?.isOver != true {
            var waiting = pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0)
            guard poll(&waiting, 1, end?.remaining ?? -1) > 0 else { continue }
            rest -= max(0, read(readEnd, &chunk, chunk.count))
        }
    }
}
