import CLinux
import Glibc
import Testing

@testable import Daemon

@Suite struct OutboxTests {
    /// Calls `body` with a pair of non-blocking sockets, of which the first has a small send buffer.
    private static func withPair(_ body: (Int32, Int32) throws -> Void) throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        var room: Int32 = 4_096
        setsockopt(ends[0], SOL_SOCKET, SO_SNDBUF, &room, 4)
        try body(ends[0], ends[1])
    }

    private static func read(_ descriptor: Int32, atMost count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let taken = Glibc.read(descriptor, &bytes, count)
        return Array(bytes.prefix(max(0, taken)))
    }

    @Test func `writing an empty outbox succeeds`() throws {
        try Self.withPair { near, far in
            var outbox = Outbox()
            let isOpen = outbox.write(to: near)
            outbox.append([])
            let isOpenStill = outbox.write(to: near)
            #expect(isOpen && isOpenStill)
            #expect(outbox.bytes == 0)
            #expect(Self.read(far, atMost: 1) == [])
        }
    }

    @Test func `bytes that the socket does not accept are kept, and all bytes arrive in order`() throws {
        try Self.withPair { near, far in
            var outbox = Outbox()
            var (sent, arrived) = ([UInt8](), [UInt8]())
            var number: UInt8 = 0
            for step in 0..<400 {
                let message = [UInt8](repeating: number, count: step * 37 % 1_500)
                number &+= 1
                sent += message
                outbox.append(message)
                let isOpen = outbox.write(to: near)
                #expect(isOpen)
                // Reading is slower than appending, so that unsent bytes remain.
                arrived += Self.read(far, atMost: 500)
                let bytesInFlight = sent.count - arrived.count - outbox.bytes
                #expect(bytesInFlight >= 0)
            }
            #expect(outbox.bytes > 0)
            while arrived.count < sent.count {
                let part = Self.read(far, atMost: 100_000)
                guard !part.isEmpty || outbox.bytes > 0 else { break }
                arrived += part
                let isOpen = outbox.write(to: near)
                #expect(isOpen)
            }
            // Compared outside the expectation, which would take an hour to describe a difference.
            let isWhole = arrived == sent
            #expect(isWhole)
            #expect(outbox.bytes == 0)
        }
    }

    @Test func `a large message is stored in pieces, and arrives unchanged`() throws {
        try Self.withPair { near, far in
            var outbox = Outbox()
            let sent = (0..<500_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
            let isOpen = sent.withUnsafeBufferPointer { outbox.write($0, to: near) }
            outbox.append(Array(sent.prefix(10)))
            #expect(isOpen && outbox.bytes > 400_000)
            var arrived: [UInt8] = []
            while arrived.count < sent.count + 10 {
                let part = Self.read(far, atMost: 100_000)
                guard !part.isEmpty || outbox.bytes > 0 else { break }
                arrived += part
                let isOpen = outbox.write(to: near)
                #expect(isOpen)
            }
            let isWhole = arrived == sent + sent.prefix(10)
            #expect(isWhole)
        }
    }

    @Test func `a closed peer is reported without a signal`() throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { close(ends[0]) }
        close(ends[1])
        var outbox = Outbox()
        outbox.append([1, 2, 3])
        let isOpen = outbox.write(to: ends[0])
        #expect(!isOpen)
    }

    @Test func `an invalid descriptor is reported`() {
        var outbox = Outbox()
        outbox.append([1])
        let isOpen = outbox.write(to: -1)
        #expect(!isOpen)
    }
}
