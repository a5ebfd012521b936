import Foundation
import Testing

/// The host name of the provider is missing, moves, or gets no reply from the name server. Other names
/// are watched, or resolved by `ipctl show`.
@Suite(.serialized, .enabled(if: Namespaces.isPossible, "cannot create namespaces; run as root"))
struct NameTests {
    private static let name = "provider.test"
    private static let port = 8_080

    /// Starts a daemon that knows the provider by name, in a network with a route to it.
    ///
    /// - Parameters:
    ///   - hosts: a line for /etc/hosts; nil to keep the file of this host.
    ///   - nameServer: the address of the only name server; nil to keep those of this host.
    private func rig(
        _ namespaces: Namespaces, hosts: String? = nil, nameServer: String? = nil, interval: String = "1s"
    ) throws -> Rig {
        try namespaces.change("route", "add", "default", "via", "10.77.1.2")
        var surroundings = namespaces.surroundings
        (surroundings.hosts, surroundings.nameServer) = (hosts, nameServer)
        return try Rig(
            mockProvider: Rig.unlimited,
            settings: ["refresh": "interval = \"\(interval)\"", "provider": "timeout = \"2s\""],
            bind: "\(Namespaces.providerV4):\(Self.port)", endpoint: "http://\(Self.name):\(Self.port)",
            surroundings: surroundings, mockProviderPrefix: namespaces.providerPrefix)
    }

    @Test func `an unknown name is reported, and used as soon as it exists`() throws {
        let namespaces = try Namespaces()
        let rig = try rig(
            namespaces, hosts: "\(Namespaces.providerV4) other.test", nameServer: "127.0.0.1", interval: "300s")
        try rig.ipctl("add", "1.1.1.1")
        let failure = try #require(try rig.entry("1.1.1.1", wait: 5)["failure"] as? [String: Any])
        #expect(failure["kind"] as? String == "unreachable", "\(failure)")
        #expect((failure["message"] as? String)?.contains(Self.name) == true, "\(failure)")
        try rig.changeHosts("\(Namespaces.providerV4) \(Self.name)")
        #expect(try rig.entry("1.1.1.1", wait: 60)["state"] as? String == "fresh")
    }

    @Test func `a name that moves to another address is followed`() throws {
        let (namespaces, second) = (try Namespaces(), "10.99.0.2")
        try namespaces.changeThere("addr", "add", "\(second)/32", "dev", "lo")
        let rig = try rig(namespaces, hosts: "\(Namespaces.providerV4) \(Self.name)")
        try rig.ipctl("add", "1.1.1.1")
        #expect(try rig.entry("1.1.1.1", wait: 5)["state"] as? String == "fresh")
        try rig.mockProvider?.stop(with: SIGKILL)
        let moved = try Program(
            namespaces.providerPrefix + [Rig.program("ip-api-stand-in"), "--bind", "\(second):\(Self.port)"]
                + Rig.unlimited)
        try moved.waitForLine(containing: "listening on ")
        let monitor = try rig.monitor("refreshed")
        try rig.changeHosts("\(second) \(Self.name)")
        try monitor.wait(for: "a record from the new address", within: 60) {
            $0.count(of: "refreshed") > 0 ? true : nil
        }
    }

    /// Starts a second mock provider at an address that has a route of its own.
    private func secondProvider(_ namespaces: Namespaces, at address: String) throws -> Program {
        try namespaces.changeThere("addr", "add", "\(address)/32", "dev", "lo")
        let second = try Program(
            namespaces.providerPrefix + [Rig.program("ip-api-stand-in"), "--bind", "\(address):\(Self.port)"]
                + Rig.unlimited)
        try second.waitForLine(containing: "listening on ")
        try namespaces.change("route", "add", "\(address)/32", "via", "10.77.1.2")
        return second
    }

    @Test func `if the provider moved before its old address lost its route, nothing is reported`() throws {
        let (namespaces, address) = (try Namespaces(), "10.99.0.2")
        // The records do not expire during the test, so that no call resolves the name.
        let rig = try rig(namespaces, hosts: "\(Namespaces.providerV4) \(Self.name)", interval: "300s")
        try rig.ipctl("add", "1.1.1.1")
        #expect(try rig.entry("1.1.1.1", wait: 5)["state"] as? String == "fresh")
        let second = try secondProvider(namespaces, at: address)
        try rig.changeHosts("\(address) \(Self.name)")
        try namespaces.change("route", "del", "default")
        #expect(try rig.entry("8.8.8.8", wait: 10)["state"] as? String == "fresh")
        #expect(rig.daemon?.lines.contains { $0.contains(MessageID.networkLost) } == false)
        #expect((try rig.status()["network"] as? [String: Any])?["state"] as? String == "online")
        _ = second
    }

    /// Slow, because the daemon resolves the name every 30 seconds during a loss.
    @Test func `if the provider moves after its old address lost its route, the loss ends without a restart`() throws {
        let (namespaces, address) = (try Namespaces(), "10.99.0.2")
        let rig = try rig(namespaces, hosts: "\(Namespaces.providerV4) \(Self.name)", interval: "300s")
        let daemon = try #require(rig.daemon)
        try rig.ipctl("add", "1.1.1.1")
        #expect(try rig.entry("1.1.1.1", wait: 5)["state"] as? String == "fresh")
        let second = try secondProvider(namespaces, at: address)
        try namespaces.change("route", "del", "default")
        try daemon.waitForLine(containing: MessageID.networkLost, within: 5)
        try rig.changeHosts("\(address) \(Self.name)")
        try daemon.waitForLine(containing: MessageID.networkRestored, within: 45)
        #expect(try rig.entry("8.8.8.8", wait: 10)["state"] as? String == "fresh")
        _ = second
    }

    @Test func `while the name server does not reply, clients are served, and the daemon stops promptly`() throws {
        let namespaces = try Namespaces()
        let mute = try Program(
            namespaces.providerPrefix + [Service.top + "scripts/mute-dns", Namespaces.providerV4])
        try mute.waitForLine(containing: "listening")
        let rig = try rig(namespaces, nameServer: Namespaces.providerV4)
        try rig.ipctl("add", "1.1.1.1")
        try mute.waitForLine(containing: "query")
        for _ in 0..<20 {
            let began = Date()
            #expect(try rig.ipctl("status").status == 0)
            #expect(-began.timeIntervalSinceNow < 1)
        }
        let entry = try rig.entry("1.1.1.1", wait: 8)
        let failure = try #require(entry["failure"] as? [String: Any], "\(entry)")
        #expect(failure["kind"] as? String == "timeout", "\(failure)")
        let began = Date()
        #expect(try rig.daemon?.stop() == 0)
        #expect(-began.timeIntervalSinceNow < 5)
    }

    @Test func `ipctl shows each address of a name, and says if a name has none`() throws {
        let namespaces = try Namespaces()
        let hosts = """
            \(Namespaces.providerV4) \(Self.name)
            8.8.8.8 www.test
            1.1.1.1 www.test
            2606:4700:4700::1111 www.test
            """
        let rig = try rig(namespaces, hosts: hosts, nameServer: "127.0.0.1")
        let fields = try rig.ipctl("show", "WWW.test.", "9.9.9.9", "--field", "address", "--field", "state")
        #expect(fields.status == 0 && fields.errors == "", "\(fields)")
        let addresses = ["1.1.1.1", "8.8.8.8", "2606:4700:4700::1111", "9.9.9.9"]
        #expect(fields.output == addresses.map { "\($0)\tfresh\n" }.joined())
        let table = try rig.ipctl("show", "www.test")
        #expect(table.errors == "ipctl: www.test has 3 addresses: 1.1.1.1, 8.8.8.8, 2606:4700:4700::1111\n")
        let missing = try rig.ipctl("show", "www.test", "other.test")
        #expect([68, 75].contains(missing.status) && missing.output == "", "\(missing)")
        #expect(missing.errors.hasPrefix("ipctl: cannot resolve other.test: "), "\(missing)")
    }

    @Test func `the addresses of a watched name are entries, and follow its changes`() throws {
        let namespaces = try Namespaces()
        func hosts(_ addresses: String...) -> String {
            (["\(Namespaces.providerV4) \(Self.name)"] + addresses.map { "\($0) www.test" }).joined(separator: "\n")
        }
        let rig = try rig(namespaces, hosts: hosts("1.1.1.1", "8.8.8.8"), nameServer: "127.0.0.1")
        let monitor = try rig.monitor("addressAdded", "addressRemoved", "nameFailed", "nameRecovered", "removed")
        #expect(try rig.ipctl("add", "WWW.test", "--tag", "web").output == "1 host name added\n")
        try monitor.wait(for: "both addresses") { $0.count(of: "addressAdded") == 2 ? true : nil }
        for address in ["1.1.1.1", "8.8.8.8"] {
            let entry = try rig.entry(address, wait: 5)
            #expect(entry["origin"] as? String == "name" && entry["state"] as? String == "fresh", "\(entry)")
            #expect(entry["tags"] as? [String] == ["web"])
        }
        try rig.changeHosts(hosts("8.8.8.8", "9.9.9.9"))
        try monitor.wait(for: "the removal of the old address", within: 30) { $0.count(of: "removed") > 0 ? true : nil }
        #expect(try rig.ipctl("show", "www.test", "--field", "address").output == "8.8.8.8\n9.9.9.9\n")
        try rig.changeHosts(hosts())
        try monitor.waitForLine(containing: "nameFailed", within: 30)
        let names = try rig.ipctl("names", "--columns", "name,state,addresses", "--format", "tsv", "--no-headers")
        #expect(names.output.hasPrefix("www.test\tstale\t8.8.8.8"), "\(names)")
        try rig.changeHosts(hosts("9.9.9.9"))
        try monitor.waitForLine(containing: "nameRecovered", within: 30)
        // The names and their addresses survive a restart. The new process may have the first /etc/hosts again.
        try rig.daemon?.stop(with: SIGKILL)
        try rig.startDaemon()
        let origins = try rig.ipctl("show", "www.test", "--field", "origin").output
        #expect(Set(origins.split(separator: "\n")) == ["name"], "\(origins)")
        let history = try rig.ipctl("history", "www.test")
        #expect(
            history.status == 0 && history.output.contains("www.test no longer has the address 1.1.1.1"), "\(history)")
        #expect(try rig.ipctl("remove", "www.test").output == "1 host name removed\n")
        #expect(try rig.watched() == 1, "only the address of the monitor is left")
    }

    @Test func `addresses of a family that cannot be queried stay`() throws {
        let namespaces = try Namespaces()
        let server = try Program(
            namespaces.providerPrefix
                + [Service.top + "scripts/half-dns", Namespaces.providerV4, "1.1.1.1", "2606:4700:4700::1111"])
        try server.waitForLine(containing: "listening")
        let rig = try rig(
            namespaces, hosts: "\(Namespaces.providerV4) \(Self.name)", nameServer: Namespaces.providerV4)
        let monitor = try rig.monitor("addressAdded", "addressRemoved", "nameFailed")
        #expect(try rig.ipctl("add", "www.test").status == 0)
        try monitor.wait(for: "both addresses") { $0.count(of: "addressAdded") == 2 ? true : nil }
        // Each resolution has two queries for IPv6, and the system may repeat each of them once.
        try server.wait(for: "three more resolutions", within: 30) { lines in
            lines.count { $0.contains("failure") } >= 12 ? true : nil
        }
        let names = try rig.ipctl("names", "--columns", "state,addresses", "--format", "tsv", "--no-headers")
        #expect(names.output == "fresh\t1.1.1.1,2606:4700:4700::1111\n", "\(names)")
        #expect(monitor.lines.count(of: "addressRemoved") == 0 && monitor.lines.count(of: "nameFailed") == 0)
    }
}
