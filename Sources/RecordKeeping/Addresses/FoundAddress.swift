/// An address that ``AddressFinder`` found in a text.
package struct FoundAddress: Hashable, Sendable {
    package let address: IPAddress
    /// The bytes of the address alone: `2001:db8::1` in `[2001:db8::1]:443`.
    package let range: Range<Int>
    /// The bytes of the address with its brackets, zone, prefix length and port: all of `[2001:db8::1]:443`.
    package let extent: Range<Int>

    package init(address: IPAddress, range: Range<Int>, extent: Range<Int>) {
        (self.address, self.range, self.extent) = (address, range, extent)
    }
}
