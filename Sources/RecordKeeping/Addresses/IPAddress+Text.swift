extension IPAddress: CustomStringConvertible {
    /// The canonical text: dotted decimal for IPv4, RFC 5952 for IPv6.
    package var description: String {
        if let bits = v4 {
            return "\(bits >> 24).\(bits >> 16 & 0xFF).\(bits >> 8 & 0xFF).\(bits & 0xFF)"
        }
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

    /// The eight 16-bit groups of the IPv6 form.
    private var groups: [UInt16] {
        (0..<8).map { UInt16(truncatingIfNeeded: ($0 < 4 ? high : low) >> (48 - 16 * UInt64($0 & 3))) }
    }

    /// What `::` stands for: the first of the longest runs of two zero groups or more (RFC 5952 §4.2).
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
