extension FoundAddress {
    /// Creates a found address with the brackets, zone, prefix length and port around it.
    init(_ address: IPAddress, at range: Range<Int>, in text: UnsafeBufferPointer<UInt8>) {
        var (start, end) = (range.lowerBound, range.upperBound)
        func byte(_ index: Int) -> UInt8? { text.indices.contains(index) ? text[index] : nil }
        if byte(end) == UInt8(ascii: "%"), Self.hasZone(address) {
            let zone = text[(end + 1)...].prefix(Self.maxZoneBytes).prefix(while: Self.isInZone)
            // A period at the end belongs to the sentence.
            if let last = zone.lastIndex(where: { $0 != UInt8(ascii: ".") }) { end = last + 1 }
        }
        let isBracketed = byte(start - 1) == UInt8(ascii: "[") && byte(end) == UInt8(ascii: "]")
        if isBracketed { (start, end) = (start - 1, end + 1) }
        // Without brackets, the port of an IPv6 address is part of the run that the finder examines.
        if byte(end) == UInt8(ascii: ":"), isBracketed || address.family == .v4 {
            end = Self.end(ofNumberAt: end + 1, in: text, where: Self.isPort) ?? end
        } else if byte(end) == UInt8(ascii: "/"), !isBracketed {
            end = Self.end(ofNumberAt: end + 1, in: text) { Self.isPrefixLength($0, of: address.family) } ?? end
        }
        self.init(address: address, range: range, extent: start..<end)
    }

    /// Whether digits are a port: at most five, up to 65535.
    static func isPort(_ digits: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        digits.allSatisfy(IPAddress.isDecimal) && (1...5).contains(digits.count) && value(of: digits) <= 65_535
    }

    private static func isPrefixLength(
        _ digits: Slice<UnsafeBufferPointer<UInt8>>, of family: IPAddress.Family
    ) -> Bool {
        (1...3).contains(digits.count) && value(of: digits) <= (family == .v4 ? 32 : 128)
    }

    /// - Parameter digits: at most five decimal digits.
    private static func value(of digits: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    }

    /// Returns the end of a number that satisfies a condition, unless it is the beginning of a longer token.
    private static func end(
        ofNumberAt start: Int, in text: UnsafeBufferPointer<UInt8>,
        where isValid: (Slice<UnsafeBufferPointer<UInt8>>) -> Bool
    ) -> Int? {
        let digits = text[start...].prefix(6).prefix(while: IPAddress.isDecimal)
        let next = text[digits.endIndex...].prefix(2)
        let continues =
            AddressFinder.isWord(next.first)
            || next.first == UInt8(ascii: ".") && next.count == 2 && AddressFinder.isWord(next.last)
        return isValid(digits) && !continues ? digits.endIndex : nil
    }

    /// Zones belong to link-local and multicast addresses (RFC 4007 §6). After others, a percent sign may begin an
    /// escape of a URL.
    private static func hasZone(_ address: IPAddress) -> Bool {
        address.high >> 54 == 0xFE80 >> 6 || address.high >> 56 == 0xFF
    }

    /// Maximum length of an interface name (IFNAMSIZ in linux/if.h, without the final zero).
    private static let maxZoneBytes = 15

    private static func isInZone(_ byte: UInt8) -> Bool {
        AddressFinder.isWord(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }
}
