import Dispatch
import Glibc
import RecordKeeping
import RouteMonitor
import Synchronization
import Testing

@Suite struct BlindMonitorTests {
    @Test func `without the kernel's events the reason is told and a way presumed`() async throws {
        let refusal = NetlinkError.failed(.join(.routes4), errno: EPERM)
        let told = Mutex<[NetlinkError]>([])
        let monitor = RouteMonitor(
            queue: DispatchQueue(label: "blind"), events: .failure(refusal), onChange: {},
            onBlindness: { error in told.withLock { $0.append(error) } })
        let reason = """
            cannot listen to the kernel's IPv4 route events: Operation not permitted; \
            the sandbox does not let the process listen
            """
        #expect(monitor.blindness == refusal && told.withLock { $0 } == [refusal])
        #expect(monitor.ask([try IPAddress("127.0.0.1")]) == .unknown(reason: reason))
    }

    @Test func `events that fail later are told once, before the question is asked anew`() throws {
        let queue = DispatchQueue(label: "failing")
        let events = try RouteMonitor.eventSocket()
        // Another kind of descriptor in its place, in which something waits: nothing can be received (recvmsg(2)). Its other end
        // stays open to the end of the tests: a hang-up may crash Dispatch (swift-corelibs-libdispatch, issue 949).
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0 && write(ends[1], "x", 1) == 1)
        #expect(dup2(ends[0], events.descriptor) >= 0)
        close(ends[0])
        let told = Mutex<[NetlinkError?]>([])
        let asked = DispatchSemaphore(value: 0)
        queue.suspend()
        let monitor = RouteMonitor(queue: queue, events: .success(events)) {
            told.withLock { $0.append(nil) }
            asked.signal()
        } onBlindness: { error in
            told.withLock { $0.append(error) }
        }
        #expect(monitor.blindness == nil)
        queue.resume()
        #expect(asked.wait(timeout: .now() + 30) == .success)
        let failure = NetlinkError.failed(.receive, errno: ENOTSOCK)
        #expect(told.withLock { $0 } == [failure, nil] && monitor.blindness == failure)
    }

    @Test func `a sandbox without netlink is told as such`() {
        let error = NetlinkError.failed(.open, errno: EAFNOSUPPORT)
        let text = """
            cannot open a routing netlink socket: Address family not supported by protocol; \
            the sandbox must allow AF_NETLINK (RestrictAddressFamilies=)
            """
        #expect(error.description == text)
    }
}
