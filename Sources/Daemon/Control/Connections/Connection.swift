import CLinux
import Glibc

/// A client's connection. Descriptors that the client passes cannot block receiving or closing.
///
/// No method of the interface accepts a descriptor. If the kernel can refuse descriptors (SO_PASSRIGHTS, Linux 6.16),
/// it does so on every connection made after the option was set on the listening socket. On other connections,
/// descriptors stay in the kernel unread, until a ``ConnectionCloser`` closes the connection.
struct Connection: Sendable {
    let descriptor: Int32
    /// Whether the client may pass descriptors: true if the kernel does not refuse them on this connection.
    let mayPassDescriptors: Bool

    /// The result of `receive` if descriptors come with the next bytes.
    static let hasDescriptors = Int(CLINUX_HAS_DESCRIPTORS)

    /// - Parameter descriptor: connected and non-blocking; the connection owns it from now on.
    init(_ descriptor: Int32) {
        self.descriptor = descriptor
        mayPassDescriptors = clinux_may_receive_descriptors(descriptor) != 0
        if mayPassDescriptors { clinux_expect_bytes(descriptor) }
    }

    /// Receives bytes, as read(2) does.
    ///
    /// - Returns: `hasDescriptors` if descriptors come with the next bytes; the bytes and the descriptors stay unread.
    func receive(into room: UnsafeMutableRawBufferPointer) -> Int {
        mayPassDescriptors
            ? clinux_receive(descriptor, room.baseAddress, room.count) : read(descriptor, room.baseAddress, room.count)
    }

    /// Shuts the connection down and closes it. If it has unread descriptors, the closer closes it together with them;
    /// otherwise, it is closed at once.
    ///
    /// - Parameter done: called on any thread when the connection is closed.
    func close(by closer: ConnectionCloser, done: @escaping @Sendable () -> Void = {}) {
        guard mayPassDescriptors, endsWithDescriptors() else {
            Glibc.close(descriptor)
            return done()
        }
        var peer = clinux_peer()
        // This does not fail for a connected socket. In case of a failure, -1 is used, which is not the id of any user
        // (credentials(7)).
        let isKnown = clinux_peer_credentials(descriptor, &peer) == 0
        closer.close(descriptor, of: isKnown ? peer.user : .max, done: done)
    }

    /// Shuts the connection down in both directions, and discards unread bytes up to the first descriptor. No bytes
    /// arrive after the shutdown, and the client's send buffer bounds the number of bytes that have arrived.
    ///
    /// - Returns: whether unread descriptors are left.
    private func endsWithDescriptors() -> Bool {
        shutdown(descriptor, Int32(SHUT_RDWR))
        return withUnsafeTemporaryAllocation(byteCount: 16_384, alignment: 16) { room in
            while true {
                let count = receive(into: room)
                if count <= 0 { return count == Self.hasDescriptors }
            }
        }
    }
}
