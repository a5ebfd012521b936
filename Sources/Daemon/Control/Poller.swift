import CLinux
import Dispatch
import Foundation
import Glibc

/// Tells of many sockets when something has come or can be sent: epoll(7), edge-triggered.
///
/// A thread of its own waits, and handles what is ready itself, on the queue that all of it belongs to. With a Dispatch source
/// for each socket two threads more would have to wake up for each call, and the kernel would be asked anew each time.
///
/// Belongs to that queue: all of it is called and calls back there.
final class Poller {
    /// What is the matter with a socket.
    struct Readiness {
        /// Something has come.
        let canRead: Bool
        /// It takes more.
        let canWrite: Bool
        /// Nothing more comes, or the connection has broken: the end is to be read.
        let hasEnded: Bool
    }

    private let epoll: Int32
    /// Becomes readable when the thread is to end.
    private let stop: Int32
    private var handlers: [UInt64: (Readiness) -> Void] = [:]
    private var lastNumber: UInt64 = 0

    /// The number of `bell`.
    private static let bellNumber: UInt64 = 0
    private static let eventsPerTurn = 1_024

    /// - Throws: why the kernel has none for us.
    init(queue: DispatchQueue) throws {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw SystemError("watch sockets", errno: errno) }
        stop = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        guard stop >= 0,
            clinux_epoll_watch(epoll, stop, EPOLLIN.rawValue, Self.stopNumber, 1) == 0
        else { throw SystemError("watch sockets", errno: errno) }
        // What it has is used on the queue only, but for the two descriptors.
        nonisolated(unsafe) let poller = self
        Thread { poller.run(on: queue) }.start()
    }

    /// Calls back whenever the socket has become ready for something, and at once where it is.
    ///
    /// - Parameter descriptor: non-blocking.
    /// - Returns: its number; nil where the kernel has no memory, or no more watches for this user (epoll_ctl(2)), and after the
    ///   end.
    func add(_ descriptor: Int32, _ handler: @escaping (Readiness) -> Void) -> UInt64? {
        guard !isOver else { return nil }
        lastNumber += 1
        handlers[lastNumber] = handler
        watch(descriptor, lastNumber, forWriting: false, isNew: true)
        return lastNumber
    }

    /// Says anew what is to be told.
    func watch(_ descriptor: Int32, _ number: UInt64, for interest: Interest) {
        guard !isOver else { return }
        // The kernel needs no memory for this.
        let status = clinux_epoll_control(epoll, EPOLL_CTL_MOD, descriptor, interest.events, number)
        precondition(status == 0, "only what was added is watched for something else")
    }

    func remove(_ number: UInt64) {
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
        handlers = [:]
        eventfd_write(stop, 1)
    }

    private func watch(_ descriptor: Int32, _ number: UInt64, forWriting: Bool, isNew: Bool) {
        let events = EPOLLIN.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue | (forWriting ? EPOLLOUT.rawValue : 0)
        let status = clinux_epoll_watch(epoll, descriptor, events, number, isNew ? 1 : 0)
        // Fails where the kernel has no memory, or no more watches for this user: who cannot be heard is let go.
        if status != 0 { handlers[number]?(Readiness(canRead: true, canWrite: true, hasEnded: true)) }
    }

    private func run(on queue: DispatchQueue) {
        let named = clinux_name_thread("iprecord.client")
        precondition(named == 0, "a short name is taken")
        var events = [clinux_epoll_event](repeating: clinux_epoll_event(), count: Self.eventsPerTurn)
        var (isOver, isPostponed) = (false, false)
        while !isOver {
            let count = Int(clinux_epoll_wait(epoll, &events, Int32(events.count)))
            guard count > 0 else { continue }
            queue.sync {
                for event in events[..<count] {
                    if event.number == Self.stopNumber { isOver = true }
                    handlers[event.number]?(Readiness(event.events))
                }
            }
        }
        close(stop)
        close(epoll)
    }
}

extension Poller.Readiness {
    fileprivate init(_ events: UInt32) {
        canRead = events & EPOLLIN.rawValue != 0
        canWrite = events & EPOLLOUT.rawValue != 0
        hasEnded = events & (EPOLLRDHUP.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0
    }
}
