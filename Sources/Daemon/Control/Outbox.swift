import Glibc

/// What is to be sent to a client, as far as its socket has not taken it.
struct Outbox {
    private var buffer: [UInt8] = []
    private var start = 0

    /// Not sent yet.
    var bytes: Int { buffer.count - start }

    mutating func append(_ message: [UInt8]) {
        if buffer.isEmpty { buffer = message } else { buffer += message }
    }

    mutating func append(_ messages: UnsafeBufferPointer<UInt8>) {
        buffer += messages
    }

    /// Sends messages behind what there is, and keeps of them what the socket does not take.
    ///
    /// - Returns: false where the connection is broken.
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

    /// Sends what the socket takes without waiting.
    ///
    /// - Returns: false where the connection is broken.
    @discardableResult
    mutating func write(to descriptor: Int32) -> Bool {
        while bytes > 0 {
            let count = buffer.withUnsafeBytes { bytes in
                // Not write(2): a client that has gone must not raise SIGPIPE.
                send(descriptor, bytes.baseAddress.map { $0 + start }, bytes.count - start, Int32(MSG_NOSIGNAL))
            }
            if count > 0 {
                start += count
            } else if errno == EINTR {
                continue
            } else {
                compact()
                return errno == EAGAIN
            }
        }
        buffer.removeAll(keepingCapacity: buffer.capacity <= 65_536)
        start = 0
        return true
    }

    private mutating func compact() {
        guard start > 0, start >= buffer.count / 2 else { return }
        buffer.removeSubrange(..<start)
        start = 0
    }
}
