import Glibc

/// A writer of events to standard output. It writes only while the pipe has room, so that a signal can end the program
/// while the reader is stalled.
struct EventWriter {
    private let descriptor: Int32
    private let interruption: SignalPipe?
    private let deadline: Deadline?
    /// Complete lines that have not been written yet.
    private var chunk: [UInt8] = []
    /// The kept events in the chunk, each with the end offset of its line.
    private var marks: [(end: Int, cursor: CursorFile.Cursor)] = []
    /// The last kept event whose complete line has been written.
    private(set) var written: CursorFile.Cursor?

    /// Bytes that a pipe accepts without blocking if poll(2) reports it as writable (pipe(7), PIPE_BUF).
    private static let chunkBytes = 4_096

    /// - Parameters:
    ///   - interruption: signals that end the wait for room.
    ///   - deadline: the deadline of the command; nil for none.
    init(descriptor: Int32, interruption: SignalPipe?, deadline: Deadline?) {
        (self.descriptor, self.interruption, self.deadline) = (descriptor, interruption, deadline)
    }

    /// Adds a line, and writes the lines before it once they fill a chunk.
    ///
    /// - Parameter cursor: the event, if it is kept.
    mutating func append(_ line: [UInt8], _ cursor: CursorFile.Cursor?) throws(CommandError) {
        if !chunk.isEmpty, chunk.count + line.count > Self.chunkBytes { try flush() }
        chunk += line
        if let cursor { marks.append((chunk.count, cursor)) }
    }

    /// Writes all lines.
    mutating func flush() throws(CommandError) {
        var start = 0
        defer {
            written = marks.last { $0.end <= start }?.cursor ?? written
            (chunk, marks) = ([], [])
        }
        while start < chunk.count {
            try awaitRoom()
            let piece = chunk[start..<min(start + Self.chunkBytes, chunk.count)]
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

extension CommandError {
    /// The error for a command that ran until its `--timeout` expired.
    init(timeLimit deadline: Deadline) {
        let span = Times.exactSpan(milliseconds: deadline.spanMilliseconds)
        self.init(status: .tryLater, message: "the time limit of \(span) has passed", isTimeout: true)
    }
}
