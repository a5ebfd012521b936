import Glibc

/// The reader of the program's output, such as the process at the other end of a pipe.
struct OutputReader {
    /// The descriptor to which the program writes.
    let descriptor: Int32

    /// The argument for poll(2), which reports errors and hang-ups even if no events are requested. Both mean that the
    /// reader has gone.
    var polled: pollfd { pollfd(fd: descriptor, events: 0, revents: 0) }

    /// - Parameter polled: the argument after poll(2) has returned.
    /// - Throws: the error of a failed write, if the reader has gone.
    static func check(_ polled: pollfd) throws(CommandError) {
        guard polled.revents != 0 else { return }
        throw polled.revents & Int16(POLLNVAL) == 0 ? CommandError.closedPipe : CommandError(writeError: EBADF)
    }
}
