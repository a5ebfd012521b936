import Dispatch
import RecordKeeping
import RouteMonitor
import Testing

/// That whatever changes a way is told, by this machine's kernel in a namespace of the test's own.
@Suite(.enabled("needs root and network namespaces") { await Network.isAvailable() })
struct RouteMonitorTests {
    private static let v4 = "1.1.1.1"
    private static let v6 = "2606:4700::1111"

    /// A network with a way over `vwan` in IPv4, and a monitor that listens.
    private static func withWay(_ body: (Network) async throws -> Void) async throws {
        try await Network.with { (network) async throws in
            try await network.ip("route add default via 10.0.1.1")
            #expect(try await network.way(to: Self.v4) == .open)
            try await body(network)
        }
    }

    @Test func `a route that comes is told`() async throws {
        try await Network.with { (network) async throws in
            #expect(
                try await network.way(to: Self.v4, becomes: .open, after: "route add default via 10.0.1.1") == .open)
        }
    }

    @Test func `an IPv6 route that comes is told`() async throws {
        try await Network.with { (network) async throws in
            #expect(
                try await network.way(to: Self.v6, becomes: .open, after: "-6 route add default via fd00:1::1") == .open
            )
        }
    }

    @Test func `a route taken away is told`() async throws {
        try await Self.withWay { (network) async throws in
            let way = Way.none(reason: "no route")
            #expect(try await network.way(to: Self.v4, becomes: way, after: "route del default") == way)
        }
    }

    @Test func `a link set down is told`() async throws {
        try await Self.withWay { (network) async throws in
            let way = Way.none(reason: "no route")
            #expect(try await network.way(to: Self.v4, becomes: way, after: "link set vwan down") == way)
        }
    }

    @Test func `a carrier lost is told, and so is its return`() async throws {
        try await Self.withWay { (network) async throws in
            let lost = Way.none(reason: "no carrier: vwan")
            #expect(try await network.way(to: Self.v4, becomes: lost, after: "link set pwan down") == lost)
            #expect(try await network.way(to: Self.v4, becomes: .open, after: "link set pwan up") == .open)
        }
    }

    @Test(arguments: ["link set pwan down", "link set vwan down", "link del vwan"])
    func `without IPv6, whose routes tell of links too, a link is told all the same`(command: String) async throws {
        try await Self.withWay { (network) async throws in
            try await network.run("sysctl -qw net.ipv6.conf.all.disable_ipv6=1")
            let way = Way.none(reason: command == "link set pwan down" ? "no carrier: vwan" : "no route")
            #expect(try await network.way(to: Self.v4, becomes: way, after: command) == way)
        }
    }

    @Test func `an address taken away is told, and its default route is gone`() async throws {
        try await Self.withWay { (network) async throws in
            let way = Way.none(reason: "no route")
            #expect(try await network.way(to: Self.v4, becomes: way, after: "addr del 10.0.1.2/24 dev vwan") == way)
        }
    }

    @Test func `a link that is deleted is told`() async throws {
        try await Self.withWay { (network) async throws in
            let way = Way.none(reason: "no route")
            #expect(try await network.way(to: Self.v4, becomes: way, after: "link del vwan") == way)
        }
    }

    @Test func `a nexthop object that is deleted is told, and takes its routes along`() async throws {
        try await Network.with { (network) async throws in
            try await network.ip("nexthop add id 5 via 10.0.1.1 dev vwan")
            try await network.ip("route add default nhid 5")
            #expect(try await network.way(to: Self.v4) == .open)
            let way = Way.none(reason: "no route")
            #expect(try await network.way(to: Self.v4, becomes: way, after: "nexthop del id 5") == way)
        }
    }

    @Test func `a nexthop object whose carrier is lost is told`() async throws {
        try await Network.with { (network) async throws in
            try await network.ip("nexthop add id 5 via 10.0.1.1 dev vwan")
            try await network.ip("route add default nhid 5")
            #expect(try await network.way(to: Self.v4) == .open)
            let way = Way.none(reason: "no route")
            #expect(try await network.way(to: Self.v4, becomes: way, after: "link set pwan down") == way)
        }
    }

    @Test(arguments: ["-4", "-6"])
    func `a rule that comes and goes is told`(family: String) async throws {
        try await Network.with { (network) async throws in
            #expect(try await network.isTold("\(family) rule add to 1.0.0.0/8 prohibit".v6(family)))
            #expect(try await network.isTold("\(family) rule del to 1.0.0.0/8 prohibit".v6(family)))
        }
    }

    @Test func `events that the kernel had to drop are told as a change`() async throws {
        try await Network.with { (network) async throws in
            try await network.listen(suspended: true, receiveBufferBytes: 1)
            try await network.storm(routes: 100)
            await network.resumeListening()
            #expect(await network.isTold())
            #expect(try await network.isTold("route add default via 10.0.1.1"))
        }
    }

    @Test func `a storm that nobody reads is found as an overflow`() async throws {
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

    @Test func `no more is taken at once than was asked for`() async throws {
        try await Network.with { (network) async throws in
            let socket = try await network.inside { try RouteMonitor.eventSocket() }
            for number in 1...5 { try await network.ip("route add 192.0.2.\(number) via 10.0.1.1") }
            #expect(try socket.drain(atMost: 3) == Drained(fromKernel: 3))
            #expect(try socket.drain(atMost: 1_000).fromKernel >= 2)
        }
    }

    @Test func `more events than one wake-up takes wake again`() async throws {
        try await Network.with { (network) async throws in
            try await network.listen(suspended: true)
            try await network.storm(routes: 600)
            await network.resumeListening()
            // The buffer holds more than three wake-ups take.
            for _ in 0..<3 { #expect(await network.isTold()) }
        }
    }

    @Test func `after netlink has failed, routes are followed again`() async throws {
        try await Network.with { (network) async throws in
            try await network.listen(isBroken: true)
            // The failure, and the recovery from it.
            for _ in 0..<2 { #expect(await network.isTold()) }
            #expect(
                try await network.way(to: Self.v4, becomes: .open, after: "route add default via 10.0.1.1") == .open)
            let way = Way.none(reason: "no route")
            #expect(try await network.way(to: Self.v4, becomes: way, after: "route del default") == way)
        }
    }

    @Test func `what others send is not read as a change`() async throws {
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

    @Test func `others cannot even send to a socket that listens`() async throws {
        try await Network.with { (network) async throws in
            let (listener, forger) = try await network.inside {
                (try RouteMonitor.eventSocket(), try NetlinkSocket(isBlocking: false))
            }
            #expect(throws: NetlinkError.failed(.send, errno: 111)) {
                try forger.send(Array(repeating: 0, count: 36), to: try listener.portID)
            }
        }
    }

    @Test func `after a stop nothing is told, and questions are answered`() async throws {
        try await Self.withWay { (network) async throws in
            await network.stopListening()
            await network.forgetChanges()
            try await network.ip("route del default")
            // The queue has had its turn; an event that was told would be there.
            await network.forgetChanges()
            #expect(await network.isTold(within: .milliseconds(0)) == false)
            #expect(try await network.way(to: Self.v4) == .none(reason: "no route"))
        }
    }
}

extension String {
    /// The same for IPv6, where that is asked for.
    fileprivate func v6(_ family: String) -> String {
        family == "-6" ? replacing("1.0.0.0/8", with: "2606::/16") : self
    }
}
