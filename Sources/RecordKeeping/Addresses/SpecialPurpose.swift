/// A block of addresses that are not globally reachable, and about which no provider has data.
///
/// The blocks are the rows of the IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890, updated by RFC 8190)
/// that are not globally reachable, the multicast blocks (RFC 5771, RFC 4291 §2.7), and the deprecated site-local block
/// (RFC 3879).
package struct SpecialPurpose: Hashable, Sendable {
    /// The purpose of the block, as a noun phrase: "private range (RFC 1918)".
    package let purpose: String

    private let first: IPAddress
    private let last: IPAddress

    /// Finds the block that contains an address. Returns nil if a provider may have data about the address.
    package init?(holding address: IPAddress) {
        let isReachable = Self.reachable.contains { $0.contains(address) }
        guard !isReachable, let block = Self.unreachable.first(where: { $0.contains(address) }) else { return nil }
        self = block
    }

    private init(_ network: String, _ prefixLength: UInt64, _ purpose: String) {
        // All strings are literals in the tables below, and a test evaluates both tables.
        guard let first = try? IPAddress(network) else { preconditionFailure("\"\(network)\" is not an IP address") }
        let hostBits = (first.family == .v4 ? 32 : 128) - prefixLength
        self.first = first
        self.last = IPAddress(
            high: hostBits <= 64 ? first.high : first.high | ((1 << (hostBits - 64)) - 1),
            low: hostBits >= 64 ? .max : first.low | ((1 << hostBits) - 1))
        self.purpose = purpose
    }

    private func contains(_ address: IPAddress) -> Bool {
        first <= address && address <= last
    }

    /// Globally reachable blocks inside the blocks of `unreachable`.
    private static let reachable = [
        SpecialPurpose("192.0.0.9", 32, "Port Control Protocol anycast (RFC 7723)"),
        SpecialPurpose("192.0.0.10", 32, "TURN anycast (RFC 8155)"),
        SpecialPurpose("2001:1::1", 128, "Port Control Protocol anycast (RFC 7723)"),
        SpecialPurpose("2001:1::2", 128, "TURN anycast (RFC 8155)"),
        SpecialPurpose("2001:1::3", 128, "DNS-SD Service Registration Protocol anycast (RFC 9665)"),
        SpecialPurpose("2001:3::", 32, "AMT (RFC 7450)"),
        SpecialPurpose("2001:4:112::", 48, "AS112 (RFC 7535)"),
        SpecialPurpose("2001:20::", 28, "ORCHIDv2 (RFC 7343)"),
        SpecialPurpose("2001:30::", 28, "Drone Remote ID (RFC 9374)"),
    ]

    private static let unreachable = [
        SpecialPurpose("0.0.0.0", 8, "this network (RFC 791)"),
        SpecialPurpose("10.0.0.0", 8, "private range (RFC 1918)"),
        SpecialPurpose("100.64.0.0", 10, "carrier-grade NAT range (RFC 6598)"),
        SpecialPurpose("127.0.0.0", 8, "loopback (RFC 1122)"),
        SpecialPurpose("169.254.0.0", 16, "link-local (RFC 3927)"),
        SpecialPurpose("172.16.0.0", 12, "private range (RFC 1918)"),
        SpecialPurpose("192.0.0.0", 24, "IETF protocol assignments (RFC 6890)"),
        SpecialPurpose("192.0.2.0", 24, "documentation (RFC 5737)"),
        SpecialPurpose("192.168.0.0", 16, "private range (RFC 1918)"),
        SpecialPurpose("198.18.0.0", 15, "benchmarking (RFC 2544)"),
        SpecialPurpose("198.51.100.0", 24, "documentation (RFC 5737)"),
        SpecialPurpose("203.0.113.0", 24, "documentation (RFC 5737)"),
        SpecialPurpose("224.0.0.0", 4, "multicast (RFC 5771)"),
        SpecialPurpose("255.255.255.255", 32, "limited broadcast (RFC 8190)"),
        SpecialPurpose("240.0.0.0", 4, "reserved range (RFC 1112)"),
        SpecialPurpose("::", 128, "unspecified address (RFC 4291)"),
        SpecialPurpose("::1", 128, "loopback (RFC 4291)"),
        SpecialPurpose("64:ff9b:1::", 48, "local-use IPv4/IPv6 translation (RFC 8215)"),
        SpecialPurpose("100::", 64, "discard-only (RFC 6666)"),
        SpecialPurpose("100:0:0:1::", 64, "dummy prefix (RFC 9780)"),
        SpecialPurpose("2001::", 23, "IETF protocol assignments (RFC 2928)"),
        SpecialPurpose("2001:db8::", 32, "documentation (RFC 3849)"),
        SpecialPurpose("3fff::", 20, "documentation (RFC 9637)"),
        SpecialPurpose("5f00::", 16, "segment routing (RFC 9602)"),
        SpecialPurpose("fc00::", 7, "unique local range (RFC 4193)"),
        SpecialPurpose("fe80::", 10, "link-local (RFC 4291)"),
        SpecialPurpose("fec0::", 10, "site-local, deprecated (RFC 3879)"),
        SpecialPurpose("ff00::", 8, "multicast (RFC 4291)"),
    ]
}
