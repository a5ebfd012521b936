/// An IPv4 or IPv6 address with a single representation: equal addresses compare, hash and print alike.
///
///     let address = try IPAddress("2001:DB8::0:1")
///     print(address)            // 2001:db8::1
///
/// An IPv4 address is stored as its IPv4-mapped IPv6 address (RFC 4291 §2.5.5.2), so that both notations give the same
/// value. IPv4 sorts before all global unicast IPv6 addresses.
package struct IPAddress: BitwiseCopyable, Hashable, Sendable {
    /// The most significant 64 bits of the IPv6 form.
    package let high: UInt64
    /// The least significant 64 bits of the IPv6 form.
    package let low: UInt64

    package enum Family: Hashable, Sendable {
        case v4
        case v6
    }

    /// Creates an address from the 128 bits of its IPv6 form.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Creates an IPv4 address from its 32 bits, with the first part in the most significant byte.
    package init(v4 bits: UInt32) {
        self.init(high: 0, low: Self.mappedPrefix | UInt64(bits))
    }

    /// Creates an address from its bytes in network order: four for IPv4, sixteen for IPv6. Returns nil for any other
    /// number of bytes.
    package init?(networkOrder bytes: some Collection<UInt8>) {
        switch bytes.count {
        case 4:
            self.init(v4: bytes.reduce(0) { $0 << 8 | UInt32($1) })
        case 16:
            self.init(
                high: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) },
                low: bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) })
        default:
            return nil
        }
    }

    package var family: Family { isV4 ? .v4 : .v6 }

    /// The 32 bits of an IPv4 address; nil for IPv6.
    package var v4: UInt32? { isV4 ? UInt32(truncatingIfNeeded: low) : nil }

    /// The bytes in network order: four for IPv4, sixteen for IPv6.
    package var networkOrder: [UInt8] {
        if isV4 {
            return (0..<4).map { UInt8(truncatingIfNeeded: low >> (24 - 8 * UInt64($0))) }
        }
        return [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * UInt64($0))) } }
    }

    private static let mappedPrefix: UInt64 = 0x0000_FFFF_0000_0000
    private var isV4: Bool { high == 0 && low & 0xFFFF_FFFF_0000_0000 == Self.mappedPrefix }
}

extension IPAddress: Comparable {
    package static func < (a: IPAddress, b: IPAddress) -> Bool {
        (a.high, a.low) < (b.high, b.low)
    }
}
