import RecordKeeping

/// The addresses that one argument names: a single address, a CIDR block (RFC 4632, RFC 4291 §2.3) or a range of two
/// addresses with a hyphen.
///
/// A block includes all its addresses, even the network and broadcast addresses of an IPv4 subnet: both can be the
/// addresses of hosts in another subnet.
struct AddressSpan: Hashable {
    /// The reason why an argument is invalid, as the rest of a sentence that begins with the argument.
    struct Refusal: Error, CustomStringConvertible {
        let description: String
    }

    /// Maximum number of addresses in a block or a range: an IPv4 block with a prefix length of 16.
    static let maxCount = 65_536

    let first: IPAddress
    /// The number of addresses, from 1 to `maxCount`.
    let count: Int

    init(_ text: String) throws(Refusal) {
        let start = text.prefix { $0 != "/" && $0 != "-" }
        let end = text[start.endIndex...].dropFirst()
        // If the start is not an address, the text only looks like a range; it may be a host name. The error concerns
        // the whole text.
        guard text != start, let address = try? IPAddress(start) else {
            self.init(single: try Self.address(text))
            return
        }
        if text.contains("/") {
            try self.init(block: address, isV4: !start.contains(":"), end)
        } else {
            try self.init(address, to: end)
        }
    }

    private init(single address: IPAddress) {
        (first, count) = (address, 1)
    }

    /// - Parameter isV4: whether the address is written as an IPv4 address, and so has an IPv4 prefix length.
    private init(block address: IPAddress, isV4: Bool, _ prefix: Substring) throws(Refusal) {
        let bits = isV4 ? 32 : 128
        guard prefix.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let length = Int(prefix), length <= bits else {
            throw Refusal(description: "is not a CIDR block: expected a prefix length from 0 to \(bits)")
        }
        let hostBits = bits - length
        guard hostBits <= Self.maxCount.trailingZeroBitCount else {
            throw Self.tooMany(hostBits < 63 ? Times.grouped(1 << hostBits) : "2^\(hostBits)")
        }
        let start = IPAddress(high: address.high, low: address.low & UInt64.max << UInt64(hostBits))
        guard start == address else {
            // An IPv4-mapped address would be shown as an IPv4 address, with a prefix length of IPv6.
            let hint = start.family == .v4 && !isV4 ? "" : "; use \(start)/\(length)"
            throw Refusal(description: "does not begin at a block boundary\(hint)")
        }
        (first, count) = (start, 1 << hostBits)
    }

    private init(_ first: IPAddress, to end: Substring) throws(Refusal) {
        let last = try Self.address(end, of: "is not a range: \"\(end)\" ")
        guard first.family == last.family, first <= last else {
            throw Refusal(description: "is not a range: expected a later address of the same family after the hyphen")
        }
        let (distance, borrows) = last.low.subtractingReportingOverflow(first.low)
        let isExact = last.high - first.high == (borrows ? 1 : 0) && distance < UInt64(Int.max)
        guard isExact, distance < UInt64(Self.maxCount) else {
            throw Self.tooMany(isExact ? Times.grouped(Int(distance) + 1) : "more than 2^63")
        }
        (self.first, count) = (first, Int(distance) + 1)
    }

    private static func tooMany(_ count: String) -> Refusal {
        Refusal(description: "has \(count) addresses; an argument can have at most \(Times.grouped(maxCount))")
    }

    private static func address(_ text: some StringProtocol, of clause: String = "") throws(Refusal) -> IPAddress {
        do {
            return try IPAddress(text)
        } catch {
            throw Refusal(description: "\(clause)is not an IP address: \(error)")
        }
    }

    var addresses: some Sequence<IPAddress> {
        (0..<UInt64(count)).lazy.map { offset in
            let (low, overflows) = first.low.addingReportingOverflow(offset)
            return IPAddress(high: first.high + (overflows ? 1 : 0), low: low)
        }
    }
}
