import CLinux
import Confinement
import Dispatch
import Glibc
import RecordKeeping
import Synchronization
import Testing

@testable import Daemon

/// Fairness between ready sockets, and between them and other work on the queue.
@Suite(.timeLimit(.minutes(20))) struct PollerTests {
    private static let many = 50

    /// The handled sockets in order, and their number when other work on the queue ran.
    private struct Course {
        var handled: [Int] = []
        var seen: Int?
    }

    /// Runs a poller with many sockets that become ready at the same time and stay ready. Each handler takes two
    /// milliseconds.
    private static func course() throws -> Course {
        let queue = DispatchQueue(label: "test.poller")
        let confined = try Poller.start(on: queue)
        let course = Mutex(Course())
        let done = Tally()
        var sockets: [(Int32, Int32)] = []
        for _ in 0...many {
            var pair: [Int32] = [-1, -1]
            try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &pair) == 0)
            try #require(write(pair[1], "x", 1) == 1)
            sockets.append((pair[0], pair[1]))
        }
        defer {
            for (one, other) in sockets {
                close(one)
                close(other)
            }
        }
        // The thread does not poll while a handler runs, so all sockets added by this one are ready at its next poll.
        let gate = sockets[many].0
        nonisolated(unsafe) var gateNumber: UInt64?
        nonisolated(unsafe) var added = 0
        try queue.sync {
            let poller = confined.value
            gateNumber = poller.add(gate) { _ in
                gateNumber.map { poller.remove(gate, $0) }
                for (place, socket) in sockets.dropLast().enumerated() {
                    let number = poller.add(socket.0) { _ in
                        let begun = SystemClock.now.boot
                        while SystemClock.now.boot - begun < .milliseconds(2) {}
                        let isFirst = course.withLock { course in
                            course.handled.append(place)
                            return course.handled.count == 1
                        }
                        if isFirst { queue.async { course.withLock { $0.seen = $0.handled.count } } }
                        if Set(course.withLock(\.handled)).count == many { done.note() }
                    }
                    if number != nil { added += 1 }
                }
            }
            try #require(gateNumber != nil)
        }
        #expect(done.wait(for: 1))
        queue.sync {
            let poller = confined.value
            #expect(added == many)
            poller.end()
        }
        return course.withLock { $0 }
    }

    @Test func `other work on the queue runs before all ready sockets are handled`() throws {
        let seen = try #require(try Self.course().seen)
        #expect(seen <= Self.many / 2)
    }

    @Test func `no socket is handled again before all other ready sockets`() throws {
        let handled = try Self.course().handled
        #expect(Set(handled.prefix(Self.many)).count == Self.many, "\(handled)")
    }

    @Test func `postponed work runs in order, and newly postponed work runs last`() throws {
        let queue = DispatchQueue(label: "test.poller")
        let confined = try Poller.start(on: queue)
        let order = Mutex<[String]>([])
        let done = Tally()
        queue.sync {
            let poller = confined.value
            for number in 0..<20 {
                poller.later {
                    let begun = SystemClock.now.boot
                    while SystemClock.now.boot - begun < .milliseconds(2) {}
                    order.withLock { $0.append("\(number)") }
                    if number == 0 {
                        poller.later {
                            order.withLock { $0.append("again") }
                            done.note()
                        }
                    }
                }
            }
        }
        #expect(done.wait(for: 1))
        queue.sync { confined.value.end() }
        #expect(order.withLock { $0 } == (0..<20).map(String.init) + ["again"])
    }
}
