/// A range of addresses that share a prefix: the key of a value in an MMDB file.
///
///     let network = try MMDBNetwork(address: 0x2001_0db8 << 96, prefixLength: 32)    // 2001:db8::/32
package struct MMDBNetwork: Hashable, Sendable {
    /// The 128 bits of the IPv6 form of the first address.
    package let address: UInt128
    /// Number of leading bits that all addresses share, from 0 to 128.
    package let prefixLength: Int

    /// Creates the network of an address, whose bits after the prefix are ignored.
    package init(address: UInt128, prefixLength: Int) throws(MMDBError) {
        guard (0...128).contains(prefixLength) else { throw .invalidPrefixLength(prefixLength) }
        self.address = address & (UInt128.max << (128 - prefixLength))
        self.prefixLength = prefixLength
    }

    /// Creates a network from 16 bytes in network order.
    package init(networkOrder bytes: some Collection<UInt8>, prefixLength: Int) throws(MMDBError) {
        guard bytes.count == 16 else { throw .invalidAddressLength(bytes.count) }
        try self.init(address: bytes.reduce(0) { $0 << 8 | UInt128($1) }, prefixLength: prefixLength)
    }
}
