import Glibc

/// Splits a byte stream into messages, each of which ends with one NUL byte (varlink.org, "Wire format").
///
/// The stream may arrive in pieces of any size. Each byte is examined only once, regardless of the size of the pieces.
package struct Framer: Sendable {
    /// The maximum size of a message in bytes, without its NUL.
    package let limitBytes: Int
    private var buffer: [UInt8] = []
    /// The index at which the first unread message begins.
    private var start = 0
    /// The index from which to search for the next NUL: there is none between `start` and this index.
    private var scanned = 0
    /// The error after which the stream is ignored and nothing is buffered.
    private var failure: ConversationError?

    package init(limitBytes: Int) {
        self.limitBytes = limitBytes
    }

    /// Capacity in bytes above which an empty buffer is freed. Each of ten thousand connections may keep this much.
    private static let maxReserved = 4_096

    /// The capacity of the buffer, in bytes.
    var reservedBytes: Int { buffer.capacity }

    /// The number of bytes received and not yet returned in a message.
    package var bufferedBytes: Int { buffer.count - start }

    /// Appends bytes of the stream. After a failure, bytes are ignored.
    package mutating func receive(_ bytes: some Sequence<UInt8>) {
        Array(bytes).withUnsafeBytes { receive($0) }
    }

    /// Appends bytes of the stream. After a failure, bytes are ignored.
    package mutating func receive(_ bytes: UnsafeRawBufferPointer) {
        guard failure == nil else { return }
        if start > 0, start >= buffer.count / 2 {
            // No more bytes are moved than were consumed, so the amortized cost per byte is constant.
            if reservedBytes > Self.maxReserved {
                buffer = Array(buffer[start...])
            } else {
                buffer.removeSubrange(..<start)
            }
            scanned -= start
            start = 0
        }
        buffer.append(contentsOf: bytes)
    }

    /// Returns the next complete message, without its NUL; nil until more bytes arrive.
    ///
    /// - Throws: `messageTooLong`, or the error passed to `fail`; every later call throws it again.
    package mutating func next() throws(ConversationError) -> ArraySlice<UInt8>? {
        if let failure { throw failure }
        let end = nextEnd()
        guard (end ?? buffer.count) - start <= limitBytes else {
            throw fail(.messageTooLong(limitBytes: limitBytes))
        }
        guard let end else { return nil }
        let message = buffer[start..<end]
        pass(end)
        return message
    }

    /// The length of the next complete message in bytes, without its NUL; nil until more bytes arrive.
    mutating func nextMessageBytes() -> Int? {
        failure == nil ? nextEnd().map { $0 - start } : nil
    }

    /// Consumes the next complete message if `isDone` returns true for it.
    ///
    /// - Returns: whether a message was consumed.
    mutating func skip(_ isDone: (UnsafeBufferPointer<UInt8>) -> Bool) -> Bool {
        guard failure == nil, let end = nextEnd(), end - start <= limitBytes else { return false }
        let isOver = buffer.withUnsafeBufferPointer { isDone(UnsafeBufferPointer(rebasing: $0[start..<end])) }
        if isOver { pass(end) }
        return isOver
    }

    /// Returns the index of the NUL that ends the next message; nil if it has not arrived.
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
        if start == buffer.count, reservedBytes > Self.maxReserved { (buffer, start, scanned) = ([], 0, 0) }
    }

    /// Discards the rest of the stream.
    ///
    /// - Returns: the error, to be thrown.
    mutating func fail(_ error: ConversationError) -> ConversationError {
        failure = error
        (buffer, start, scanned) = ([], 0, 0)
        return error
    }
}
