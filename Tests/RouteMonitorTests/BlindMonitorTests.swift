import Dispatch
import Glibc
import RecordKeeping
import RouteMonitor
import Testing

@Suite struct BlindMonitorTests {
    @Test func `without the kernel's events the reason is told and a way presumed`() async throws {
        let refusal = NetlinkError.failed(.join(.routes4), errno: EPERM)
        let monitor = RouteMonitor(queue: DispatchQueue(label: "blind"), events: .failure(refusal)) {}
        let reason = """
            cannot listen to the kernel's IPv4 route events: Operation not permitted; \
            the sandbox does not let the process listen
            """
        #expect(monitor.blindness == refusal)
        #expect(monitor.ask([try IPAddress("127.0.0.1")]) == .unknown(reason: reason))
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
