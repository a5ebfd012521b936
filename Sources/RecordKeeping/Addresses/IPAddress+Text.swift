extension IPAddress: CustomStringConvertible {
    /// The canonical text: dotted decimal for IPv4, RFC 5952 for IPv6.
    package var description: String {
        if v4 != nil { return withText { String(decoding: $0, as: UTF8.self) } }
        let groups = self.groups
        let gap = Self.longestRunOfZeros(groups)
        var text = ""
        var index = 0
        while index < 8 {
            if let gap, index == gap.lowerBound {
                text += "::"
                index = gap.upperBound
                continue
            }
            if !text.isEmpty, !text.hasSuffix(":") { text += ":" }
            text += String(groups[index], radix: 16)
            index += 1
        }
        return text
    }

    /// Passes the canonical text, in ASCII, to `body`. The buffer is valid only until `body` returns. IPv4 addresses
    /// need no heap allocation.
    package func withText<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        guard let bits = v4 else {
            var text = description
            return text.withUTF8(body)
        }
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 15) { text in
            var count = 0
            func put(_ byte: UInt8) {
                text.initializeElement(at: count, to: byte)
                count += 1
            }
            for shift: UInt32 in [24, 16, 8, 0] {
                if shift < 24 { put(UInt8(ascii: ".")) }
                let part = UInt8(truncatingIfNeeded: bits >> shift)
                if part >= 100 { put(UInt8(ascii: "0") + part / 100) }
                if part >= 10 { put(UInt8(ascii: "0") + part / 10 % 10) }
                put(UInt8(ascii: "0") + part % 10)
            }
            return body(UnsafeBufferPointer(rebasing: text[..<count]))
        }
    }

    /// The eight 16-bit groups of the IPv6 form.
    private var groups: [UInt16] {
        (0..<8).map { UInt16(truncatingIfNeeded: ($0 < 4 ? high : low) >> (48 - 16 * UInt64($0 & 3))) }
    }

    /// Returns the groups that `::` replaces: the first of the longest runs of at least two zero groups (RFC 5952
    /// §4.2).
    private static func longestRunOfZeros(_ groups: [UInt16]) -> Range<Int>? {
        var best: Range<Int>?
        var index = 0
        while index < groups.count {
            var end = index
            while end < groups.count, groups[end] == 0 { end += 1 }
            if end - index >= 2, end - index > best?.count ?? 0 { best = index..<end }
            index = max(end, index + 1)
        }
        return best
    }
}
