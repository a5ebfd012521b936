import NIOConcurrencyHelpers
import NIOCore

/// Counts the clients' connections, and reports when there has been none for some time.
final class ConnectionCounter: Sendable {
    private struct State {
        var count = 0
        var idleEnd: Scheduled<Void>?
    }

    private let eventLoop: any EventLoop
    /// The time without connections after which `becameIdle` is called; nil for never.
    private let idleTime: TimeAmount?
    private let becameIdle: @Sendable () -> Void
    private let state = NIOLockedValueBox(State())

    /// Maximum number of connections. Together with the connections to the daemon, they stay below the usual limit on
    /// file descriptors.
    static let maximum = 4_000

    init(on eventLoop: any EventLoop, idleTime: TimeAmount?, becameIdle: @escaping @Sendable () -> Void) {
        self.eventLoop = eventLoop
        self.idleTime = idleTime
        self.becameIdle = becameIdle
        state.withLockedValue { startIdleTime(&$0) }
    }

    /// Counts a new connection.
    ///
    /// - Returns: false if there are `maximum` connections already; the connection is not counted.
    func opened() -> Bool {
        state.withLockedValue { state in
            guard state.count < Self.maximum else { return false }
            state.count += 1
            state.idleEnd?.cancel()
            state.idleEnd = nil
            return true
        }
    }

    func closed() {
        state.withLockedValue { state in
            state.count -= 1
            if state.count == 0 { startIdleTime(&state) }
        }
    }

    private func startIdleTime(_ state: inout State) {
        guard let idleTime else { return }
        state.idleEnd = eventLoop.scheduleTask(in: idleTime) { [self] in
            // A connection may have been opened while the task was about to run.
            if self.state.withLockedValue({ $0.count == 0 }) { becameIdle() }
        }
    }
}
