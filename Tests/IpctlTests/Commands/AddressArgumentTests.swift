import RecordKeeping
import Testing

@testable import ipctl

@Suite struct AddressArgumentTests {
    @Test(arguments: ["192.0.2.1", "2001:db8::1", "192.0.2.0/30", "192.0.2.1-192.0.2.3"])
    func `addresses, blocks and ranges are never names`(text: String) throws {
        let span = try AddressSpan(text)
        #expect(try AddressArgument(text, mayBeName: true) == .addresses(span))
        #expect(try AddressArgument(text, mayBeName: false) == .addresses(span))
    }

    @Test(
        arguments: [
            ("example.com", "example.com"), ("Example.COM.", "example.com"), ("localhost", "localhost"),
            ("192.0.2.1-static.example", "192.0.2.1-static.example"), ("face", "face"),
        ])
    func `a host name is a name if it may be one`(text: String, name: String) throws {
        #expect(try AddressArgument(text, mayBeName: true) == .name(try HostName(name)))
        #expect(throws: AddressSpan.Refusal.self) { try AddressArgument(text, mayBeName: false) }
    }

    @Test(
        arguments: [
            ("192.0.2", "is not an IP address: an IPv4 address has four parts; this one has 3"),
            ("http://a.example/", "is not an IP address: "), ("fe80::1%eth0", "is not an IP address: remove the zone"),
            ("192.0.2.1,a.example", "is not an IP address: expected a single address, not a list"),
            (";", "is not an IP address: "), ("192.0.2.1-192.0.2.256", "is not a range: "),
            (
                "a_b.example",
                "is not an IP address or a host name: a host name can contain only letters, digits, hyphens and dots"
            ),
            (
                "bücher.example",
                "is not an IP address or a host name: write an internationalised name in its ASCII form, such as "
                    + "xn--bcher-kva.example"
            ),
        ])
    func `the reason of an invalid argument is that of what was meant`(text: String, reason: String) {
        let refusal = #expect(throws: AddressSpan.Refusal.self) { try AddressArgument(text, mayBeName: true) }
        #expect(refusal?.description.hasPrefix(reason) == true, "\(refusal?.description ?? "")")
    }

    @Test func `the addresses of a name take its place`() throws {
        let resolved = try HostName("a.example")
        let addresses = try ["192.0.2.7", "2001:db8::7"].map { try IPAddress($0) }
        let list = try AddressList(arguments: ["192.0.2.9", "A.example", "192.0.2.1", "a.example"], files: []) {
            names in
            #expect(names == [resolved])
            return [resolved: addresses]
        }
        #expect(
            list.addresses == [
                "192.0.2.9", "192.0.2.7", "2001:db8::7", "192.0.2.1", "192.0.2.7", "2001:db8::7",
            ])
    }

    @Test func `names are not looked up if an argument is invalid`() throws {
        let error = #expect(throws: CommandError.self) {
            try AddressList(arguments: ["a.example", "8.8.8"], files: []) { names in
                Issue.record("looked up \(names)")
                return [:]
            }
        }
        #expect(error?.status == .badData)
    }
}
