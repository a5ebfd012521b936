import DequeModule
import Glibc

/// The replies to a client that its socket has not accepted yet.
///
/// They are stored in pieces, because many outboxes grow at the same time: a growing buffer frees blocks of memory that
/// are too small for the other buffers.
struct Outbox: ~Copyable {
    private var pieces: Deque<[UInt8]> = []
    /// The number of bytes of the first piece that have been sent.
    private var start = 0
    /// The number of unsent bytes.
    private(set) var bytes = 0
    /// The memory that the outbox occupies, in bytes.
    private(set) var reservedBytes = 0

    /// Maximum size of a piece, unless a single message is larger. With the overhead of an array and malloc(3), a piece
    /// fills whole pages.
    private static let pieceBytes = 65_536 - 64
    /// Bytes that an array and malloc(3) need in addition to those of a piece.
    private static let overheadBytes = 48

    mutating func append(_ message: [UInt8]) {
        guard !message.isEmpty else { return }
        bytes += message.count
        if let last = pieces.indices.last, pieces[last].count + message.count <= Self.pieceBytes {
            let before = pieces[last].capacity
            let needed = pieces[last].count + message.count
            // Without a reserved capacity, an array may grow beyond the size of a piece.
            if needed > before { pieces[last].reserveCapacity(min(max(needed, 2 * before), Self.pieceBytes)) }
            pieces[last] += message
            reservedBytes += pieces[last].capacity - before
        } else {
            pieces.append(message)
            reservedBytes += message.capacity + Self.overheadBytes
        }
    }

    mutating func append(_ messages: UnsafeBufferPointer<UInt8>) {
        var rest = messages[...]
        while !rest.isEmpty {
            append(Array(rest.prefix(Self.pieceBytes)))
            rest = rest.dropFirst(Self.pieceBytes)
        }
    }

    /// Sends messages after those in the outbox, and stores the bytes that the socket does not accept.
    ///
    /// - Returns: false if the connection is broken.
    mutating func write(_ messages: UnsafeBufferPointer<UInt8>, to descriptor: Int32) -> Bool {
        guard bytes == 0 else {
            append(messages)
            return write(to: descriptor)
        }
        var sent = 0
        while sent < messages.count {
            let count = send(
                descriptor, messages.baseAddress.map { $0 + sent }, messages.count - sent, Int32(MSG_NOSIGNAL))
            let reason = errno
            if count > 0 {
                sent += count
            } else if reason != EINTR {
                append(UnsafeBufferPointer(rebasing: messages[sent...]))
                return reason == EAGAIN
            }
        }
        return true
    }

    /// Sends as much as the socket accepts without blocking.
    ///
    /// - Returns: false if the connection is broken.
    @discardableResult
    mutating func write(to descriptor: Int32) -> Bool {
        while let piece = pieces.first {
            let count = piece.withUnsafeBytes { bytes in
                // Not write(2): a disconnected client must not raise SIGPIPE.
                send(descriptor, bytes.baseAddress.map { $0 + start }, bytes.count - start, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                start += count
                bytes -= count
                guard start == piece.count else { continue }
                reservedBytes -= piece.capacity + Self.overheadBytes
                pieces.removeFirst()
                start = 0
            } else if errno != EINTR {
                return errno == EAGAIN
            }
        }
        return true
    }
}
