import Dispatch
import Glibc
import Synchronization
import Testing

@testable import Daemon

/// Closing connections of several users. Connections are numbers, and close(2) is simulated.
@Suite(.timeLimit(.minutes(20))) struct ConnectionCloserTests {
    /// Simulates close(2), which blocks for some connections until they are released.
    private final class Closing: Sendable {
        let begun = Mutex<[Int32]>([])
        let done = Tally()
        let entered = Tally()
        private let blocked: [Int32: DispatchSemaphore]

        init(blocking connections: Int32...) {
            blocked = Dictionary(uniqueKeysWithValues: connections.map { ($0, DispatchSemaphore(value: 0)) })
        }

        func close(_ connection: Int32) {
            begun.withLock { $0.append(connection) }
            entered.note()
            blocked[connection]?.wait()
        }

        func release(_ connection: Int32) { blocked[connection]?.signal() }
    }

    private static func closer(_ closing: Closing, limit: Int = 100, maxThreads: Int = 10) -> ConnectionCloser {
        ConnectionCloser(limit: limit, maxThreads: maxThreads) { closing.close($0) }
    }

    @Test func `a blocked close delays connections of the same user only`() {
        let closing = Closing(blocking: 1)
        let closer = Self.closer(closing)
        for connection: Int32 in 1...3 { closer.close(connection, of: 1_000) { closing.done.note() } }
        #expect(closing.entered.wait(for: 1, within: 30))
        for connection: Int32 in 11...13 { closer.close(connection, of: 1_001) { closing.done.note() } }
        #expect(closing.done.wait(for: 3, within: 30))
        #expect(closing.begun.withLock { $0 } == [1, 11, 12, 13])
        #expect(closer.pending == 3)
        closing.release(1)
        #expect(closing.done.wait(for: 6, within: 30))
        #expect(closing.begun.withLock { $0 } == [1, 11, 12, 13, 2, 3])
        #expect(closer.pending == 0)
    }

    @Test func `a user without a thread waits until one is free`() {
        let closing = Closing(blocking: 1, 2)
        let closer = Self.closer(closing, maxThreads: 2)
        for connection: Int32 in 1...4 {
            closer.close(connection, of: uid_t(connection)) { closing.done.note() }
        }
        #expect(closing.entered.wait(for: 2, within: 30))
        #expect(closing.begun.withLock { Set($0) } == [1, 2])
        closing.release(2)
        #expect(closing.done.wait(for: 3, within: 30))
        #expect(closing.begun.withLock { $0.dropFirst(2) } == [3, 4])
        closing.release(1)
        #expect(closing.done.wait(for: 4, within: 30))
    }

    @Test func `users with many connections take turns if there are more users than threads`() {
        let closing = Closing(blocking: 1)
        let closer = Self.closer(closing, maxThreads: 1)
        for connection: Int32 in 1...3 { closer.close(connection, of: 1_000) { closing.done.note() } }
        #expect(closing.entered.wait(for: 1, within: 30))
        closer.close(11, of: 1_001) { closing.done.note() }
        closing.release(1)
        #expect(closing.done.wait(for: 4, within: 30))
        #expect(closing.begun.withLock { $0 } == [1, 11, 2, 3])
    }

    @Test func `the limit counts the connections of all users`() {
        let closing = Closing(blocking: 1, 2)
        let closer = Self.closer(closing, limit: 2)
        closer.close(1, of: 1_000) { closing.done.note() }
        #expect(!closer.isFull)
        closer.close(2, of: 1_001) { closing.done.note() }
        #expect(closer.isFull)
        closing.release(1)
        #expect(closing.done.wait(for: 1, within: 30))
        #expect(!closer.isFull)
        closing.release(2)
        #expect(closing.done.wait(for: 2, within: 30))
    }
}
