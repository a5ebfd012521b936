import Glibc

/// Takes a byte stream apart into messages, each of which ends with one NUL byte (varlink.org, "Wire format").
///
/// Bytes may come in any pieces. Every byte is looked at once, however the pieces are cut.
package struct Framer: Sendable {
    package enum Failure: Error, Hashable, Sendable {
        /// A message grew beyond the limit before its end came; the stream is of no further use.
        case messageTooLong(limitBytes: Int)
    }

    /// The largest message, without its NUL.
    package let limitBytes: Int
    private var buffer: [UInt8] = []
    /// Where the first message that was not taken yet begins.
    private var start = 0
    /// Up to here there is no NUL after `start`.
    private var scanned = 0
    /// Why there are no more messages. Nothing is kept from then on.
    private var failure: Failure?

    package init(limitBytes: Int) {
        self.limitBytes = limitBytes
    }

    /// Capacity in bytes above which an empty buffer is freed: each of ten thousand connections may keep this much.
    private static let mostReserved = 4_096

    /// Room that is kept for bytes.
    var reservedBytes: Int { buffer.capacity }

    /// Bytes that came and were not taken yet.
    package var bufferedBytes: Int { buffer.count - start }

    package mutating func receive(_ bytes: some Sequence<UInt8>) {
        Array(bytes).withUnsafeBytes { receive($0) }
    }

    package mutating func receive(_ bytes: UnsafeRawBufferPointer) {
        guard failure == nil else { return }
        if start > 0, start >= buffer.count / 2 {
            // What is left is less than what goes, so the moving costs each byte once.
            if reservedBytes > Self.mostReserved {
                buffer = Array(buffer[start...])
            } else {
                buffer.removeSubrange(..<start)
            }
            scanned -= start
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// The next whole message, without its NUL; nil until more bytes come.
    package mutating func next() throws(Failure) -> ArraySlice<UInt8>? {
        if let failure { throw failure }
        guard let end = nextEnd() else {
            guard bufferedBytes <= limitBytes else { throw tooLong() }
            return nil
        }
        guard end - start <= limitBytes else { throw tooLong() }
        let message = buffer[start..<end]
        pass(end)
        return message
    }

    /// The length of the next complete message, without its NUL; nil until more bytes arrive.
    mutating func nextMessageBytes() -> Int? {
        failure == nil ? nextEnd().map { $0 - start } : nil
    }

    /// Passes over the next whole message, where `isDone` says so of it.
    mutating func skip(_ isDone: (UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
        guard failure == nil, let end = nextEnd(), end - start <= limitBytes else { return false }
        let isOver = buffer.withUnsafeBufferPointer { isDone(UnsafeBufferPointer(rebasing: $0[start..<end])) }
        if isOver { pass(end) }
        return isOver
    }

    /// Where the NUL of the next message is.
    private mutating func nextEnd() -> Int? {
        let length = buffer.withUnsafeBytes { bytes -> Int? in
            guard let base = bytes.baseAddress, let found = memchr(base + scanned, 0, bytes.count - scanned) else {
                return nil
            }
            return UnsafeRawPointer(found) - base
        }
        scanned = length ?? buffer.count
        return length
    }

    private mutating func pass(_ end: Int) {
        start = end + 1
        scanned = start
        if start == buffer.count, reservedBytes > Self.mostReserved { (buffer, start, scanned) = ([], 0, 0) }
    }

    private mutating func tooLong() -> Failure {
        let failure = Failure.messageTooLong(limitBytes: limitBytes)
        self.failure = failure
        (buffer, start, scanned) = ([], 0, 0)
        return failure
    }
}
