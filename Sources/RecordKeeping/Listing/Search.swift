/// What a text of a search matches: an address block, or a part of any text of an entry.
package struct Search: Hashable, Sendable {
    private enum Pattern: Hashable, Sendable {
        case block(IPAddress, prefixLength: Int)
        /// In small letters. `spelling` is the canonical one of an address that was written in another.
        case text(needle: [UInt8], isASCII: Bool, spelling: [UInt8]?)
    }

    private let pattern: Pattern

    /// Why a text is no search, as half a sentence.
    package struct ParseError: Error, Hashable, Sendable, CustomStringConvertible {
        package let description: String
    }

    /// The longest text, in bytes of UTF-8: longer than any text of a record.
    package static let longestText = 1_000

    /// - Parameter text: `203.0.113.0/24` or `2001:db8::/32` is a block (RFC 4632, RFC 4291 §2.3), anything else a text.
    ///   An empty one matches everything.
    package init(_ text: String) throws(ParseError) {
        guard text.utf8.count <= Self.longestText else {
            throw ParseError(description: "a search has at most \(Self.longestText) bytes")
        }
        if let block = try Self.block(text) {
            pattern = block
            return
        }
        let small = Array(text.lowercased().utf8)
        let spelling = (try? IPAddress(text)).map { Array($0.description.utf8) }
        pattern = .text(needle: small, isASCII: small.allSatisfy { $0 < 0x80 }, spelling: spelling)
    }

    private static func block(_ text: String) throws(ParseError) -> Pattern? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let address = try? IPAddress(parts[0]) else { return nil }
        let isV4 = address.family == .v4 && !parts[0].contains(":")
        let longest = isV4 ? 32 : 128
        guard parts[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(parts[1]), length <= longest
        else {
            throw ParseError(
                description: "a block of \(isV4 ? "IPv4" : "IPv6") addresses has a prefix length of 0 to \(longest)")
        }
        return .block(address, prefixLength: isV4 ? length + 96 : length)
    }

    // MARK: Matching

    /// - Parameter verdicts: what this search has found out about common parts before.
    func matches(_ slot: PackedSlot, _ common: CommonParts, _ verdicts: inout Verdicts) -> Bool {
        switch pattern {
        case .block(let block, let length):
            return Self.mask(slot.address, length) == Self.mask(block, length)
        case .text(let needle, let isASCII, let spelling):
            if isASCII, needle.allSatisfy(Self.mayBeOfAddress) || spelling != nil {
                let name = slot.address.description
                if Self.isPart(needle, true, of: name) || spelling.map({ Self.isPart($0, true, of: name) }) ?? false {
                    return true
                }
            }
            if let name = slot.reverseName, Self.isPart(needle, isASCII, of: name) { return true }
            func isPart(of texts: [String?]) -> Bool {
                texts.contains { $0.map { Self.isPart(needle, isASCII, of: $0) } ?? false }
            }
            return verdicts.places.of(slot.place, in: common.places) { isPart(of: $0.value.texts) }
                || verdicts.networks.of(slot.network, in: common.networks) { isPart(of: $0.value.texts) }
                || verdicts.labels.of(slot.label, in: common.labels) { isPart(of: $0.value.tags + [$0.value.note]) }
        }
    }

    /// A byte that an address is written with, in small letters (RFC 5952).
    private static func mayBeOfAddress(_ byte: UInt8) -> Bool {
        (0x30...0x3A).contains(byte) || (0x61...0x66).contains(byte) || byte == 0x2E
    }

    private static func mask(_ address: IPAddress, _ length: Int) -> IPAddress {
        func kept(_ bits: UInt64, _ count: Int) -> UInt64 {
            count <= 0 ? 0 : count >= 64 ? bits : bits & (UInt64.max << UInt64(64 - count))
        }
        return IPAddress(high: kept(address.high, length), low: kept(address.low, length - 64))
    }

    private static func isPart(_ needle: [UInt8], _ isASCII: Bool, of text: CompactText) -> Bool {
        isASCII ? text.withBytes { contains(needle, in: $0) } : isPart(needle, false, of: text.text)
    }

    private static func isPart(_ needle: [UInt8], _ isASCII: Bool, of text: String) -> Bool {
        var text = isASCII ? text : text.lowercased()
        return text.withUTF8 { contains(needle, in: $0) }
    }

    /// - Parameter needle: in small letters.
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

    /// An ASCII letter in its small form; every other byte as it is.
    private static func small(_ byte: UInt8) -> UInt8 {
        byte &- 0x41 < 26 ? byte | 0x20 : byte
    }
}

/// Which of the parts that entries have in common match one search: each is looked at once, however many have it.
struct Verdicts: Sendable {
    var places = PoolVerdicts()
    var networks = PoolVerdicts()
    var labels = PoolVerdicts()
}

/// Those of one pool.
struct PoolVerdicts: Sendable {
    private var known: [Bool?] = []
    private var edition = 0

    /// Listings are many, and clients decide how many: each keeps no more than so many bytes.
    private static let most = 1 << 17

    /// - Parameter look: asked where it is not known.
    mutating func of<Value>(_ number: UInt32, in pool: Pool<Value>, _ look: (Value) -> Bool) -> Bool {
        // Where nearly each entry has its own, looking is as good as knowing.
        guard pool.bound <= Self.most else { return pool[number].map(look) ?? false }
        if edition != pool.edition || known.count < pool.bound {
            known = Array(repeating: nil, count: pool.bound)
            edition = pool.edition
        }
        if let verdict = known[Int(number)] { return verdict }
        let verdict = pool[number].map(look) ?? false
        known[Int(number)] = verdict
        return verdict
    }
}
