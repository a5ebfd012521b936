extension IPAddress: CustomStringConvertible {
    /// The canonical text: dotted decimal for IPv4, RFC 5952 for IPv6.
    package var description: String {
        String(unsafeUninitializedCapacity: Self.maxTextBytes) { write(to: $0) }
    }

    /// The length of the longest text: eight groups of four digits, and seven colons.
    private static let maxTextBytes = 39

    /// Passes the canonical text, in ASCII, to `body`, without a heap allocation. The buffer is valid only until `body`
    /// returns.
    package func withText<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.maxTextBytes) { text in
            body(UnsafeBufferPointer(rebasing: text[..<write(to: text)]))
        }
    }

    /// Appends the canonical text, in ASCII.
    package func append(to bytes: inout [UInt8]) {
        withText { bytes.append(contentsOf: $0) }
    }

    /// Writes the canonical text to uninitialized memory.
    ///
    /// - Returns: the length of the text, in bytes.
    private func write(to text: UnsafeMutableBufferPointer<UInt8>) -> Int {
        var count = 0
        func put(_ byte: UInt8) {
            text.initializeElement(at: count, to: byte)
            count += 1
        }
        guard let bits = v4 else {
            writeGroups(put)
            return count
        }
        for shift: UInt32 in [24, 16, 8, 0] {
            if shift < 24 { put(UInt8(ascii: ".")) }
            let part = UInt8(truncatingIfNeeded: bits >> shift)
            if part >= 100 { put(UInt8(ascii: "0") + part / 100) }
            if part >= 10 { put(UInt8(ascii: "0") + part / 10 % 10) }
            put(UInt8(ascii: "0") + part % 10)
        }
        return count
    }

    private func writeGroups(_ put: (UInt8) -> Void) {
        let gap = longestRunOfZeros ?? 8..<8
        for index in 0..<8 where !gap.contains(index) {
            if index == gap.upperBound {
                put(UInt8(ascii: ":"))
                put(UInt8(ascii: ":"))
            } else if index > 0 {
                put(UInt8(ascii: ":"))
            }
            let group = group(index)
            for shift: UInt16 in [12, 8, 4, 0] where shift == 0 || group >> shift != 0 {
                let digit = UInt8(truncatingIfNeeded: group >> shift & 0xF)
                put(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            }
        }
        // If another group follows the gap, the loop has already written the gap.
        guard gap.upperBound == 8, !gap.isEmpty else { return }
        put(UInt8(ascii: ":"))
        put(UInt8(ascii: ":"))
    }

    /// Returns one of the eight 16-bit groups of the IPv6 form.
    private func group(_ index: Int) -> UInt16 {
        UInt16(truncatingIfNeeded: (index < 4 ? high : low) >> (48 - 16 * UInt64(index & 3)))
    }

    /// The groups that `::` replaces: the first of the longest runs of at least two zero groups (RFC 5952 §4.2); nil if
    /// there is none.
    private var longestRunOfZeros: Range<Int>? {
        var best: Range<Int>?
        var index = 0
        while index < 8 {
            var end = index
            while end < 8, group(end) == 0 { end += 1 }
            if end - index >= 2, end - index > best?.count ?? 0 { best = index..<end }
            index = max(end, index + 1)
        }
        return best
    }
}
