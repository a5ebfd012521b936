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

    func matches(_ address: IPAddress, _ entry: Entry) -> Bool {
        switch pattern {
        case .block(let block, let length):
            return Self.mask(address, length) == Self.mask(block, length)
        case .text(let needle, let isASCII, let spelling):
            let name = address.description
            if Self.isPart(needle, isASCII, of: name) || spelling.map({ Self.isPart($0, true, of: name) }) ?? false {
                return true
            }
            return entry.texts.contains { Self.isPart(needle, isASCII, of: $0) }
        }
    }

    private static func mask(_ address: IPAddress, _ length: Int) -> IPAddress {
        func kept(_ bits: UInt64, _ count: Int) -> UInt64 {
            count <= 0 ? 0 : count >= 64 ? bits : bits & (UInt64.max << UInt64(64 - count))
        }
        return IPAddress(high: kept(address.high, length), low: kept(address.low, length - 64))
    }

    private static func isPart(_ needle: [UInt8], _ isASCII: Bool, of text: String) -> Bool {
        guard isASCII else { return contains(needle, in: Array(text.lowercased().utf8)) }
        return text.utf8.withContiguousStorageIfAvailable { contains(needle, in: $0) }
            ?? contains(needle, in: Array(text.utf8))
    }

    private static func contains(_ needle: [UInt8], in bytes: some RandomAccessCollection<UInt8>) -> Bool {
        guard let first = needle.first else { return true }
        guard bytes.count >= needle.count else { return false }
        var start = bytes.startIndex
        let last = bytes.index(bytes.endIndex, offsetBy: -needle.count)
        while start <= last {
            if small(bytes[start]) == first, zip(needle, bytes[start...]).allSatisfy({ $0 == small($1) }) {
                return true
            }
            start = bytes.index(after: start)
        }
        return false
    }

    /// An ASCII letter in its small form; every other byte as it is.
    private static func small(_ byte: UInt8) -> UInt8 {
        (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
    }
}

extension Entry {
    /// Every text that a search looks at, but the address.
    fileprivate var texts: [String] {
        let record = scan?.answer.record
        let fields = [
            record?.continent, record?.continentCode, record?.country, record?.countryCode, record?.region,
            record?.regionName, record?.city, record?.district, record?.zip, record?.timezone, record?.currency,
            record?.isp, record?.org, record?.as, record?.asname, record?.reverse, watch?.note,
        ]
        return fields.compactMap { $0 } + (watch?.tags ?? [])
    }
}
