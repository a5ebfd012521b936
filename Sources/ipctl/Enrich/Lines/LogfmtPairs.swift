/// The pairs of a line of logfmt.
struct LogfmtPairs {
    struct Pair {
        /// The bytes of the key; empty for a word without an equals sign.
        let key: Range<Int>
        /// The bytes of the value with its quotes.
        let value: Range<Int>
    }

    private let line: UnsafeBufferPointer<UInt8>
    private var index = 0

    /// - Parameter line: without its line break.
    init(_ line: UnsafeBufferPointer<UInt8>) {
        self.line = line
    }

    /// Returns the next pair; nil at the end of the line.
    mutating func next() -> Pair? {
        while index < line.count, line[index] <= 0x20 { index += 1 }
        guard index < line.count else { return nil }
        let start = index
        while index < line.count, line[index] > 0x20, line[index] != UInt8(ascii: "=") { index += 1 }
        guard index < line.count, line[index] == UInt8(ascii: "="), index > start else {
            skipValue(from: start)
            return Pair(key: start..<start, value: start..<index)
        }
        let key = start..<index
        skipValue(from: index + 1)
        return Pair(key: key, value: key.upperBound + 1..<index)
    }

    private mutating func skipValue(from start: Int) {
        index = start
        let isQuoted = index < line.count && line[index] == UInt8(ascii: "\"")
        if isQuoted {
            index += 1
            while index < line.count, line[index] != UInt8(ascii: "\"") {
                index += line[index] == UInt8(ascii: "\\") ? 2 : 1
            }
            index = min(index, line.count)
        }
        while index < line.count, line[index] > 0x20 { index += 1 }
    }
}
