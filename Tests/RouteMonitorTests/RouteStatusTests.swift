import RecordKeeping
import Testing

/// Route checks with the kernel of this host, in a network namespace of the test.
@Suite(.enabled("needs root and network namespaces") { await Network.isAvailable() })
struct RouteStatusTests {
    private static let v4 = "1.1.1.1"
    private static let v6 = "2606:4700::1111"

    @Test func `without a default route there is no route`() async throws {
        try await Network.with { (network) async throws in
            #expect(try await network.status(to: Self.v4, Self.v6) == .none(reason: "network is unreachable"))
        }
    }

    @Test func `a default route in one address family is sufficient`() async throws {
        try await Network.with { (network) async throws in
            try await network.ip("-6 route add default via fd00:1::1")
            #expect(try await network.status(to: Self.v4) == .none(reason: "network is unreachable"))
            #expect(try await network.status(to: Self.v6) == .open)
            #expect(try await network.status(to: Self.v4, Self.v6) == .open)
        }
    }

    @Test(arguments: ["127.0.0.1", "::1", "10.0.1.2", "fd00:2::2"])
    func `the host's own addresses are reachable without a carrier`(address: String) async throws {
        try await Network.with { (network) async throws in
            let lost = RouteStatus.none(reason: "no carrier: vwan")
            #expect(try await network.status(to: "10.0.1.9", becomes: lost, after: "link set pwan down") == lost)
            #expect(try await network.status(to: address) == .open)
        }
    }

    @Test func `a neighbour on a link is reachable until the carrier is lost`() async throws {
        try await Network.with { (network) async throws in
            #expect(try await network.status(to: "10.0.1.9") == .open)
            #expect(try await network.status(to: "fd00:1::9") == .open)
            let lost = RouteStatus.none(reason: "no carrier: vwan")
            #expect(try await network.status(to: "10.0.1.9", becomes: lost, after: "link set pwan down") == lost)
            #expect(try await network.status(to: "fd00:1::9", becomes: lost) == lost)
        }
    }

    @Test(
        arguments: ["-4", "-6"],
        [
            ("unreachable", "unreachable route"), ("blackhole", "blackhole route"),
            ("prohibit", "prohibited by a route or rule"), ("throw", "network is unreachable"),
        ])
    func `a route of a rejecting type is unusable`(family: String, route: (type: String, reason: String)) async throws {
        try await Network.with { (network) async throws in
            try await network.ip("\(family) route add \(route.type) default")
            let status = try await network.status(to: family == "-4" ? Self.v4 : Self.v6)
            #expect(status == .none(reason: route.reason))
        }
    }

    @Test func `a rejecting rule takes precedence over an existing route`() async throws {
        try await Network.with { (network) async throws in
            try await network.ip("route add default via 10.0.1.1")
            try await network.ip("-6 route add default via fd00:1::1")
            try await network.ip("rule add to 1.0.0.0/8 prohibit")
            try await network.ip("-6 rule add to 2606::/16 blackhole")
            #expect(try await network.status(to: Self.v4) == .none(reason: "prohibited by a route or rule"))
            #expect(try await network.status(to: Self.v6) == .none(reason: "blackhole route"))
            #expect(try await network.status(to: "9.9.9.9") == .open)
        }
    }

    @Test func `a rule for TCP alone is applied`() async throws {
        try await Network.with { (network) async throws in
            try await network.ip("route add default via 10.0.1.1")
            try await network.ip("-6 route add default via fd00:1::1")
            try await network.ip("rule add ipproto tcp prohibit")
            try await network.ip("-6 rule add ipproto tcp prohibit")
            #expect(try await network.status(to: Self.v4, Self.v6) == .none(reason: "prohibited by a route or rule"))
        }
    }

    @Test func `a default route in another table counts if a rule selects the table`() async throws {
        try await Network.with { (network) async throws in
            try await network.ip("route add default via 10.0.2.1 table 51820")
            #expect(try await network.status(to: Self.v4) == .none(reason: "network is unreachable"))
            try await network.ip("rule add not fwmark 51820 table 51820")
            #expect(try await network.status(to: Self.v4) == .open)
        }
    }

    @Test func `two routes that cover all addresses replace a default route`() async throws {
        try await Network.with { (network) async throws in
            try await network.ip("route add 0.0.0.0/1 dev vwan")
            #expect(try await network.status(to: "208.95.112.1") == .none(reason: "network is unreachable"))
            try await network.ip("route add 128.0.0.0/1 dev vwan")
            #expect(try await network.status(to: "208.95.112.1") == .open)
            #expect(try await network.status(to: Self.v4) == .open)
        }
    }

    @Test func `the preferred route is checked even if it has no carrier and another route has`()
        async throws
    {
        try await Network.with { (network) async throws in
            for (family, near, far) in [("-4", "10.0.1.1", "10.0.2.1"), ("-6", "fd00:1::1", "fd00:2::1")] {
                try await network.ip("\(family) route add default via \(near) metric 100")
                try await network.ip("\(family) route add default via \(far) metric 500")
            }
            let lost = RouteStatus.none(reason: "no carrier: vwan")
            #expect(try await network.status(to: Self.v4, becomes: lost, after: "link set pwan down") == lost)
            #expect(try await network.status(to: Self.v6, becomes: lost) == lost)
            // With this setting the kernel skips routes without a carrier.
            try await network.run("sysctl -qw net.ipv4.conf.vwan.ignore_routes_with_linkdown=1")
            try await network.run("sysctl -qw net.ipv6.conf.vwan.ignore_routes_with_linkdown=1")
            #expect(try await network.status(to: Self.v4) == .open)
            #expect(try await network.status(to: Self.v6) == .open)
            let bothLost = RouteStatus.none(reason: "no carrier: vlte")
            #expect(try await network.status(to: Self.v4, becomes: bothLost, after: "link set plte down") == bothLost)
        }
    }

    @Test func `a second default route replaces the first if its link is set down`() async throws {
        try await Network.with { (network) async throws in
            try await network.ip("route add default via 10.0.1.1 metric 100")
            try await network.ip("route add default via 10.0.2.1 metric 500")
            try await network.ip("link set vwan down")
            #expect(try await network.status(to: Self.v4) == .open)
            try await network.ip("link set vlte down")
            #expect(try await network.status(to: Self.v4) == .none(reason: "network is unreachable"))
        }
    }

    @Test(arguments: ["-4", "-6"])
    func `one working next hop of several is sufficient`(family: String) async throws {
        try await Network.with { (network) async throws in
            let (near, far) = family == "-4" ? ("10.0.1.1", "10.0.2.1") : ("fd00:1::1", "fd00:2::1")
            let address = family == "-4" ? Self.v4 : Self.v6
            try await network.ip("\(family) route add default nexthop via \(near) nexthop via \(far)")
            #expect(try await network.status(to: address) == .open)
            let (neighbour, lost) = ("10.0.1.9", RouteStatus.none(reason: "no carrier: vwan"))
            #expect(try await network.status(to: neighbour, becomes: lost, after: "link set pwan down") == lost)
            #expect(try await network.status(to: address) == .open)
            #expect(try await network.status(to: address, becomes: lost, after: "link set plte down") == lost)
            #expect(try await network.status(to: address, becomes: .open, after: "link set plte up") == .open)
        }
    }

    @Test func `a route with more next hops than fit into a reply is usable`() async throws {
        try await Network.with { (network) async throws in
            for number in 1...160 { try await network.ip("-6 route append default via fd00:1::1:\(number) dev vwan") }
            #expect(try await network.status(to: Self.v6) == .open)
        }
    }

    @Test func `a route over a nexthop object is usable, unless the object is a blackhole`() async throws {
        try await Network.with { (network) async throws in
            try await network.ip("nexthop add id 5 via 10.0.1.1 dev vwan")
            try await network.ip("route add default nhid 5")
            #expect(try await network.status(to: Self.v4) == .open)
            try await network.ip("nexthop add id 6 blackhole")
            try await network.ip("route replace default nhid 6")
            #expect(try await network.status(to: Self.v4) == .none(reason: "blackhole route"))
        }
    }

    @Test func `a host without IPv6 has usable IPv4 routes`() async throws {
        try await Network.with { (network) async throws in
            try await network.run("sysctl -qw net.ipv6.conf.all.disable_ipv6=1")
            #expect(try await network.status(to: Self.v4, Self.v6) == .none(reason: "network is unreachable"))
            try await network.ip("route add default via 10.0.1.1")
            #expect(try await network.status(to: Self.v4, Self.v6) == .open)
        }
    }
}
