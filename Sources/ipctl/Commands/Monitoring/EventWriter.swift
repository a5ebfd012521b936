/// A writer of events to standard output. It writes only while the pipe has room, so that a signal can end the program
/// while the reader is stalled.
struct EventWriter {
    private let stream: InterruptibleStream
    /// Complete lines that have not been written yet.
    private var chunk: [UInt8] = []
    /// The kept events in the chunk, each with the end offset of its line.
    private var marks: [(end: Int, cursor: CursorFile.Cursor)] = []
    /// The last kept event whose complete line has been written.
    private(set) var written: CursorFile.Cursor?

    /// - Parameters:
    ///   - interruption: signals that end the wait for room.
    ///   - deadline: the deadline of the command; nil for none.
    init(descriptor: Int32, interruption: SignalPipe?, deadline: Deadline?) {
        stream = InterruptibleStream(descriptor: descriptor, interruption: interruption, deadline: deadline)
    }

    /// Adds a line, and writes the lines before it once they fill a chunk.
    ///
    /// - Parameter cursor: the event, if it is kept.
    mutating func append(_ line: [UInt8], _ cursor: CursorFile.Cursor?) throws(CommandError) {
        if !chunk.isEmpty, chunk.count + line.count > InterruptibleStream.pieceBytes { try flush() }
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
        try stream.write(chunk, from: &start)
    }
}

extension CommandError {
    /// The error for a command that ran until its `--timeout` expired.
    init(timeLimit deadline: Deadline) {
        let span = Times.exactSpan(milliseconds: deadline.spanMilliseconds)
        self.init(status: .tryLater, message: "the time limit of \(span) has passed", isTimeout: true)
    }
}
