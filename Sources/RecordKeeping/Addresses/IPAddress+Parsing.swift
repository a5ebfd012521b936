extension IPAddress {
    /// The reason why a string is not a valid address, in human-readable form.
    package struct ParseError: Error, Hashable, Sendable, CustomStringConvertible {
        /// The rule that the string breaks, as a clause in lower case: "an IPv4 address has four parts; this one has
        /// 3".
        package let description: String

        init(_ description: String) {
            self.description = description
        }
    }

    /// Parses one address: dotted decimal (RFC 6943 §3.1.1, strict form) or any IPv6 notation of RFC 4291 §2.2.
    ///
    /// White space, zone ids, ports, prefixes and host names are errors. So are leading zeros in IPv4, which some
    /// parsers read as octal. A string longer than 128 bytes is rejected without being parsed.
    package init(_ text: some StringProtocol) throws(ParseError) {
        if let address = text.utf8.withContiguousStorageIfAvailable({ IPAddress(plain: $0) }) ?? nil {
            self = address
            return
        }
        let characters = Array(text.utf8)
        guard !characters.isEmpty else { throw ParseError("the address is empty") }
        guard characters.count <= Self.maxTextBytes else {
            throw ParseError("an address has at most \(Self.maxTextBytes) bytes; this one has \(characters.count)")
        }
        try Self.refuseWhatIsMoreThanAnAddress(characters)
        let isV6 = characters.contains(UInt8(ascii: ":"))
        self = isV6 ? try Self.v6(characters[...]) : IPAddress(v4: try Self.v4Bits(characters[...]))
    }

    /// Parses dotted-decimal IPv4 without allocating memory. Returns nil for any other string, including valid IPv6;
    /// `init(_:)` reports why a string is invalid.
    package init?(plain text: UnsafeBufferPointer<UInt8>) {
        // The lengths of 0.0.0.0 and 255.255.255.255.
        guard (7...15).contains(text.count) else { return nil }
        var (bits, part, digits, dots): (UInt32, UInt32, Int, Int) = (0, 0, 0, 0)
        for character in text {
            if Self.isDecimal(character) {
                guard digits == 0 || part > 0 else { return nil }
                part = part * 10 + UInt32(character - UInt8(ascii: "0"))
                digits += 1
                guard part <= 255 else { return nil }
            } else {
                guard character == UInt8(ascii: "."), digits > 0 else { return nil }
                (bits, part, digits, dots) = (bits << 8 | part, 0, 0, dots + 1)
            }
        }
        guard dots == 3, digits > 0 else { return nil }
        self.init(v4: bits << 8 | part)
    }

    /// Maximum length in bytes. The longest address, `ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255`, is 45 bytes long.
    /// The remaining bytes allow for a prefix, a port or a zone id, so that the error names that part, not the length.
    private static let maxTextBytes = 128

    private static func refuseWhatIsMoreThanAnAddress(_ text: [UInt8]) throws(ParseError) {
        for character in text {
            switch character {
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
                throw ParseError("an address cannot contain white space")
            case UInt8(ascii: "/"):
                throw ParseError("expected a single address, not a prefix or URL")
            case UInt8(ascii: "%"):
                throw ParseError("remove the zone ID (\"%\" and everything after it)")
            case UInt8(ascii: ","):
                throw ParseError("expected a single address, not a list separated by commas")
            case UInt8(ascii: "["), UInt8(ascii: "]"):
                throw ParseError("expected an address without brackets or port")
            default:
                continue
            }
        }
    }

    private static func v4Bits(_ text: ArraySlice<UInt8>) throws(ParseError) -> UInt32 {
        guard text.allSatisfy({ isDecimal($0) || $0 == UInt8(ascii: ".") }) else {
            let expected = "expected an address such as 192.0.2.1 or 2001:db8::1"
            throw ParseError(isHostName(text) ? "this looks like a host name; \(expected)" : expected)
        }
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 4 else {
            throw ParseError("an IPv4 address has four parts; this one has \(parts.count)")
        }
        var bits: UInt32 = 0
        for part in parts {
            guard !part.isEmpty else { throw ParseError("a part of the IPv4 address is empty") }
            guard part.count == 1 || part.first != UInt8(ascii: "0") else {
                throw ParseError("leading zeros are not allowed, because some programs read them as octal")
            }
            guard part.count <= 3, let value = UInt8(exactly: part.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) })
            else {
                throw ParseError("each part of an IPv4 address is at most 255")
            }
            bits = bits << 8 | UInt32(value)
        }
        return bits
    }

    /// Whether a string has the form of a host name with at least one dot.
    private static func isHostName(_ text: ArraySlice<UInt8>) -> Bool {
        let labels = text.split(separator: UInt8(ascii: "."))
        return labels.count > 1
            && text.allSatisfy { character in
                // Internationalised names are not ASCII.
                isDecimal(character) || character >= 0x80 || (0x61...0x7A).contains(character | 0x20)
                    || [UInt8(ascii: "-"), UInt8(ascii: "_"), UInt8(ascii: ".")].contains(character)
            }
    }

    private static func v6(_ text: ArraySlice<UInt8>) throws(ParseError) -> IPAddress {
        let colon = UInt8(ascii: ":")
        if text.contains(UInt8(ascii: ".")), text.filter({ $0 == colon }).count == 1 {
            throw ParseError("remove the port (\":\" and everything after it)")
        }
        let halves = try splitAtGap(text)
        let head = try groups(halves.head, mayEndInV4: halves.tail == nil)
        guard let tailText = halves.tail else {
            guard head.count == 8 else {
                throw ParseError("an IPv6 address without \"::\" has eight groups; this one has \(head.count)")
            }
            return IPAddress(groups: head)
        }
        let tail = try groups(tailText, mayEndInV4: true)
        guard head.count + tail.count <= 7 else {
            throw ParseError("\"::\" replaces at least one group, but all eight are present")
        }
        return IPAddress(groups: head + Array(repeating: 0, count: 8 - head.count - tail.count) + tail)
    }

    /// Splits the text at `::`; `tail` is nil if the text has no `::`.
    private static func splitAtGap(
        _ text: ArraySlice<UInt8>
    ) throws(ParseError) -> (head: ArraySlice<UInt8>, tail: ArraySlice<UInt8>?) {
        let colon = UInt8(ascii: ":")
        let gaps = text.indices.dropLast().filter { text[$0] == colon && text[$0 + 1] == colon }
        guard let gap = gaps.first else { return (text, nil) }
        guard gaps.count == 1 else { throw ParseError("\"::\" can appear only once in an IPv6 address") }
        return (text[..<gap], text[(gap + 2)...])
    }

    private static func groups(_ text: ArraySlice<UInt8>, mayEndInV4: Bool) throws(ParseError) -> [UInt16] {
        guard !text.isEmpty else { return [] }
        let parts = text.split(separator: UInt8(ascii: ":"), omittingEmptySubsequences: false)
        var groups: [UInt16] = []
        for (position, part) in parts.enumerated() {
            guard !part.isEmpty else { throw ParseError("a group of the IPv6 address is empty") }
            if mayEndInV4, position == parts.count - 1, part.contains(UInt8(ascii: ".")) {
                let bits = try v4Bits(part)
                groups += [UInt16(bits >> 16), UInt16(truncatingIfNeeded: bits)]
                continue
            }
            var value: UInt16 = 0
            guard part.count <= 4 else { throw ParseError("a group of an IPv6 address has at most four digits") }
            for character in part {
                guard let digit = hexadecimalValue(character) else {
                    throw ParseError("a group of an IPv6 address can contain only the digits 0-9 and a-f")
                }
                value = value << 4 | digit
            }
            groups.append(value)
        }
        return groups
    }

    /// - Parameter groups: exactly eight groups.
    private init(groups: [UInt16]) {
        self.init(
            high: groups.prefix(4).reduce(0) { $0 << 16 | UInt64($1) },
            low: groups.suffix(4).reduce(0) { $0 << 16 | UInt64($1) })
    }

    static func isDecimal(_ character: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(character)
    }

    static func hexadecimalValue(_ character: UInt8) -> UInt16? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt16(character - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt16(character - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt16(character - UInt8(ascii: "A") + 10)
        default: nil
        }
    }
}
