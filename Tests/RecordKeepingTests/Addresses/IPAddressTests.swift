import Testing

@testable import RecordKeeping

@Suite struct IPAddressTests {
    @Test(arguments: [
        ("1.2.3.4", "1.2.3.4"), ("0.0.0.0", "0.0.0.0"), ("255.255.255.255", "255.255.255.255"),
        ("::", "::"), ("::1", "::1"), ("1::", "1::"), ("2001:DB8::1", "2001:db8::1"),
        ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"), ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
        ("2001:0db8:0000:0000:0001:0000:0000:0001", "2001:db8::1:0:0:1"),
        ("1:0:0:2:0:0:0:3", "1:0:0:2::3"), ("0:0:1::", "0:0:1::"), ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
        ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"),
        ("::ffff:1.2.3.4", "1.2.3.4"), ("::ffff:102:304", "1.2.3.4"), ("0:0:0:0:0:FFFF:1.2.3.4", "1.2.3.4"),
        ("::1.2.3.4", "::102:304"), ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"),
        ("1:2:3:4:5:6:1.2.3.4", "1:2:3:4:5:6:102:304"), ("fe80::1", "fe80::1"),
    ])
    func `every valid notation is parsed, and printed in canonical form`(text: String, canonical: String) throws {
        #expect(try IPAddress(text).description == canonical)
    }

    @Test(arguments: [
        ("", "empty"), (" 1.2.3.4", "white space"), ("1.2.3.4\n", "white space"), ("1.2.3", "four parts"),
        ("1.2.3.4.5", "four parts"), ("8.8.8", "this one has 3"), ("1.2.3.256", "at most 255"),
        ("1.2.3.999", "at most 255"),
        ("01.2.3.4", "leading zeros"), ("1.2.3.00", "leading zeros"), ("1..3.4", "empty"), ("1.2.3.", "empty"),
        ("1.2.3.4:80", "remove the port"), ("[::1]:80", "without brackets"), ("10.0.0.0/8", "prefix"),
        ("http://1.2.3.4", "URL"), ("fe80::1%eth0", "zone"), ("example.com", "host name"), ("0x7f.1", "host name"),
        ("localhost", "expected an address such as"), ("host.example", "host name"), ("1.2.3.4a", "host name"),
        ("-1.2.3.4", "host name"),
        (":", "empty"), (":::", "once"), ("1::2::3", "once"), ("1:2:3:4:5:6:7:8:9", "eight groups"),
        ("1:2:3:4:5:6:7", "this one has 7"), ("1:2:3:4:5:6:7:8::", "all eight"), ("12345::", "four digits"),
        ("g::", "0-9 and a-f"), ("1:2:3:4:5:6:7:1.2.3.4", "eight groups"), ("::1.2.3.4:1", "four digits"),
        (":1:2:3:4:5:6:7", "empty"), ("::ffff:1.2.3.04", "leading zeros"), ("\u{0661}.2.3.4", "host name"),
    ])
    func `an invalid address is rejected with the rule that it breaks`(text: String, part: String) {
        let error = #expect(throws: IPAddress.ParseError.self) { try IPAddress(text) }
        #expect(error?.description.contains(part) == true, "\(text): \(error?.description ?? "")")
    }

    @Test func `an oversized text is rejected`() {
        #expect(throws: IPAddress.ParseError.self) { try IPAddress(String(repeating: "1", count: 1_000_000)) }
    }

    @Test func `a printed address parses to the same address`() throws {
        var random = Random(seed: 42)
        for _ in 0..<20_000 {
            // Groups are often zero, so that `::` occurs in every position.
            func half() -> UInt64 {
                (0..<4).reduce(0) { sum, _ in
                    sum << 16 | (Bool.random(using: &random) ? 0 : UInt64.random(in: 0...0xFFFF, using: &random))
                }
            }
            let address = IPAddress(high: half(), low: half())
            #expect(try IPAddress(address.description) == address)
            #expect(IPAddress(networkOrder: address.networkOrder) == address)
        }
    }

    /// The canonical text by another algorithm: RFC 5952, section 4, with `::` in place of the first of the longest
    /// runs of zero groups.
    private static func canonical(_ address: IPAddress) -> String {
        if let bits = address.v4 {
            return [24, 16, 8, 0].map { "\(bits >> $0 & 0xFF)" }.joined(separator: ".")
        }
        let bytes = address.networkOrder
        let groups = (0..<8).map { String(UInt16(bytes[2 * $0]) << 8 | UInt16(bytes[2 * $0 + 1]), radix: 16) }
        for length in stride(from: 8, through: 2, by: -1) {
            for start in 0...8 - length where groups[start..<start + length].allSatisfy({ $0 == "0" }) {
                let (before, after) = (groups[..<start], groups[(start + length)...])
                return before.joined(separator: ":") + "::" + after.joined(separator: ":")
            }
        }
        return groups.joined(separator: ":")
    }

    /// Addresses with all combinations of zero groups and of one to four digits, and IPv4 addresses with all numbers of
    /// digits.
    private static func manyAddresses() -> [IPAddress] {
        var random = Random(seed: 11)
        var addresses: [IPAddress] = []
        for pattern in 0..<256 {
            for digits in 1...4 {
                let groups = (0..<8).map { group -> UInt64 in
                    guard pattern >> group & 1 == 1 else { return 0 }
                    return UInt64.random(in: 1 << (4 * UInt64(digits - 1))..<1 << (4 * UInt64(digits)), using: &random)
                }
                let halves = [groups[..<4], groups[4...]].map { $0.reduce(0) { $0 << 16 | $1 } }
                addresses.append(IPAddress(high: halves[0], low: halves[1]))
            }
        }
        let parts: [UInt32] = [0, 1, 9, 10, 11, 99, 100, 101, 109, 110, 199, 200, 254, 255]
        for part in parts {
            for other in parts {
                addresses.append(IPAddress(v4: part << 24 | other << 16 | part << 8 | other))
            }
        }
        return addresses
    }

    @Test func `the text is the same as a string, as bytes and by another algorithm`() throws {
        let addresses = Self.manyAddresses()
        #expect(addresses.count == 256 * 4 + 14 * 14)
        var (all, joined): ([UInt8], String) = ([], "")
        for address in addresses {
            let text = address.description
            #expect(text == Self.canonical(address))
            #expect(try IPAddress(text) == address)
            var bytes = Array("before".utf8)
            address.append(to: &bytes)
            #expect(bytes == Array("before\(text)".utf8))
            #expect(address.withText { Array($0) } == Array(text.utf8))
            address.append(to: &all)
            joined += text
        }
        #expect(all == Array(joined.utf8), "appended texts follow one another")
    }

    @Test func `IPv4 addresses sort by value, before global IPv6 addresses`() throws {
        let sorted = try ["9.0.0.0", "10.0.0.0", "2001:db8::", "2001:db8::1"].map { try IPAddress($0) }
        #expect(sorted.reversed().sorted() == sorted)
    }

    @Test(arguments: [
        "10.1.2.3", "172.16.0.1", "172.31.255.255", "192.168.1.1", "127.0.0.1", "169.254.1.1", "100.64.0.1",
        "192.0.2.1",
        "198.51.100.7", "203.0.113.9", "198.19.0.1", "224.0.0.251", "239.1.1.1", "240.0.0.1", "255.255.255.255",
        "0.0.0.0", "192.0.0.8", "::", "::1", "fe80::1", "fc00::1", "fdff::1", "ff02::1", "2001:db8::1", "100::1",
        "64:ff9b:1::1", "2001::1", "3fff::1", "5f00::1", "fec0::1", "::ffff:10.0.0.1",
    ])
    func `special-purpose addresses are recognized`(text: String) throws {
        #expect(SpecialPurpose(holding: try IPAddress(text)) != nil)
    }

    @Test(arguments: [
        "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "172.15.255.255", "172.32.0.0", "192.0.0.9", "192.0.1.0",
        "100.63.255.255", "100.128.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.255", "2001:4860:4860::8888",
        "2606:4700::1111", "2001:1::1", "2001:20::1", "2002:102:304::1", "64:ff9b::808:808", "2001:200::1",
    ])
    func `public addresses are not special-purpose addresses`(text: String) throws {
        #expect(SpecialPurpose(holding: try IPAddress(text)) == nil)
    }
}
