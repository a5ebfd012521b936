extension AddressFinder {
    /// Finds an IPv6 address in a run, or after its first segment if that is a label, such as a line number.
    func v6(in run: Range<Int>) -> FoundAddress? {
        if let found = wholeV6(in: run) { return found }
        guard let colon = firstColon(in: run), !Plausibility.isFirstGroup(text[run.lowerBound..<colon]) else {
            return nil
        }
        return wholeV6(in: colon + 1..<run.upperBound)
    }

    /// Parses a run as an address, possibly with a port and with punctuation after it.
    private func wholeV6(in run: Range<Int>) -> FoundAddress? {
        guard !Self.isWord(byte(at: run.upperBound)) else { return nil }
        var end = trimmingPeriods(run)
        // A single colon is punctuation; two belong to the address.
        let colons = text[run.lowerBound..<end].reversed().prefix { $0 == UInt8(ascii: ":") }.count
        if colons == 1 || colons == 3 { end -= 1 }
        let range = run.lowerBound..<end
        if let address = plausible(range) { return FoundAddress(address, at: range, in: text) }
        return withPort(in: range)
    }

    /// Parses an address with a port after a colon (Apache's error log) or a period (tcpdump).
    ///
    /// A port of up to four digits after a colon is indistinguishable from a group, except after a complete address.
    private func withPort(in range: Range<Int>) -> FoundAddress? {
        // A port has at most five digits.
        let last = text[range].suffix(6).lastIndex { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
        guard let last, FoundAddress.isPort(text[last + 1..<range.upperBound]),
            let address = plausible(range.lowerBound..<last)
        else { return nil }
        return FoundAddress(address: address, range: range.lowerBound..<last, extent: range)
    }

    private func plausible(_ range: Range<Int>) -> IPAddress? {
        guard let address = IPAddress(plainV6: UnsafeBufferPointer(rebasing: text[range])),
            Plausibility.holds(for: address, in: text[range])
        else { return nil }
        return address
    }

    /// The IPv6 addresses that the finder accepts: those in blocks that are in use, so that names in programs and
    /// hexadecimal numbers are not found.
    enum Plausibility {
        /// IPv4-mapped addresses, ::1, 64:ff9b::/32 (RFC 6052, RFC 8215), global unicast (2000::/3), and, if there is a
        /// decimal digit, unique local (RFC 4193), link-local and multicast (RFC 4291 §2.5.6, §2.7) addresses.
        static func holds(for address: IPAddress, in text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
            if address.family == .v4 || address == IPAddress(high: 0, low: 1) { return true }
            if address.high >> 32 == 0x0064_FF9B { return true }
            let group = UInt16(truncatingIfNeeded: address.high >> 48)
            return isGlobal(group) || isLocal(group) && text.contains(where: IPAddress.isDecimal)
        }

        /// Whether an address in one of the blocks above may begin with this group.
        static func isFirstGroup(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
            guard text.count == 4 else { return false }
            let group = text.reduce(0) { $0 << 4 | (IPAddress.hexadecimalValue($1) ?? 0) }
            return isGlobal(group) || isLocal(group)
        }

        private static func isGlobal(_ group: UInt16) -> Bool { group >> 13 == 1 }

        private static func isLocal(_ group: UInt16) -> Bool {
            group >> 9 == 0xFC00 >> 9 || group >> 6 == 0xFE80 >> 6 || group >> 7 == 0xFF00 >> 7
        }
    }
}
