import Dispatch
import RecordKeeping
import Testing

@testable import RouteMonitor

/// Checks that every change to a route is reported, with the kernel of this host in a network namespace of the test.
@Suite(.enabled("needs root and network namespaces") { await Network.isAvailable() })
struct RouteMonitorTests {
    private static let v4 = "1.1.1.1"
    private static let v6 = "2606:4700::1111"

    /// Calls `body` with a network that has an IPv4 route over `vwan`.
    private static func withRoute(_ body: (Network) async throws -> Void) async throws {
        try await Network.with { (network) async throws in
            try await network.ip("route add default via 10.0.1.1")
            #expect(try await network.status(to: Self.v4) == .open)
            try await body(network)
        }
    }

    @Test func `a new route is reported`() async throws {
        try await Network.with { (network) async throws in
            #expect(
                try await network.status(to: Self.v4, becomes: .open, after: "route add default via 10.0.1.1") == .open)
        }
    }

    @Test func `a new IPv6 route is reported`() async throws {
        try await Network.with { (network) async throws in
            #expect(
                try await network.status(to: Self.v6, becomes: .open, after: "-6 route add default via fd00:1::1")
                    == .open
            )
        }
    }

    @Test func `a deleted route is reported`() async throws {
        try await Self.withRoute { (network) async throws in
            let status = RouteStatus.none(reason: "network is unreachable")
            #expect(try await network.status(to: Self.v4, becomes: status, after: "route del default") == status)
        }
    }

    @Test func `a link that is set down is reported`() async throws {
        try await Self.withRoute { (network) async throws in
            let status = RouteStatus.none(reason: "network is unreachable")
            #expect(try await network.status(to: Self.v4, becomes: status, after: "link set vwan down") == status)
        }
    }

    @Test func `loss and return of the carrier are reported`() async throws {
        try await Self.withRoute { (network) async throws in
            let lost = RouteStatus.none(reason: "no carrier: vwan")
            #expect(try await network.status(to: Self.v4, becomes: lost, after: "link set pwan down") == lost)
            #expect(try await network.status(to: Self.v4, becomes: .open, after: "link set pwan up") == .open)
        }
    }

    @Test(arguments: ["link set pwan down", "link set vwan down", "link del vwan"])
    func `a lost link is reported without IPv6 and its route events`(command: String) async throws {
        try await Self.withRoute { (network) async throws in
            try await network.run("sysctl -qw net.ipv6.conf.all.disable_ipv6=1")
            let isUnplugged = command == "link set pwan down"
            let status = RouteStatus.none(reason: isUnplugged ? "no carrier: vwan" : "network is unreachable")
            #expect(try await network.status(to: Self.v4, becomes: status, after: command) == status)
        }
    }

    @Test func `a deleted address is reported, and its default route is gone`() async throws {
        try await Self.withRoute { (network) async throws in
            let status = RouteStatus.none(reason: "network is unreachable")
            #expect(
                try await network.status(to: Self.v4, becomes: status, after: "addr del 10.0.1.2/24 dev vwan") == status
            )
        }
    }

    @Test func `a deleted link is reported`() async throws {
        try await Self.withRoute { (network) async throws in
            let status = RouteStatus.none(reason: "network is unreachable")
            #expect(try await network.status(to: Self.v4, becomes: status, after: "link del vwan") == status)
        }
    }

    @Test func `a deleted nexthop object is reported, and its routes are gone`() async throws {
        try await Network.with { (network) async throws in
            try await network.ip("nexthop add id 5 via 10.0.1.1 dev vwan")
            try await network.ip("route add default nhid 5")
            #expect(try await network.status(to: Self.v4) == .open)
            let status = RouteStatus.none(reason: "network is unreachable")
            #expect(try await network.status(to: Self.v4, becomes: status, after: "nexthop del id 5") == status)
        }
    }

    @Test func `loss of the carrier of a nexthop object is reported`() async throws {
        try await Network.with { (network) async throws in
            try await network.ip("nexthop add id 5 via 10.0.1.1 dev vwan")
            try await network.ip("route add default nhid 5")
            #expect(try await network.status(to: Self.v4) == .open)
            let status = RouteStatus.none(reason: "network is unreachable")
            #expect(try await network.status(to: Self.v4, becomes: status, after: "link set pwan down") == status)
        }
    }

    @Test(arguments: ["-4", "-6"])
    func `added and deleted rules are reported`(family: String) async throws {
        try await Network.with { (network) async throws in
            #expect(try await network.isReported("\(family) rule add to 1.0.0.0/8 prohibit".v6(family)))
            #expect(try await network.isReported("\(family) rule del to 1.0.0.0/8 prohibit".v6(family)))
        }
    }

    @Test func `events that the kernel dropped are reported as a change`() async throws {
        try await Network.with { (network) async throws in
            try await network.listen(suspended: true, receiveBufferBytes: 1)
            try await network.storm(routes: 100)
            await network.resumeListening()
            #expect(await network.isReported())
            #expect(try await network.isReported("route add default via 10.0.1.1"))
        }
    }

    @Test func `an unread burst of events is reported as an overflow`() async throws {
        try await Network.with { (network) async throws in
            let socket = try await network.inside { try RouteMonitor.eventSocket() }
            try socket.setReceiveBuffer(bytes: 1)
            try await network.storm(routes: 100)
            let drained = try socket.drain(atMost: 1_000)
            #expect(drained.overflows >= 1)
            #expect(drained.fromKernel < 100)
            #expect(drained.isChange)
        }
    }

    @Test func `draining stops at the limit`() async throws {
        try await Network.with { (network) async throws in
            let socket = try await network.inside { try RouteMonitor.eventSocket() }
            for number in 1...5 { try await network.ip("route add 192.0.2.\(number) via 10.0.1.1") }
            #expect(try socket.drain(atMost: 3) == Drained(fromKernel: 3))
            #expect(try socket.drain(atMost: 1_000).fromKernel >= 2)
        }
    }

    @Test func `events beyond the limit of one wake-up cause another one`() async throws {
        try await Network.with { (network) async throws in
            try await network.listen(suspended: true)
            try await network.storm(routes: 600)
            await network.resumeListening()
            // The buffer holds more events than three wake-ups read.
            for _ in 0..<3 { #expect(await network.isReported()) }
        }
    }

    @Test func `changes are reported again after netlink has failed`() async throws {
        try await Network.with { (network) async throws in
            try await network.listen(isBroken: true)
            // One change for the failure, and one for the recovery.
            for _ in 0..<2 { #expect(await network.isReported()) }
            #expect(
                try await network.status(to: Self.v4, becomes: .open, after: "route add default via 10.0.1.1") == .open)
            let status = RouteStatus.none(reason: "network is unreachable")
            #expect(try await network.status(to: Self.v4, becomes: status, after: "route del default") == status)
        }
    }

    @Test func `datagrams from other senders are not reported as a change`() async throws {
        try await Network.with { (network) async throws in
            let (listener, forger) = try await network.inside {
                (try NetlinkSocket(isBlocking: false), try NetlinkSocket(isBlocking: false))
            }
            try listener.join(.routes4)
            try forger.send(Array(repeating: 0, count: 36), to: try listener.portID)
            #expect(try listener.drain(atMost: 10) == Drained(fromOthers: 1))
            try await network.ip("route add default via 10.0.1.1")
            #expect(try listener.drain(atMost: 10) == Drained(fromKernel: 1))
        }
    }

    @Test func `other senders cannot send to the event socket`() async throws {
        try await Network.with { (network) async throws in
            let (listener, forger) = try await network.inside {
                (try RouteMonitor.eventSocket(), try NetlinkSocket(isBlocking: false))
            }
            #expect(throws: NetlinkError.failed(.send, errno: 111)) {
                try forger.send(Array(repeating: 0, count: 36), to: try listener.portID)
            }
        }
    }

    @Test func `after a cancellation no change is reported, and queries are answered`() async throws {
        try await Self.withRoute { (network) async throws in
            await network.stopListening()
            await network.forgetChanges()
            try await network.ip("route del default")
            // The queue has run, so a reported event would have arrived.
            await network.forgetChanges()
            #expect(await network.isReported(within: .milliseconds(0)) == false)
            #expect(try await network.status(to: Self.v4) == .none(reason: "network is unreachable"))
        }
    }
}

extension String {
    /// Returns the arguments with an IPv6 prefix if the family is "-6".
    fileprivate func v6(_ family: String) -> String {
        family == "-6" ? replacing("1.0.0.0/8", with: "2606::/16") : self
    }
}
