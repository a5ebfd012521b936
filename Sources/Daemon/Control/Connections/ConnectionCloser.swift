import DequeModule
import Foundation
import Glibc
import NIOConcurrencyHelpers

/// Closes connections with unread descriptors on threads of its own, because closing such a connection may block.
///
/// The kernel drops the descriptors with the connection. The client then determines how long the close takes: a socket
/// may linger (SO_LINGER), or a file system in user space may not respond. Therefore, each user has a separate queue,
/// from which one connection is closed at a time, so a blocked close delays only connections of the same user.
///
/// The number of threads is bounded. If they are all blocked, other connections with unread descriptors wait.
/// Connections without such descriptors are never closed here.
final class ConnectionCloser: Sendable {
    private struct Item {
        var connection: Int32
        var done: @Sendable () -> Void
    }

    private struct State {
        /// The queue of waiting connections for each user that has a waiting connection or one that is being closed.
        var queues: [uid_t: Deque<Item>] = [:]
        /// Users that have waiting connections and no connection that is being closed, in the order of their turns.
        var turns: Deque<uid_t> = []
        /// Connections that are not closed yet.
        var pending = 0
        var threads = 0
    }

    private let state = NIOLockedValueBox(State())
    private let limit: Int
    private let maxThreads: Int
    private let closeConnection: @Sendable (Int32) -> Void

    /// Maximum number of connections that may wait: half of the descriptors that the process may have. The other half
    /// is for the store, the provider and other clients. systemd gives a service 524,288.
    ///
    /// ``ConnectionLimiter`` bounds the admitted connections of one user. The kernel bounds the refused connections:
    /// for each, the user has to keep a descriptor in flight, and may have at most RLIMIT_NOFILE descriptors in flight
    /// (unix(7), ETOOMANYREFS).
    static var maxPending: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 512 }
        return Int(clamping: limit.rlim_cur / 2)
    }

    /// Maximum number of users whose connections are closed at the same time: a fraction of the unit's TasksMax=.
    static let maxThreads = 64

    /// - Parameter closeConnection: close(2); called on a thread of the closer.
    init(
        limit: Int = maxPending, maxThreads: Int = ConnectionCloser.maxThreads,
        closeConnection: @escaping @Sendable (Int32) -> Void = { Glibc.close($0) }
    ) {
        self.limit = limit
        self.maxThreads = maxThreads
        self.closeConnection = closeConnection
    }

    /// Whether the number of pending connections has reached the limit. Callers check this before they accept another
    /// connection.
    var isFull: Bool { pending >= limit }

    /// Connections that are not closed yet.
    var pending: Int { state.withLockedValue { $0.pending } }

    /// Closes a connection once the earlier connections of the same user are closed.
    ///
    /// - Parameter done: called on a thread of the closer when the connection is closed.
    func close(_ connection: Int32, of user: uid_t, done: @escaping @Sendable () -> Void = {}) {
        let item = Item(connection: connection, done: done)
        let needsThread = state.withLockedValue { state in
            state.pending += 1
            guard state.queues[user] == nil else {
                state.queues[user]?.append(item)
                return false
            }
            state.queues[user] = [item]
            state.turns.append(user)
            guard state.threads < maxThreads else { return false }
            state.threads += 1
            return true
        }
        if needsThread { Thread.detachNewThread { self.run() } }
    }

    private func run() {
        var next = next(after: nil)
        while let (user, item) = next {
            closeConnection(item.connection)
            state.withLockedValue { $0.pending -= 1 }
            item.done()
            next = self.next(after: user)
        }
    }

    /// Returns the next connection to close. If no connection is left, returns nil, and the calling thread must exit.
    ///
    /// - Parameter user: the user whose connection the thread has closed.
    private func next(after user: uid_t?) -> (user: uid_t, item: Item)? {
        state.withLockedValue { state in
            if let user {
                if state.queues[user]?.isEmpty == true { state.queues[user] = nil } else { state.turns.append(user) }
            }
            guard let next = state.turns.popFirst(), let item = state.queues[next]?.popFirst() else {
                state.threads -= 1
                return nil
            }
            return (next, item)
        }
    }
}
