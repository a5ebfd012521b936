import Glibc

/// An output to which bytes are written only while there is room, so that a signal can end the program while the reader
/// is stalled.
struct InterruptibleStream {
    let descriptor: Int32
    /// Signals that end the wait for room.
    let interruption: SignalPipe?
    /// The deadline of the command; nil for none.
    let deadline: Deadline?

    /// Bytes that a pipe accepts without blocking if poll(2) reports it as writable (pipe(7), PIPE_BUF).
    static let pieceBytes = 4_096

    /// Writes the bytes from an index to the end.
    ///
    /// - Parameter start: the index, advanced by the written bytes even if an error is thrown.
    func write(_ bytes: [UInt8], from start: inout Int) throws(CommandError) {
        while start < bytes.count {
            try awaitRoom()
            let piece = bytes[start..<min(start + Self.pieceBytes, bytes.count)]
            let count = piece.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                start += count
            } else if errno == EPIPE {
                throw CommandError.closedPipe
            } else if errno != EINTR, errno != EAGAIN {
                throw CommandError(writeError: errno)
            }
        }
    }

    /// Waits until there is room, a signal has arrived, or the deadline has passed.
    private func awaitRoom() throws(CommandError) {
        while true {
            var waiting = [
                pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0),
                pollfd(fd: interruption?.descriptor ?? -1, events: Int16(POLLIN), revents: 0),
            ]
            let count = poll(&waiting, 2, deadline?.remaining ?? -1)
            try interruption?.check()
            if count > 0 { return }
            if let deadline, deadline.isOver { throw CommandError(timeLimit: deadline) }
        }
    }
}
