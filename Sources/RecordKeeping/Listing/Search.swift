/// A search in the watch list: an address block, or a string to find in any of the strings of an entry.
package struct Search: Hashable, Sendable {
    private enum Pattern: Hashable, Sendable {
        case block(IPAddress, prefixLength: Int)
        case text(Needle)
    }

    private struct Needle: Hashable, Sendable {
        /// The bytes of the string to find, in lower case.
        let bytes: [UInt8]
        let isASCII: Bool
        /// The canonical notation if the string is an address; otherwise nil.
        let spelling: [UInt8]?
        /// Whether the string may occur in an IPv4 address.
        let mayBeOfV4: Bool
        /// Whether the string may occur in the canonical notation of an IPv6 address (RFC 5952).
        let mayBeOfV6: Bool

        init(_ text: String) {
            bytes = Array(text.lowercased().utf8)
            isASCII = bytes.allSatisfy { $0 < 0x80 }
            spelling = (try? IPAddress(text)).map { Array($0.description.utf8) }
            let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
            let letters = UInt8(ascii: "a")...UInt8(ascii: "f")
            mayBeOfV4 =
                spelling != nil
                || bytes.split(separator: UInt8(ascii: ".")).allSatisfy { part in
                    part.count <= 3 && part.allSatisfy { digits.contains($0) }
                }
            mayBeOfV6 =
                spelling != nil
                || bytes.allSatisfy { digits.contains($0) || letters.contains($0) || $0 == UInt8(ascii: ":") }
        }
    }

    private let pattern: Pattern

    /// The reason why a string is not a valid search, as a clause in lower case.
    package struct ParseError: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// Maximum length of a search, in bytes of UTF-8.
    package static let maxText = 1_000

    /// Parses a search.
    ///
    /// - Parameter text: `203.0.113.0/24` and `2001:db8::/32` are blocks (RFC 4632, RFC 4291 §2.3), anything else is a
    ///   string to find. An empty string matches every entry.
    package init(_ text: String) throws(ParseError) {
        guard text.utf8.count <= Self.maxText else {
            throw ParseError(description: "a search can have at most \(Self.maxText) bytes")
        }
        if let block = try Self.block(text) {
            pattern = block
            return
        }
        pattern = .text(Needle(text))
    }

    /// Returns nil if the text is not an address followed by a slash, and throws if the prefix length is invalid.
    private static func block(_ text: String) throws(ParseError) -> Pattern? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let address = try? IPAddress(parts[0]) else { return nil }
        let isV4 = address.family == .v4 && !parts[0].contains(":")
        let maximum = isV4 ? 32 : 128
        guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(parts[1]), length <= maximum
        else {
            throw ParseError(
                description: "expected a prefix length from 0 to \(maximum) for an \(isV4 ? "IPv4" : "IPv6") block")
        }
        return .block(address, prefixLength: isV4 ? length + 96 : length)
    }

    // MARK: Matching

    /// Returns whether an entry matches.
    ///
    /// - Parameters:
    ///   - texts: the own texts of all entries, by slot index.
    ///   - verdicts: the results of this search for interned values so far; new results are added.
    func matches(
        _ index: Int, _ slot: PackedSlot, _ texts: [OwnTexts], _ internedValues: InternedValues,
        _ verdicts: inout Verdicts
    ) -> Bool {
        switch pattern {
        case .block(let block, let length):
            return Self.mask(slot.address, length) == Self.mask(block, length)
        case .text(let needle):
            // Cached results are checked first, and the strings of a single entry are compared last.
            func isPart(of texts: [String?]) -> Bool {
                texts.contains { $0.map { Self.isPart(needle, of: $0) } ?? false }
            }
            return verdicts.places.matches(slot.place, in: internedValues.places) { isPart(of: $0.value.texts) }
                || verdicts.networks.matches(slot.network, in: internedValues.networks) { isPart(of: $0.value.texts) }
                || verdicts.labels.matches(slot.label, in: internedValues.labels) {
                    isPart(of: $0.value.tags + [$0.value.note])
                }
                || Self.isPart(needle, of: texts[index])
                || Self.isPart(needle, of: slot.address)
        }
    }

    /// Returns whether an address or one of the strings of its entry matches, as for an entry of the watch list.
    package func matches(_ address: IPAddress, texts: [String]) -> Bool {
        switch pattern {
        case .block(let block, let length): Self.mask(address, length) == Self.mask(block, length)
        case .text(let needle): texts.contains { Self.isPart(needle, of: $0) } || Self.isPart(needle, of: address)
        }
    }

    private static func mask(_ address: IPAddress, _ length: Int) -> IPAddress {
        func kept(_ bits: UInt64, _ count: Int) -> UInt64 {
            count <= 0 ? 0 : count >= 64 ? bits : bits & (UInt64.max << UInt64(64 - count))
        }
        return IPAddress(high: kept(address.high, length), low: kept(address.low, length - 64))
    }

    private static func isPart(_ needle: Needle, of address: IPAddress) -> Bool {
        guard address.v4 == nil ? needle.mayBeOfV6 : needle.mayBeOfV4 else { return false }
        return address.withText { name in
            contains(needle.bytes, in: name) || needle.spelling.map { contains($0, in: name) } ?? false
        }
    }

    private static func isPart(_ needle: Needle, of texts: OwnTexts) -> Bool {
        guard needle.isASCII else {
            return [texts.zip, texts.reverse].contains { $0.map { isPart(needle, of: $0) } ?? false }
        }
        return texts.withBytes { contains(needle.bytes, in: $0) || contains(needle.bytes, in: $1) }
    }

    private static func isPart(_ needle: Needle, of text: String) -> Bool {
        var text = needle.isASCII ? text : text.lowercased()
        return text.withUTF8 { contains(needle.bytes, in: $0) }
    }

    /// Returns whether the bytes contain the needle, ignoring the case of ASCII letters.
    ///
    /// - Parameter needle: in lower case.
    private static func contains(_ needle: [UInt8], in bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        needle.withUnsafeBufferPointer { needle in
            guard let first = needle.first else { return true }
            guard bytes.count >= needle.count else { return false }
            for start in 0...bytes.count - needle.count where small(bytes[start]) == first {
                var length = 1
                while length < needle.count, needle[length] == small(bytes[start + length]) { length += 1 }
                if length == needle.count { return true }
            }
            return false
        }
    }

    /// Returns an ASCII letter in lower case, and any other byte unchanged.
    private static func small(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }
}

/// The results of one search for interned values. Each value is compared once, however many entries share it.
struct Verdicts: Sendable {
    var places: InternedResults<Bool>
    var networks: InternedResults<Bool>
    var labels: InternedResults<Bool>

    init(isCaching: Bool = true) {
        places = InternedResults(isCaching: isCaching)
        networks = InternedResults(isCaching: isCaching)
        labels = InternedResults(isCaching: isCaching)
    }
}
