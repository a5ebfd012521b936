/// The bytes of a stream from the current line on.
struct LineBuffer {
    private(set) var bytes: [UInt8] = []
    /// The start of the current line, and the end of its scanned part.
    var (start, scanned) = (0, 0)

    /// Appends bytes, and removes the lines before the current one.
    mutating func receive(_ received: some Sequence<UInt8>) {
        bytes.removeSubrange(..<start)
        scanned -= start
        start = 0
        bytes += received
    }
}
