import CLinux
import Foundation
import Glibc
import RecordKeeping
import Synchronization
import Testing

@testable import Daemon

/// Accepting while the kernel has no memory or no descriptors.
@Suite(.timeLimit(.minutes(20))) struct ConnectionAcceptorTests {
    /// Fails a number of times with an error, then accepts connections. Counts the calls.
    private final class FailingAccept: Sendable {
        private let state: Mutex<(errno: Int32, left: Int, calls: Int)>

        init(errno: Int32, times: Int) {
            state = Mutex((errno, times, 0))
        }

        var calls: Int { state.withLock { $0.calls } }

        func accept(_ listener: Int32) -> Int32 {
            let reason = state.withLock { state -> Int32 in
                state.calls += 1
                guard state.left > 0 else { return 0 }
                state.left -= 1
                return state.errno
            }
            guard reason != 0 else { return clinux_accept(listener) }
            errno = reason
            return -1
        }
    }

    @Test(arguments: [ENOMEM, ENOBUFS, ENFILE, EMFILE])
    func `after a failure accepting pauses, and then all connections are accepted`(reason: Int32) async throws {
        let failing = FailingAccept(errno: reason, times: 6)
        let began = SystemClock.now.boot
        try await Service.run(acceptConnection: { failing.accept($0) }) { service in
            let client = try service.connect()
            try client.send(CallText.info)
            #expect(try client.message()?.contains("iprecordd") == true)
        }
        // With a spare descriptor, each attempt fails twice.
        let pauses = reason == EMFILE || reason == ENFILE ? 3 : 6
        #expect(SystemClock.now.boot - began >= ConnectionAcceptor.pause * pauses - .milliseconds(50))
        // At most one more call for each time that the source fires.
        #expect(failing.calls < 20, "\(failing.calls)")
    }

    @Test func `an interrupted call is repeated at once`() async throws {
        let failing = FailingAccept(errno: EINTR, times: 3)
        try await Service.run(acceptConnection: { failing.accept($0) }) { service in
            let client = try service.connect()
            try client.send(CallText.info)
            #expect(try client.message()?.contains("iprecordd") == true)
        }
    }

    @Test func `the acceptor can end during a pause`() async throws {
        let failing = FailingAccept(errno: ENOMEM, times: .max)
        try await Service.run(acceptConnection: { failing.accept($0) }) { service in
            let client = try service.connect()
            try client.send(CallText.info)
            let deadline = SystemClock.now.advanced(by: .seconds(60))
            while failing.calls == 0, SystemClock.now.boot < deadline.boot { service.onQueue { _ in } }
            #expect(failing.calls == 1)
        }
    }
}
