import RecordKeeping
import Testing

@testable import ipctl

@Suite struct AddressSpanTests {
    @Test(
        arguments: [
            ("192.0.2.7", ["192.0.2.7"]),
            ("203.0.113.8/30", ["203.0.113.8", "203.0.113.9", "203.0.113.10", "203.0.113.11"]),
            ("203.0.113.8/32", ["203.0.113.8"]), ("2001:DB8::/127", ["2001:db8::", "2001:db8::1"]),
            ("198.51.100.255-198.51.101.1", ["198.51.100.255", "198.51.101.0", "198.51.101.1"]),
            ("192.0.2.7-192.0.2.7", ["192.0.2.7"]),
            (
                "2001:db8:0:1:ffff:ffff:ffff:ffff-2001:db8:0:2::",
                ["2001:db8:0:1:ffff:ffff:ffff:ffff", "2001:db8:0:2::"]
            ),
        ] as [(String, [String])])
    func `an argument names one or several addresses`(text: String, addresses: [String]) throws {
        #expect(try AddressSpan(text).addresses.map(\.description) == addresses)
    }

    @Test(arguments: ["10.20.0.0/16", "2001:db8::/112", "10.20.0.0-10.20.255.255", "10.20.0.9-10.21.0.8"])
    func `the largest block and the largest range have 65,536 addresses`(text: String) throws {
        let span = try AddressSpan(text)
        #expect(span.count == 65_536)
        #expect(Set(span.addresses).count == 65_536)
    }

    @Test(
        arguments: [
            ("10.0.0.0/15", "has 131,072 addresses; an argument can have at most 65,536"),
            ("0.0.0.0/0", "has 4,294,967,296 addresses; an argument can have at most 65,536"),
            ("2001:db8::/32", "has 2^96 addresses; an argument can have at most 65,536"),
            ("10.0.0.0-10.1.0.0", "has 65,537 addresses; an argument can have at most 65,536"),
            (
                "2001:db8:0:1:ffff:ffff:ffff:ffff-2001:db8:0:2::1:0",
                "has 65,538 addresses; an argument can have at most 65,536"
            ),
            ("2001:db8::-2001:db9::", "has more than 2^63 addresses; an argument can have at most 65,536"),
            ("203.0.113.9/28", "does not begin at a block boundary; use 203.0.113.0/28"),
            ("203.0.113.0/33", "is not a CIDR block: expected a prefix length from 0 to 32"),
            ("2001:db8::/129", "is not a CIDR block: expected a prefix length from 0 to 128"),
            ("203.0.113.0/", "is not a CIDR block: expected a prefix length from 0 to 32"),
            ("203.0.113.0/-1", "is not a CIDR block: expected a prefix length from 0 to 32"),
            ("203.0.113.9-203.0.113.8", "is not a range: expected a later address of the same family after the hyphen"),
            ("203.0.113.9-2001:db8::", "is not a range: expected a later address of the same family after the hyphen"),
        ] as [(String, String)])
    func `other blocks and ranges are rejected with a reason`(text: String, reason: String) {
        let refusal = #expect(throws: AddressSpan.Refusal.self) { try AddressSpan(text) }
        #expect(refusal?.description == reason)
    }

    @Test(arguments: ["", "my-host.example", "http://192.0.2.1/", "192.0.2.1-", "192.0.2.1-9", "-192.0.2.1"])
    func `other texts are not addresses`(text: String) {
        let refusal = #expect(throws: AddressSpan.Refusal.self) { try AddressSpan(text) }
        #expect(refusal?.description.contains("is not an IP address: ") == true, "\(refusal?.description ?? "")")
    }
}
