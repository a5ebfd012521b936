import Dispatch
import Glibc
import RecordKeeping
import RouteMonitor
import Synchronization
import Testing

@Suite struct EventFailureTests {
    /// A callback of a monitor.
    private enum Report: Hashable {
        case changed
        case eventsFailed(NetlinkError)
        case recovered
    }

    /// A monitor whose event sockets come from a list, and its callbacks in order.
    private final class Fixture: Sendable {
        let queue = DispatchQueue(label: "blind")
        let reports = Mutex<[Report]>([])
        let openings: Mutex<[Result<NetlinkSocket, NetlinkError>]>
        let changes = DispatchSemaphore(value: 0)

        init(_ openings: [Result<NetlinkSocket, NetlinkError>]) {
            self.openings = Mutex(openings)
        }

        func monitor(
            openQuerySocket: @escaping RouteMonitor.Opening = { () throws(NetlinkError) in
                try RouteMonitor.querySocket()
            }
        ) -> RouteMonitor {
            RouteMonitor(
                queue: queue, delay: ReopenDelay(first: .milliseconds(1), max: .milliseconds(4)),
                openEvents: { [self] () throws(NetlinkError) in
                    let next = openings.withLock { $0.isEmpty ? nil : $0.removeFirst() }
                    guard let next else { throw .failed(.open, errno: EPERM) }
                    return try next.get()
                },
                openQuerySocket: openQuerySocket,
                onChange: { [self] in
                    reports.withLock { $0.append(.changed) }
                    changes.signal()
                },
                onEventFailure: { [self] error in reports.withLock { $0.append(.eventsFailed(error)) } },
                onRecovery: { [self] in reports.withLock { $0.append(.recovered) } })
        }

        /// Waits for the next change; returns false after 30 seconds.
        func isChanged() -> Bool { changes.wait(timeout: .now() + 30) == .success }
    }

    private static func brokenSocket() throws -> NetlinkSocket {
        let socket = try RouteMonitor.eventSocket()
        try BrokenSocket.replace(socket)
        return socket
    }

    private static let broken = NetlinkError.failed(.receive, errno: ENOTSOCK)

    @Test func `without the kernel's events the reason is reported and a route presumed`() async throws {
        let refusal = NetlinkError.failed(.join(.routes4), errno: EPERM)
        let fixture = Fixture([.failure(refusal)])
        let monitor = fixture.monitor()
        let reason = """
            cannot subscribe to the kernel's IPv4 route events: Operation not permitted; \
            the sandbox must allow routing netlink subscriptions
            """
        #expect(monitor.eventFailure == refusal && fixture.reports.withLock { $0 } == [.eventsFailed(refusal)])
        #expect(monitor.ask([try IPAddress("127.0.0.1")]) == .unknown(reason: reason))
    }

    @Test func `a later failure of events is reported once, before the next query`() throws {
        let fixture = Fixture([.success(try Self.brokenSocket())])
        fixture.queue.suspend()
        let monitor = fixture.monitor()
        #expect(monitor.eventFailure == nil)
        fixture.queue.resume()
        #expect(fixture.isChanged())
        #expect(fixture.reports.withLock { $0 } == [.eventsFailed(Self.broken), .changed])
        #expect(monitor.eventFailure != nil)
    }

    @Test func `after a later failure, the event socket is reopened until it works, and the query is repeated`() throws
    {
        let passing = NetlinkError.failed(.open, errno: ENOBUFS)
        let fixture = Fixture(
            [.success(try Self.brokenSocket())] + Array(repeating: .failure(passing), count: 5)
                + [.success(try RouteMonitor.eventSocket())])
        let monitor = fixture.monitor()
        #expect(fixture.isChanged())
        #expect(fixture.isChanged())
        #expect(monitor.eventFailure == nil && fixture.openings.withLock { $0.isEmpty })
        #expect(fixture.reports.withLock { $0 } == [.eventsFailed(Self.broken), .changed, .recovered, .changed])
    }

    @Test func `the monitor recovers from a lack of resources at the start`() throws {
        let passing = NetlinkError.failed(.open, errno: EMFILE)
        let fixture = Fixture([.failure(passing), .success(try RouteMonitor.eventSocket())])
        let monitor = fixture.monitor()
        #expect(fixture.isChanged())
        #expect(monitor.eventFailure == nil)
        #expect(fixture.reports.withLock { $0 } == [.eventsFailed(passing), .recovered, .changed])
    }

    @Test func `a query socket that fails is reopened, and the query is repeated`() throws {
        let question = try RouteMonitor.querySocket()
        let sockets = Mutex([question])
        let fixture = Fixture([.success(try RouteMonitor.eventSocket())])
        let monitor = fixture.monitor { () throws(NetlinkError) in
            if let first = sockets.withLock({ $0.popLast() }) { return first }
            return try RouteMonitor.querySocket()
        }
        let here = try IPAddress("127.0.0.1")
        let before = monitor.ask([here])
        try BrokenSocket.replace(question)
        let reason = "cannot send a route query to the kernel: Socket operation on non-socket"
        #expect(monitor.ask([here]) == .unknown(reason: reason))
        #expect(fixture.isChanged())
        #expect(monitor.ask([here]) == before)
        #expect(monitor.eventFailure == nil)
    }

    @Test func `an unanswered query is repeated after a delay, and no query is sent before`() throws {
        let openings = Mutex(0)
        let fixture = Fixture([.success(try RouteMonitor.eventSocket())])
        let monitor = fixture.monitor { () throws(NetlinkError) in
            let isFirst = openings.withLock { count in
                count += 1
                return count == 1
            }
            let socket = try RouteMonitor.querySocket()
            if isFirst { try SilentSocket.silence(socket) }
            return socket
        }
        let addresses = [try IPAddress("127.0.0.1"), try IPAddress("127.0.0.2")]
        let silence = RouteStatus.unknown(reason: "the kernel did not answer a route query within 1000 ms")
        fixture.queue.suspend()
        for _ in 0..<3 { #expect(monitor.ask(addresses) == silence) }
        #expect(openings.withLock { $0 } == 1)
        fixture.queue.resume()
        #expect(fixture.isChanged())
        #expect(monitor.ask(addresses) == .open)
        #expect(openings.withLock { $0 } == 2)
        #expect(monitor.eventFailure == nil)
    }

    @Test func `nothing is reopened after a cancellation`() throws {
        let passing = NetlinkError.failed(.open, errno: ENOBUFS)
        let fixture = Fixture([.failure(passing), .success(try RouteMonitor.eventSocket())])
        fixture.queue.suspend()
        let monitor = fixture.monitor()
        monitor.cancel()
        fixture.queue.resume()
        fixture.queue.sync {}
        #expect(fixture.openings.withLock { $0.count } == 1)
    }

    @Test func `the delay between attempts doubles up to its maximum`() {
        var delay = ReopenDelay()
        let seconds = (0..<100).map { _ in delay.next() / .seconds(1) }
        #expect(seconds.prefix(8) == [1, 2, 4, 8, 16, 32, 60, 60] && seconds.last == 60)
        delay.reset()
        #expect(delay.next() == .seconds(1))
    }

    @Test(arguments: [EPERM, EACCES, EAFNOSUPPORT]) func `a refusal by a sandbox is permanent`(errno: Int32) {
        #expect(NetlinkError.failed(.open, errno: errno).isPermanent)
        #expect(!NetlinkError.failed(.open, errno: ENOBUFS).isPermanent)
        #expect(!Self.broken.isPermanent)
    }

    @Test func `the error message names a sandbox without netlink`() {
        let error = NetlinkError.failed(.open, errno: EAFNOSUPPORT)
        let text = """
            cannot open a routing netlink socket: Address family not supported by protocol; \
            the sandbox must allow AF_NETLINK (RestrictAddressFamilies=)
            """
        #expect(error.description == text)
    }
}
