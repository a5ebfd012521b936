import CLinux
package import Dispatch
import Glibc
import NIOConcurrencyHelpers
package import RecordKeeping

/// Reports changes to the kernel's routes, and checks whether there is a route to an address.
///
///     let monitor = RouteMonitor(queue: queue) { keeper.handle(.routesChanged) } onEventFailure: { log($0) }
///     switch monitor.ask([address]) { … }
///
/// It watches the network namespace of the thread that creates it. If the kernel's events are unavailable,
/// `eventFailure` is the reason, and the result of every query is unknown: a route is presumed, because the return of a
/// lost route could not be detected.
///
/// If netlink fails, it is reopened with a growing delay between attempts, unless the failure is permanent, as in a
/// sandbox. After netlink is reopened, `onChange` is called, so that the caller queries again, because events may have
/// been missed.
package final class RouteMonitor: Sendable {
    /// Opens a socket. Called on the thread that creates the monitor, and later on the queue or on any thread that
    /// queries a route.
    package typealias Opening = @Sendable () throws(NetlinkError) -> NetlinkSocket

    private struct State: Sendable {
        /// Unsafe only in name: a dispatch source may be cancelled and released on any thread.
        nonisolated(unsafe) var source: (any DispatchSourceRead)?
        /// The reason why the kernel's events are unavailable.
        var eventFailure: NetlinkError?
        /// The failure of a query that the kernel did not answer; nil if there was none since netlink was last opened.
        /// No query is sent until the next attempt to reopen netlink, because each query would block for a second.
        var silence: NetlinkError?
        var delay: ReopenDelay
        /// Whether an attempt to reopen netlink is scheduled.
        var isReopening = false
        var isCancelled = false
    }

    // NIO's locks are used, since the thread sanitizer does not see how the kernel hands over a contended `Mutex`.
    private let state: NIOLockedValueBox<State>
    /// Nil after a failure; the next query opens a new socket.
    private let client: NIOLockedValueBox<RouteClient?>
    private let queue: DispatchQueue
    private let openEvents: Opening
    private let openQuerySocket: Opening
    private let onChange: @Sendable () -> Void
    private let onEventFailure: @Sendable (NetlinkError) -> Void
    private let onRecovery: @Sendable () -> Void

    /// Creates a monitor and subscribes to the kernel's events.
    ///
    /// - Parameters:
    ///   - queue: the serial queue on which the last three closures are called.
    ///   - delay: the delay between attempts to reopen netlink.
    ///   - openEvents: opens a socket for the kernel's events.
    ///   - openQuerySocket: opens a socket for queries.
    ///   - onChange: called once per wake-up when routes may have changed, so that the caller queries again. After
    ///     `cancel` on the same queue it is not called.
    ///   - onEventFailure: called each time the events become unavailable, with the reason. If they are unavailable
    ///     from the beginning, it is called on the caller's thread; otherwise it is called before the `onChange` that
    ///     follows.
    ///   - onRecovery: called when the events are available again, before the `onChange` that follows.
    package init(
        queue: DispatchQueue, delay: ReopenDelay = ReopenDelay(),
        openEvents: @escaping Opening = { () throws(NetlinkError) in try eventSocket() },
        openQuerySocket: @escaping Opening = { () throws(NetlinkError) in try querySocket() },
        onChange: @escaping @Sendable () -> Void, onEventFailure: @escaping @Sendable (NetlinkError) -> Void,
        onRecovery: @escaping @Sendable () -> Void = {}
    ) {
        (self.queue, self.openEvents, self.openQuerySocket) = (queue, openEvents, openQuerySocket)
        (self.onChange, self.onEventFailure, self.onRecovery) = (onChange, onEventFailure, onRecovery)
        state = NIOLockedValueBox(State(delay: delay))
        // If this fails, the first query tries again and reports the reason.
        client = NIOLockedValueBox((try? openQuerySocket()).map { RouteClient(socket: $0) })
        do throws(NetlinkError) {
            listen(to: try openEvents())
        } catch {
            eventsFailed(error)
        }
    }

    deinit { cancel() }

    /// The reason why the kernel's events are unavailable; nil while they are available.
    package var eventFailure: NetlinkError? { state.withLockedValue { $0.eventFailure } }

    /// Checks whether the kernel would send a packet to at least one of these addresses now.
    ///
    /// Synchronous, and safe to call from any thread. A query takes about 10 µs per address; if the kernel does not
    /// answer, it takes a second.
    package func ask(_ addresses: [IPAddress]) -> RouteStatus {
        if let reason = state.withLockedValue({ $0.eventFailure ?? $0.silence }) {
            return .unknown(reason: "\(reason)")
        }
        let (answers, failure) = client.withLockedValue { client in
            var (answers, failure) = ([RouteAnswer](), NetlinkError?.none)
            for address in addresses {
                let answer = ask(address, &client, &failure)
                answers.append(answer)
                if answer == .route || failure?.isSilent == true { break }
            }
            return (answers, failure)
        }
        // Until queries work again, a route is presumed to exist. There may be no event at that moment, so an attempt
        // to reopen netlink is scheduled.
        if let failure {
            if failure.isSilent { state.withLockedValue { $0.silence = $0.isCancelled ? nil : failure } }
            reopen(after: failure)
        }
        return RouteAnswer.status(of: answers, name: Self.interfaceName)
    }

    /// Stops listening and closes the event socket. Queries are still answered.
    package func cancel() {
        state.withLockedValue { state in
            state.isCancelled = true
            state.source?.cancel()
            state.source = nil
        }
    }

    /// Opens a socket that receives all kernel events that may indicate a route change, and nothing from other senders.
    package static func eventSocket() throws(NetlinkError) -> NetlinkSocket {
        let socket = try NetlinkSocket(isBlocking: false)
        try socket.connectToKernel()
        for group in NetlinkGroup.allCases {
            do throws(NetlinkError) {
                try socket.join(group)
            } catch .failed(.join(group), EINVAL) where group.mayBeMissing {
                continue
            }
        }
        return socket
    }

    /// Opens a socket that carries only queries to the kernel and their replies.
    package static func querySocket() throws(NetlinkError) -> NetlinkSocket {
        let socket = try NetlinkSocket(isBlocking: true)
        try socket.connectToKernel()
        try socket.setReceiveTimeout(milliseconds: RouteClient.timeoutMilliseconds)
        // Kernels before 4.12 do not explain errors; the error codes are sufficient.
        try? socket.enableExtendedErrors()
        return socket
    }

    private func listen(to socket: NetlinkSocket) {
        state.withLockedValue { state in
            let source = DispatchSource.makeReadSource(fileDescriptor: socket.descriptor, queue: queue)
            source.setEventHandler { [weak self] in
                guard let self, hasChange(at: socket) else { return }
                onChange()
            }
            // Dispatch watches the descriptor until this handler runs; the reference to the socket keeps the descriptor
            // open until then.
            source.setCancelHandler { _ = socket }
            source.activate()
            state.eventFailure = nil
            state.source = source
        }
    }

    private func hasChange(at socket: NetlinkSocket) -> Bool {
        do throws(NetlinkError) {
            let isChange = try socket.drain(atMost: Self.datagramsPerWakeUp).isChange
            state.withLockedValue { $0.delay.reset() }
            return isChange
        } catch {
            // The socket has failed. Report a change, so that the caller queries again and gets the reason.
            state.withLockedValue { state in
                state.source?.cancel()
                state.source = nil
            }
            eventsFailed(error)
            return true
        }
    }

    private func eventsFailed(_ reason: NetlinkError) {
        state.withLockedValue { $0.eventFailure = reason }
        onEventFailure(reason)
        reopen(after: reason)
    }

    // MARK: Reopening

    /// Schedules an attempt to reopen the failed socket, unless one is scheduled or the failure is permanent.
    private func reopen(after failure: NetlinkError) {
        guard !failure.isPermanent else { return }
        let delay = state.withLockedValue { state -> Duration? in
            guard !state.isCancelled, !state.isReopening else { return nil }
            state.isReopening = true
            return state.delay.next()
        }
        guard let delay else { return }
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(delay.wholeNanoseconds))) { [weak self] in
            self?.reopenNow()
        }
    }

    private func reopenNow() {
        let (isCancelled, hasNoEvents) = state.withLockedValue { state in
            state.isReopening = false
            state.silence = nil
            return (state.isCancelled, state.eventFailure != nil)
        }
        guard !isCancelled else { return }
        do throws(NetlinkError) {
            if hasNoEvents {
                listen(to: try openEvents())
                onRecovery()
            }
            onChange()
        } catch {
            // The events are still unavailable. Only the latest reason is kept, because the loss was already reported.
            state.withLockedValue { $0.eventFailure = error }
            reopen(after: error)
        }
    }

    // MARK: Queries

    /// - Parameter failure: set to the reason if the socket was closed.
    private func ask(
        _ address: IPAddress, _ client: inout RouteClient?, _ failure: inout NetlinkError?
    ) -> RouteAnswer {
        do throws(NetlinkError) {
            var working = if let client { client } else { RouteClient(socket: try openQuerySocket()) }
            defer { client = working }
            return try working.ask(address)
        } catch {
            if !error.isPermanent { (client, failure) = (nil, error) }
            return .unusable("\(error)")
        }
    }

    private static func interfaceName(_ index: Int32) -> String? {
        guard let index = UInt32(exactly: index) else { return nil }
        var name = [CChar](repeating: 0, count: Int(IF_NAMESIZE))
        guard if_indextoname(index, &name) != nil else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    /// Maximum number of datagrams that are read per wake-up, so that a burst does not block the queue: a quarter of
    /// the number that fills the default buffer (about 270).
    private static let datagramsPerWakeUp = 64
}
