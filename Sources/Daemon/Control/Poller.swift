import CLinux
import DequeModule
import Dispatch
import Foundation
import Glibc

/// Tells of many sockets when something has come or can be sent: epoll(7), level-triggered.
///
/// A thread of its own waits, and handles what is ready itself, on the queue that all of it belongs to. With a Dispatch source
/// for each socket two threads more would have to wake up for each call, and the kernel would be asked anew each time.
///
/// Belongs to that queue: all of it is called and calls back there.
final class Poller {
    /// What is to be told of a socket. That it has hung up is told in any case.
    struct Interest: OptionSet {
        let rawValue: UInt8

        /// Something, or the end, is there to be read.
        static let reading = Interest(rawValue: 1)
        /// It takes more.
        static let writing = Interest(rawValue: 2)
    }

    /// What is the matter with a socket.
    struct Readiness {
        let canRead: Bool
        let canWrite: Bool
        /// The other end is closed in both directions, or the connection has broken.
        let hasHungUp: Bool
    }

    private let epoll: Int32
    /// Becomes readable when the thread is to look after `postponed`, or to end.
    private let bell: Int32
    private var handlers: [UInt64: (Readiness) -> Void] = [:]
    private var lastNumber: UInt64 = 0
    private var postponed: Deque<() -> Void> = []
    /// The thread is at it, and looks after `postponed` before it waits again.
    private var isAwake = false
    private var isOver = false

    /// The number of `bell`.
    private static let bellNumber: UInt64 = 0
    private static let eventsPerTurn = 1_024
    /// A turn in which there is more to do is carried on once others on the queue have had theirs, and who has become ready
    /// meanwhile.
    private static let longestPartNanoseconds = 10_000_000

    /// - Throws: why the kernel has none for us.
    init(queue: DispatchQueue) throws {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw SystemError("watch sockets", errno: errno) }
        bell = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard bell >= 0, clinux_epoll_control(epoll, EPOLL_CTL_ADD, bell, EPOLLIN.rawValue, Self.bellNumber) == 0
        else { throw SystemError("watch sockets", errno: errno) }
        // What it has is used on the queue only, but for the two descriptors.
        nonisolated(unsafe) let poller = self
        Thread { poller.run(on: queue) }.start()
    }

    // MARK: Sockets

    /// Calls back for as long as the socket is ready for reading.
    ///
    /// - Parameter descriptor: non-blocking.
    /// - Returns: its number; nil where the kernel has no memory, or no more watches for this user (epoll_ctl(2)), and after the
    ///   end.
    func add(_ descriptor: Int32, _ handler: @escaping (Readiness) -> Void) -> UInt64? {
        guard !isOver else { return nil }
        lastNumber += 1
        let events = Interest.reading.events
        guard clinux_epoll_control(epoll, EPOLL_CTL_ADD, descriptor, events, lastNumber) == 0 else { return nil }
        handlers[lastNumber] = handler
        return lastNumber
    }

    /// Says anew what is to be told.
    func watch(_ descriptor: Int32, _ number: UInt64, for interest: Interest) {
        guard !isOver else { return }
        // The kernel needs no memory for this.
        let status = clinux_epoll_control(epoll, EPOLL_CTL_MOD, descriptor, interest.events, number)
        precondition(status == 0, "only what was added is watched for something else")
    }

    /// Nothing is told of it any more. To be called before the descriptor is closed, and once.
    func remove(_ descriptor: Int32, _ number: UInt64) {
        handlers[number] = nil
        guard !isOver else { return }
        _ = clinux_epoll_control(epoll, EPOLL_CTL_DEL, descriptor, 0, number)
    }

    // MARK: Turns

    /// Does something once those who are ready now have had their turn.
    func later(_ work: @escaping () -> Void) {
        guard !isOver else { return }
        if postponed.isEmpty, !isAwake { ring() }
        postponed.append(work)
    }

    /// The thread ends, after what it is at. Nobody is called back any more.
    func end() {
        guard !isOver else { return }
        isOver = true
        (handlers, postponed) = ([:], [])
        ring()
    }

    private func ring() {
        // It fails only where the count is at its end already, and so is readable.
        eventfd_write(bell, 1)
    }

    private func run(on queue: DispatchQueue) {
        let named = clinux_name_thread("iprecord.client")
        precondition(named == 0, "a short name is taken")
        var events = [clinux_epoll_event](repeating: clinux_epoll_event(), count: Self.eventsPerTurn)
        var rest = 0..<0
        var next = Next.wait
        while next != .end {
            if next != .goOn {
                let count = clinux_epoll_wait(epoll, &events, Int32(events.count), next == .wait ? -1 : 0)
                precondition(count >= 0 || errno == EINTR, "waiting fails for no other reason (epoll_wait(2))")
                rest = 0..<Int(max(count, 0))
            }
            next = queue.sync { turn(events, &rest) }
        }
        close(bell)
        close(epoll)
    }

    /// What the thread does next.
    private enum Next {
        /// Waits until somebody is ready.
        case wait
        /// Sees who is ready now: what was postponed has to wait for them only.
        case look
        /// Carries on with those who were ready.
        case goOn
        case end
    }

    /// - Parameter rest: which of the events have not had their turn.
    private func turn(_ events: [clinux_epoll_event], _ rest: inout Range<Int>) -> Next {
        isAwake = true
        defer { isAwake = false }
        let end = Self.coarseNanoseconds + Self.longestPartNanoseconds
        while let place = rest.popFirst() {
            take(events[place])
            if Self.coarseNanoseconds > end { break }
        }
        guard !isOver else { return .end }
        guard rest.isEmpty else { return .goOn }
        // Once for each of those that there are now, whatever they postpone.
        var count = postponed.count
        while count > 0, let work = postponed.popFirst() {
            work()
            count -= 1
            if Self.coarseNanoseconds > end { break }
        }
        return isOver ? .end : postponed.isEmpty ? .wait : .look
    }

    private func take(_ event: clinux_epoll_event) {
        if event.number == Self.bellNumber {
            var count: eventfd_t = 0
            eventfd_read(bell, &count)
        } else {
            // Who was removed in this turn may still stand among the events.
            handlers[event.number]?(Readiness(event.events))
        }
    }

    /// To some milliseconds (clock_gettime(2)), for it is asked before every socket.
    private static var coarseNanoseconds: Int {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC_COARSE, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}

extension Poller.Interest {
    fileprivate var events: UInt32 {
        (contains(.reading) ? EPOLLIN.rawValue : 0) | (contains(.writing) ? EPOLLOUT.rawValue : 0)
    }
}

extension Poller.Readiness {
    fileprivate init(_ events: UInt32) {
        canRead = events & EPOLLIN.rawValue != 0
        canWrite = events & EPOLLOUT.rawValue != 0
        hasHungUp = events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0
    }
}
