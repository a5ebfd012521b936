import Control
import Glibc
import Testing

@testable import RecordKeeping
@testable import ipctl

@Suite struct NetworkCheckTests {
    private static func network(offline reason: String?) -> Interface.Network {
        Sample.status {
            $0.isOnline = false
            $0.networkReason = reason
        }.network
    }

    private static func finding(_ source: NetworkCheck.Source, _ address: String? = "192.0.2.7") throws -> Finding? {
        let addresses = try address.map { [try IPAddress($0)] } ?? []
        return NetworkCheck(source: source, addresses: addresses, now: Sample.now).findings().first
    }

    @Test func `online is good`() throws {
        let finding = try Self.finding(.daemon(Sample.status().network))
        #expect(finding?.state == .ok)
        #expect(finding?.message.hasPrefix("online since ") == true)
    }

    @Test(
        arguments: [
            ("no route", "ip route get 192.0.2.7"), ("no carrier: eth0", "ip link show dev eth0"),
            ("link down: wlan0", "ip link set dev wlan0 up"), ("blackhole route", "ip rule"),
            ("prohibited by a route or rule", "ip rule"), ("unreachable route", "ip route show table all"),
            ("no carrier: a;b", "ip link show dev 'a;b'"),
        ])
    func `offline is reported with the kernel's reason and a remedy`(reason: String, command: String) throws {
        let finding = try Self.finding(.daemon(Self.network(offline: reason)))
        #expect(finding?.state == .bad)
        #expect(finding?.message.hasSuffix(": \(reason)") == true)
        #expect(finding?.remedy?.contains(command) == true)
    }

    @Test func `without an address, the remedy shows all routes`() throws {
        let remedy = try Self.finding(.daemon(Self.network(offline: nil)), nil)?.remedy
        #expect(remedy == "Check the routes: ip route; ip -6 route; ip -br address")
    }

    @Test func `without a daemon, the kernel's routes are checked`() throws {
        #expect(try Self.finding(.kernel, "127.0.0.1")?.message == "the kernel has a route to the provider")
        #expect(try Self.finding(.kernel, nil)?.state == .skipped)
        // Connecting to an IPv4 broadcast address fails with EACCES.
        let finding = try Self.finding(.kernel, "255.255.255.255")
        #expect(finding?.state == .bad)
        #expect(finding?.message.hasPrefix("the kernel has no route to 255.255.255.255: ") == true)
    }

    @Test func `the messages name the proxy if the daemon connects to one`() throws {
        var check = NetworkCheck(
            source: .kernel, addresses: [try IPAddress("127.0.0.1")], now: Sample.now, server: "the proxy")
        #expect(check.findings().map(\.message) == ["the kernel has a route to the proxy"])
        check = NetworkCheck(source: .kernel, addresses: [], now: Sample.now, server: "the proxy")
        #expect(check.findings().map(\.message) == ["not checked: the address of the proxy is unknown"])
    }

    @Test func `one route of several is sufficient`() throws {
        let addresses = [try IPAddress("2001:db8::1"), try IPAddress("192.0.2.7")]
        var check = NetworkCheck(source: .kernel, addresses: addresses, now: Sample.now)
        check.routeError = { $0.family == .v6 ? ENETUNREACH : nil }
        #expect(check.findings().map(\.state) == [.ok])
        check.routeError = { _ in ENETUNREACH }
        #expect(check.findings().map(\.state) == [.bad])
        #expect(check.findings().first?.message.hasSuffix("Network is unreachable") == true)
    }
}
