import RecordKeeping
import Testing

@testable import ipctl

@Suite struct NameCheckTests {
    private static func finding(_ endpoint: String, _ lookup: NameLookup) throws -> Finding? {
        NameCheck(endpoint: try BaseURL(endpoint), lookup: lookup).findings().first
    }

    @Test func `a name is shown with its addresses`() throws {
        let addresses = try ["192.0.2.1", "2001:db8::1", "192.0.2.2", "192.0.2.3"].map { try IPAddress($0) }
        let finding = try Self.finding("http://ip-api.com", .found(addresses))
        #expect(finding?.state == .ok)
        #expect(finding?.message == "ip-api.com resolves to 192.0.2.1, 2001:db8::1, 192.0.2.2, …")
    }

    @Test func `a real lookup finds this host, and nothing for a name reserved by RFC 2606`() throws {
        let local = NameLookup(of: "localhost")
        #expect(local.addresses.contains { $0.description == "127.0.0.1" || $0.description == "::1" })
        #expect(try Self.finding("http://localhost:8080", local)?.state == .ok)
        let finding = try Self.finding("http://name.invalid", NameLookup(of: "name.invalid"))
        #expect(finding?.state == .bad)
        #expect(finding?.message.hasPrefix("cannot resolve name.invalid: ") == true)
        #expect(finding?.remedy?.contains("getent ahosts name.invalid") == true)
    }

    @Test(arguments: ["0.0.0.0", "127.0.0.1", "::", "::1"])
    func `the reply of a DNS filter is reported`(address: String) throws {
        let finding = try Self.finding("http://ip-api.com", .found([try IPAddress(address)]))
        #expect(finding?.state == .bad)
        #expect(finding?.message.contains("a DNS filter blocks it") == true)
    }

    @Test(arguments: ["http://192.0.2.1:8080", "http://[2001:db8::1]"])
    func `an address needs no lookup`(endpoint: String) throws {
        #expect(try Self.finding(endpoint, .failed("not asked"))?.state == .ok)
    }
}
