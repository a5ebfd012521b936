import CLinux
import Glibc
import Synchronization
import Testing

@testable import Daemon

/// Receiving and closing on connections on which the kernel does not refuse descriptors.
@Suite struct ConnectionTests {
    /// A connection and the client's end of it.
    private static func pair(settingUp: (Int32) -> Void = { _ in }) throws -> (Connection, client: Int32) {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
        try #require(socketpair(AF_UNIX, type, 0, &ends) == 0)
        settingUp(ends[0])
        let connection = Connection(ends[0])
        try #require(connection.mayPassDescriptors)
        return (connection, ends[1])
    }

    private static func received(by connection: Connection) -> (count: Int, text: String) {
        var room = [UInt8](repeating: 0, count: 100)
        let count = room.withUnsafeMutableBytes { connection.receive(into: $0) }
        return (count, String(decoding: room.prefix(max(count, 0)), as: UTF8.self))
    }

    private static func passDescriptor(over client: Int32, with bytes: String) -> Bool {
        clinux_send_descriptor(client, bytes, bytes.utf8.count, client, 0) == 0
    }

    /// A closer that counts the connections it receives, and closes none.
    private static func recorder() -> (ConnectionCloser, Tally) {
        let given = Tally()
        return (ConnectionCloser { _ in given.note() }, given)
    }

    @Test func `bytes are received up to the first descriptor, which stays unread`() throws {
        let (connection, client) = try Self.pair()
        defer { for end in [connection.descriptor, client] { close(end) } }
        #expect(Self.received(by: connection).count == -1 && errno == EAGAIN)
        #expect(send(client, "ab", 2, 0) == 2)
        #expect(Self.received(by: connection) == (2, "ab"))
        #expect(Self.passDescriptor(over: client, with: "c"))
        for _ in 0..<2 { #expect(Self.received(by: connection).count == Connection.hasDescriptors) }
    }

    @Test(arguments: [SO_PASSCRED, SO_PASSSEC])
    func `credentials that the socket was set to receive are not mistaken for descriptors`(option: Int32) throws {
        let (connection, client) = try Self.pair { descriptor in
            var on: Int32 = 1
            setsockopt(descriptor, SOL_SOCKET, option, &on, socklen_t(MemoryLayout<Int32>.size))
        }
        defer { for end in [connection.descriptor, client] { close(end) } }
        #expect(send(client, "ab", 2, 0) == 2)
        #expect(Self.received(by: connection) == (2, "ab"))
    }

    @Test func `unread bytes alone do not occupy the closer`() throws {
        let (connection, client) = try Self.pair()
        defer { close(client) }
        let (closer, given) = Self.recorder()
        let bytes = [UInt8](repeating: 0x20, count: 100_000)
        #expect(send(client, bytes, bytes.count, 0) == bytes.count)
        let done = Tally()
        connection.close(by: closer) { done.note() }
        #expect(done.count == 1 && given.count == 0 && closer.pending == 0)
        #expect(fcntl(connection.descriptor, F_GETFD) == -1)
    }

    @Test func `a connection with unread descriptors is shut down at once and closed by the closer`() throws {
        let (connection, client) = try Self.pair()
        defer { for end in [connection.descriptor, client] { close(end) } }
        let (closer, given) = Self.recorder()
        #expect(send(client, "ab", 2, 0) == 2)
        #expect(Self.passDescriptor(over: client, with: "c"))
        connection.close(by: closer)
        #expect(given.wait(for: 1, within: 30))
        var byte: UInt8 = 0
        #expect(read(client, &byte, 1) == 0)
        #expect(send(client, "d", 1, Int32(MSG_NOSIGNAL)) == -1 && errno == EPIPE)
    }
}
