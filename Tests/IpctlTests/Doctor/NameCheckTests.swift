import RecordKeeping
import Testing

@testable import ipctl

@Suite struct NameCheckTests {
    private static func finding(_ endpoint: String, _ lookUp: NameLookup) throws -> Finding? {
        NameCheck(endpoint: try #require(Endpoint(endpoint)), lookUp: lookUp).findings().first
    }

    @Test func `a name is told with what it stands for`() throws {
        let addresses = try ["192.0.2.1", "2001:db8::1", "192.0.2.2", "192.0.2.3"].map { try IPAddress($0) }
        let finding = try Self.finding("http://ip-api.com", .found(addresses))
        #expect(finding?.state == .ok)
        #expect(finding?.message == "ip-api.com stands for 192.0.2.1, 2001:db8::1, 192.0.2.2, …")
    }

    @Test func `a real look-up finds this host, and nothing for what RFC 2606 keeps free`() throws {
        let local = NameLookup(of: "localhost")
        #expect(local.addresses.contains { $0.description == "127.0.0.1" || $0.description == "::1" })
        #expect(try Self.finding("http://localhost:8080", local)?.state == .ok)
        let finding = try Self.finding("http://name.invalid", NameLookup(of: "name.invalid"))
        #expect(finding?.state == .bad)
        #expect(finding?.message.hasPrefix("name.invalid cannot be looked up: ") == true)
        #expect(finding?.remedy?.contains("getent ahosts name.invalid") == true)
    }

    @Test(arguments: ["0.0.0.0", "127.0.0.1", "::", "::1"])
    func `what a filter answers is no provider`(address: String) throws {
        let finding = try Self.finding("http://ip-api.com", .found([try IPAddress(address)]))
        #expect(finding?.state == .bad)
        #expect(finding?.message.contains("a filter in the DNS blocks it") == true)
    }

    @Test(arguments: ["http://192.0.2.1:8080", "http://[2001:db8::1]"])
    func `an address needs no name`(endpoint: String) throws {
        #expect(try Self.finding(endpoint, .failed("not asked"))?.state == .ok)
    }

    @Test(
        arguments: [
            ("http://ip-api.com", "ip-api.com", 80), ("https://PRO.ip-api.com./", "pro.ip-api.com", 443),
            ("http://[2001:db8::1]:8080", "2001:db8::1", 8080), ("HTTP://192.0.2.1:81/", "192.0.2.1", 81),
        ])
    func `an endpoint is taken apart`(text: String, host: String, port: Int) {
        let endpoint = Endpoint(text)
        #expect(endpoint?.host == host)
        #expect(endpoint?.port == port)
    }

    @Test(arguments: ["", "ip-api.com", "ftp://ip-api.com", "http://", "http://[::1", "http://a:b", "http://[::1]a"])
    func `what is none is none`(text: String) {
        #expect(Endpoint(text) == nil)
    }
}
