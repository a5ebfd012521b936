/// Finds the addresses in a text of any encoding that contains ASCII, such as a line of a log.
///
///     let found = AddressFinder.addresses(in: Array("from [2001:db8::1]:443".utf8))
///     print(found[0].address, found[0].range)      // 2001:db8::1 6..<17
///
/// An address is found in the notations of ``IPAddress``, between bytes that are not ASCII letters, digits or
/// underscores. Brackets, a port, a zone and a prefix length may be attached to it. IPv4-mapped addresses are IPv4.
///
/// Many other texts have the form of an address. The finder skips:
/// - parts of a longer token: `1.2.3.4.5`, `v1.2.3.4`, `1.2.3.4-rc1`, `192.0.2.1.example.com`, `C:\1.2.3.4\`;
/// - the version of a product, without a port: `Chrome/120.0.0.0`;
/// - IPv6 outside the blocks that are in use (see ``Plausibility``), such as `abc::def` in a program.
///
/// A colon ends a label, so that `client:192.0.2.1` and `12:2001:db8::1` contain an address. Four numbers without any
/// of these signs are an address even if the writer means a version.
///
/// Time is proportional to the length of the text, and no memory is allocated except for the addresses found.
package struct AddressFinder {
    let text: UnsafeBufferPointer<UInt8>
    private(set) var found: [FoundAddress]

    /// Replaces the contents of `found`, but not its memory, with the addresses in the text, in the order of their
    /// positions.
    package static func find(in text: UnsafeBufferPointer<UInt8>, into found: inout [FoundAddress]) {
        var finder = AddressFinder(text: text, found: [])
        swap(&finder.found, &found)
        finder.found.removeAll(keepingCapacity: true)
        finder.scan()
        swap(&finder.found, &found)
    }

    /// Returns the addresses in the text, in the order of their positions.
    package static func addresses(in text: [UInt8]) -> [FoundAddress] {
        var found: [FoundAddress] = []
        text.withUnsafeBufferPointer { find(in: $0, into: &found) }
        return found
    }

    /// A sequence of hexadecimal digits, periods and colons that is as long as possible.
    struct Run {
        var range: Range<Int>
        var periods = 0
        var colons = 0
    }

    private mutating func scan() {
        var (index, previousEnd) = (0, 0)
        while index < text.count {
            guard text[index] == UInt8(ascii: ".") || text[index] == UInt8(ascii: ":") else {
                index += 1
                continue
            }
            var run = Run(range: index..<index)
            while index > previousEnd, Self.isInRun(text[index - 1]) { index -= 1 }
            let start = index
            while index < text.count, Self.isInRun(text[index]) {
                if text[index] == UInt8(ascii: ".") { run.periods += 1 }
                if text[index] == UInt8(ascii: ":") { run.colons += 1 }
                index += 1
            }
            run.range = start..<index
            if run.periods >= 3 || run.colons >= 2 {
                examine(run)
                // A zone may have the form of an address.
                index = max(index, found.last?.extent.upperBound ?? 0)
            }
            previousEnd = index
        }
    }

    private mutating func examine(_ run: Run) {
        var start = run.range.lowerBound
        if Self.isWord(byte(before: start)), !isAfterTerminalSequence(start) {
            // The word ends at the first colon, if at all.
            guard let colon = firstColon(in: run.range) else { return }
            start = colon + 1
        }
        if run.colons >= 2, let address = v6(in: start..<run.range.upperBound) {
            found.append(address)
        } else if run.periods >= 3 {
            findV4(in: start..<run.range.upperBound, of: run.range)
        }
    }

    /// Whether a sequence that sets a terminal's colours ends before a position, such as `ESC [ 31 m` or `ESC [ K`
    /// (ECMA-48, 8.3.117 and 8.3.41).
    private func isAfterTerminalSequence(_ position: Int) -> Bool {
        guard [UInt8(ascii: "m"), UInt8(ascii: "K")].contains(text[position - 1]) else { return false }
        // The longest usual parameters are those of a 24-bit colour: "38;2;255;255;255".
        let before = text[..<(position - 1)].suffix(18)
        guard let bracket = before.lastIndex(where: { !IPAddress.isDecimal($0) && $0 != UInt8(ascii: ";") }) else {
            return false
        }
        return text[bracket] == UInt8(ascii: "[") && byte(before: bracket) == 0x1B
    }

    // MARK: IPv4

    /// - Parameters:
    ///   - segments: the part of the run that may contain addresses: segments with colons between them.
    private mutating func findV4(in segments: Range<Int>, of run: Range<Int>) {
        var start = segments.lowerBound
        while start < segments.upperBound {
            let end = firstColon(in: start..<segments.upperBound) ?? segments.upperBound
            // Periods that end a sentence.
            let addressEnd = end == segments.upperBound ? trimmingPeriods(start..<end) : end
            if let address = IPAddress(plain: UnsafeBufferPointer(rebasing: text[start..<addressEnd])),
                end < segments.upperBound || canEndV4(at: addressEnd, run: run.upperBound),
                start > run.lowerBound
                    || canBeginV4(at: start, hasPort: end < segments.upperBound || byte(at: end) == UInt8(ascii: "("))
            {
                found.append(FoundAddress(address, at: start..<addressEnd, in: text))
            }
            start = end + 1
        }
    }

    /// Whether the bytes after an address in a run without a colon after it do not continue a token.
    private func canEndV4(at end: Int, run runEnd: Int) -> Bool {
        let next = byte(at: runEnd)
        guard !Self.isWord(next) else { return false }
        guard end == runEnd, Self.isWord(byte(at: end + 1)) else { return true }
        switch next {
        case UInt8(ascii: "-"): return isV4(at: end + 1)
        case UInt8(ascii: "+"), UInt8(ascii: "~"): return false
        default: return true
        }
    }

    /// Whether the bytes before an address at the start of a run do not begin a token.
    ///
    /// - Parameter hasPort: whether a colon or a parenthesis (Cisco) follows the address.
    private func canBeginV4(at start: Int, hasPort: Bool) -> Bool {
        switch byte(before: start) {
        case UInt8(ascii: "-"):
            return !Self.isWord(byte(before: start - 1)) || found.last?.extent.upperBound == start - 1
        case UInt8(ascii: "+"), UInt8(ascii: "~"):
            return !Self.isWord(byte(before: start - 1))
        case UInt8(ascii: "/"):
            return hasPort || !isProduct(before: start - 1)
        case UInt8(ascii: "\\"):
            return !isPath(before: start)
        default:
            return true
        }
    }

    /// Whether an IPv4 address begins at a position, as the second address of a range.
    private func isV4(at start: Int) -> Bool {
        var end = start
        // The longest IPv4 address has 15 bytes.
        while end < min(text.count, start + 16), IPAddress.isDecimal(text[end]) || text[end] == UInt8(ascii: ".") {
            end += 1
        }
        return IPAddress(plain: UnsafeBufferPointer(rebasing: text[start..<trimmingPeriods(start..<end)])) != nil
    }

    /// Whether a product token of a user agent, such as `Chrome` or `App-Name`, ends before the slash at `slash`
    /// (RFC 9110 §10.1.5). A component of a path is preceded by another slash.
    private func isProduct(before slash: Int) -> Bool {
        // JSON may escape the slash.
        let end = byte(before: slash) == UInt8(ascii: "\\") ? slash - 1 : slash
        var start = end
        while Self.isWord(byte(before: start)) || byte(before: start) == UInt8(ascii: "-") { start -= 1 }
        guard start < end, !IPAddress.isDecimal(text[start]) else { return false }
        guard let separator = byte(before: start) else { return true }
        switch separator {
        case ...UInt8(ascii: " "), UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ";"),
            UInt8(ascii: ","), UInt8(ascii: "+"), UInt8(ascii: "="):
            return true
        default: return false
        }
    }

    /// Whether the backslashes before `start` separate the components of a path, unlike those of `\\192.0.2.1\share`.
    private func isPath(before start: Int) -> Bool {
        var start = start
        while byte(before: start) == UInt8(ascii: "\\") { start -= 1 }
        guard let last = byte(before: start) else { return false }
        return Self.isWord(last) || [UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: ")")].contains(last)
    }

    // MARK: Bytes

    func byte(at index: Int) -> UInt8? { index < text.count ? text[index] : nil }

    func byte(before index: Int) -> UInt8? { index > 0 ? text[index - 1] : nil }

    func firstColon(in range: Range<Int>) -> Int? { text[range].firstIndex(of: UInt8(ascii: ":")) }

    /// Returns the end of a range without the periods at its end.
    func trimmingPeriods(_ range: Range<Int>) -> Int {
        var end = range.upperBound
        while end > range.lowerBound, text[end - 1] == UInt8(ascii: ".") { end -= 1 }
        return end
    }

    /// Whether a byte is a letter, a digit or an underscore.
    package static func isWord(_ byte: UInt8?) -> Bool {
        guard let byte else { return false }
        return IPAddress.isDecimal(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "_")
    }

    @inline(__always)
    private static func isInRun(_ byte: UInt8) -> Bool {
        // "0" to ":" are consecutive.
        (0x30...0x3A).contains(byte) || (0x61...0x66).contains(byte | 0x20) || byte == UInt8(ascii: ".")
    }
}
