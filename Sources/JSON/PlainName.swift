/// The name of a member as it is usually spelled, for `JSONScanner.nextName(among:startingAt:)`.
package struct PlainName: Sendable {
    /// Maximum length of a name with its quotation marks and the colon.
    static let bytes = 16

    /// The name with its quotation marks and the colon, the first byte in the least significant bits.
    let spelling: UInt128
    /// The bits of `spelling` that are in use.
    let mask: UInt128
    /// The length of `spelling` in bytes.
    let count: Int

    /// - Parameter name: at most 13 bytes, which need no escapes.
    package init(_ name: String) {
        let spelled = "\"\(name)\":".utf8
        precondition(spelled.count <= Self.bytes, "the name is too long")
        count = spelled.count
        spelling = spelled.reversed().reduce(0) { $0 << 8 | UInt128($1) }
        mask = UInt128.max >> UInt128(8 * (Self.bytes - spelled.count))
    }
}
