extension IPAddress {
    /// Parses IPv6 in any notation of RFC 4291 §2.2 without allocating memory. Returns nil for any other string,
    /// including valid IPv4; `init(_:)` reports why a string is invalid.
    package init?(plainV6 text: UnsafeBufferPointer<UInt8>) {
        guard Self.v6TextBytes.contains(text.count) else { return nil }
        let colon = UInt8(ascii: ":")
        var (bits, groups, index): (UInt128, Int, Int) = (0, 0, 0)
        /// The number of groups before `::`.
        var gap: Int?
        if text[0] == colon {
            guard text[1] == colon else { return nil }
            (gap, index) = (0, 2)
        }
        while index < text.count {
            let start = index
            var group: UInt16 = 0
            while index < text.count, let digit = Self.hexadecimalValue(text[index]) {
                guard index - start < 4 else { return nil }
                group = group << 4 | digit
                index += 1
            }
            if index < text.count, text[index] == UInt8(ascii: ".") {
                guard let v4 = IPAddress(plain: UnsafeBufferPointer(rebasing: text[start...]))?.v4 else { return nil }
                (bits, groups) = (bits << 32 | UInt128(v4), groups + 2)
                break
            }
            guard index > start, groups < 8 else { return nil }
            (bits, groups) = (bits << 16 | UInt128(group), groups + 1)
            guard index < text.count else { break }
            guard text[index] == colon, index + 1 < text.count else { return nil }
            index += 1
            guard text[index] == colon else { continue }
            guard gap == nil else { return nil }
            (gap, index) = (groups, index + 1)
        }
        // `::` replaces at least one group.
        guard gap == nil ? groups == 8 : groups <= 7 else { return nil }
        let tailBits = 16 * (groups - (gap ?? groups))
        bits = (bits >> tailBits) << (tailBits + 16 * (8 - groups)) | bits & ((1 << tailBits) - 1)
        self.init(high: UInt64(truncatingIfNeeded: bits >> 64), low: UInt64(truncatingIfNeeded: bits))
    }

    /// The lengths of `::` and of `ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255`.
    private static let v6TextBytes = 2...45
}
