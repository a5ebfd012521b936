/// A range of IPv6 addresses that contain IPv4 addresses, and have the values of these in the search tree.
///
/// The Teredo range, 2001::/32, is not an alias: the bits after its prefix are the address of the client's server. The
/// address of the client is in the last 32 bits, inverted (RFC 4380 §4), where no alias can lead.
package enum MMDBAlias: Hashable, Sendable, CaseIterable {
    /// IPv4-mapped addresses (RFC 4291 §2.5.5.2), ::ffff:0:0/96. Readers look up the clients of a dual-stack socket by
    /// these addresses.
    case mapped
    /// Addresses of 6to4 (RFC 3056), 2002::/16.
    case sixToFour

    /// The first address of the range.
    var address: UInt128 {
        switch self {
        case .mapped: 0xFFFF << 32
        case .sixToFour: 0x2002 << 112
        }
    }

    var prefixLength: UInt8 {
        switch self {
        case .mapped: 96
        case .sixToFour: 16
        }
    }
}
