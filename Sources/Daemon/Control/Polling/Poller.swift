import CLinux
import Confinement
import DequeModule
import Dispatch
import Foundation
import Glibc

/// Reports when sockets can be read or written: epoll(7), level-triggered.
///
/// A separate thread waits for events, and calls the handlers of ready sockets on the queue. With Dispatch sources,
/// each call would wake two more threads and need more system calls.
///
/// Accessed only on the queue.
final class Poller {
    /// The conditions to report for a socket. A hang-up is always reported.
    struct Interest: OptionSet {
        /// Event types of epoll_ctl(2).
        let rawValue: UInt32

        /// Bytes, or the end of input, can be read.
        static let reading = Interest(rawValue: EPOLLIN.rawValue)
        /// The socket accepts more bytes.
        static let writing = Interest(rawValue: EPOLLOUT.rawValue)
    }

    /// The condition of a socket.
    struct Readiness {
        let canRead: Bool
        /// Whether the other end is closed in both directions, or the connection is broken.
        let hasHungUp: Bool
    }

    private let epoll: Int32
    /// An eventfd(2) that wakes the thread, to run `postponed` or to exit.
    private let wakeUp: Int32
    private var handlers: [UInt64: (Readiness) -> Void] = [:]
    private var lastNumber: UInt64 = 0
    private var postponed: Deque<() -> Void> = []
    /// Whether the thread is in a turn, so that it checks `postponed` before it waits again.
    private var isAwake = false
    private var isOver = false

    /// The number that identifies `wakeUp` in the epoll instance. Sockets have larger numbers.
    private static let wakeUpID: UInt64 = 0
    private static let eventsPerTurn = 1_024
    /// Time after which a turn is interrupted, so that other work on the queue is done. The turn then continues with
    /// the remaining events.
    private static let maxPartNanoseconds = 10_000_000

    /// Creates a poller, and starts its thread.
    ///
    /// - Throws: the error of epoll_create1(2), eventfd(2) or epoll_ctl(2).
    static func start(on queue: DispatchQueue) throws(SystemError) -> QueueConfined<Poller> {
        let poller = try Poller()
        let (epoll, wakeUp) = (poller.epoll, poller.wakeUp)
        let confined = QueueConfined(poller, givenTo: queue)
        Thread { run(epoll, wakeUp, on: queue, confined) }.start()
        return confined
    }

    private init() throws(SystemError) {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw SystemError("create an epoll instance", errno: errno) }
        wakeUp = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard wakeUp >= 0, clinux_epoll_control(epoll, EPOLL_CTL_ADD, wakeUp, EPOLLIN.rawValue, Self.wakeUpID) == 0
        else { throw SystemError("create an event descriptor", errno: errno) }
    }

    // MARK: Sockets

    /// Watches a socket for reading, and calls the handler as long as the socket is ready.
    ///
    /// - Parameter descriptor: non-blocking; the caller still owns it.
    /// - Returns: the number of the socket; nil after `end`, or if the kernel has no memory or no more watches for this
    ///   user (epoll_ctl(2)).
    func add(_ descriptor: Int32, _ handler: @escaping (Readiness) -> Void) -> UInt64? {
        guard !isOver else { return nil }
        lastNumber += 1
        let events = Interest.reading.rawValue
        guard clinux_epoll_control(epoll, EPOLL_CTL_ADD, descriptor, events, lastNumber) == 0 else { return nil }
        handlers[lastNumber] = handler
        return lastNumber
    }

    /// Replaces the conditions to report for a socket, which must have been added and not removed.
    func watch(_ descriptor: Int32, _ number: UInt64, for interest: Interest) {
        guard !isOver else { return }
        // The kernel needs no memory for this.
        let status = clinux_epoll_control(epoll, EPOLL_CTL_MOD, descriptor, interest.rawValue, number)
        precondition(status == 0, "the descriptor was added and not removed")
    }

    /// Stops watching a socket. Called once, before the descriptor is closed.
    func remove(_ descriptor: Int32, _ number: UInt64) {
        handlers[number] = nil
        guard !isOver else { return }
        _ = clinux_epoll_control(epoll, EPOLL_CTL_DEL, descriptor, 0, number)
    }

    // MARK: Turns

    /// Runs the work after the sockets that are ready now have been served. After `end`, the work is discarded.
    func later(_ work: @escaping () -> Void) {
        guard !isOver else { return }
        if postponed.isEmpty, !isAwake { wake() }
        postponed.append(work)
    }

    /// Ends the thread after its current turn. No handler is called after this.
    func end() {
        guard !isOver else { return }
        isOver = true
        (handlers, postponed) = ([:], [])
        wake()
    }

    private func wake() {
        // This fails only if the counter is at its maximum, and then `wakeUp` is readable anyway.
        eventfd_write(wakeUp, 1)
    }

    /// The thread. It ends after `end`, and closes the descriptors.
    private static func run(
        _ epoll: Int32, _ wakeUp: Int32, on queue: DispatchQueue, _ poller: QueueConfined<Poller>
    ) {
        let named = clinux_name_thread("iprecord.client")
        precondition(named == 0, "a thread's name can be at most 15 bytes long (pthread_setname_np(3))")
        var events = [clinux_epoll_event](repeating: clinux_epoll_event(), count: Self.eventsPerTurn)
        var rest = 0..<0
        var next = Next.wait
        while next != .end {
            if next != .goOn {
                let count = clinux_epoll_wait(epoll, &events, Int32(events.count), next == .wait ? -1 : 0)
                precondition(count >= 0 || errno == EINTR, "epoll_wait(2) fails only with EINTR")
                rest = 0..<Int(max(count, 0))
            }
            // The closure returns nothing, because the generic `sync` would take a tenth of the instructions of a short
            // request.
            queue.sync { next = poller.value.turn(events, &rest) }
        }
        close(wakeUp)
        close(epoll)
    }

    /// The next step of the thread.
    private enum Next {
        /// Wait until a socket is ready or `wakeUp` is written.
        case wait
        /// Poll without waiting: the postponed work runs once the sockets that are ready now have been served.
        case look
        /// Continue with the remaining events.
        case goOn
        case end
    }

    /// Serves the ready sockets, then runs the postponed work.
    ///
    /// - Parameter rest: the indices of the events that have not been handled.
    private func turn(_ events: [clinux_epoll_event], _ rest: inout Range<Int>) -> Next {
        isAwake = true
        defer { isAwake = false }
        let end = Self.coarseNanoseconds + Self.maxPartNanoseconds
        while let place = rest.popFirst() {
            handle(events[place])
            if Self.coarseNanoseconds > end { break }
        }
        guard !isOver else { return .end }
        guard rest.isEmpty else { return .goOn }
        // Work that is postponed during this loop waits for the next turn.
        var count = postponed.count
        while count > 0, let work = postponed.popFirst() {
            work()
            count -= 1
            if Self.coarseNanoseconds > end { break }
        }
        return isOver ? .end : postponed.isEmpty ? .wait : .look
    }

    private func handle(_ event: clinux_epoll_event) {
        if event.number == Self.wakeUpID {
            var count: eventfd_t = 0
            eventfd_read(wakeUp, &count)
        } else {
            // The events may contain a socket that was removed in this turn.
            let hasHungUp = event.events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0
            handlers[event.number]?(
                Readiness(canRead: event.events & EPOLLIN.rawValue != 0, hasHungUp: hasHungUp))
        }
    }

    /// The monotonic time with a resolution of some milliseconds (clock_gettime(2)), which is cheap enough to read for
    /// each socket.
    private static var coarseNanoseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
