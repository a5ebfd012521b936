import CLinux

/// A message of a netlink datagram (netlink(7), struct nlmsghdr), parsed from untrusted bytes.
///
/// Parsing never reads out of bounds, and terminates, because each step consumes at least a header.
package struct NetlinkMessage: Hashable, Sendable {
    /// The type: RTM_… of rtnetlink(7), or NLMSG_… below 16.
    package let type: UInt16
    /// The flags (NLM_F_…).
    package let flags: UInt16
    /// The sequence number of the request that this message answers; 0 for an event.
    package let sequence: UInt32
    /// The message without its header.
    package let payload: ArraySlice<UInt8>

    /// The reason why bytes are not a sequence of complete messages or attributes, with the offset in bytes.
    package enum Malformation: Error, Hashable, Sendable {
        /// The bytes end within a header.
        case shortHeader(at: Int)
        /// The length in a header is less than the size of the header, or greater than the number of bytes left.
        case badLength(Int, at: Int)
        /// A payload is shorter than its type requires.
        case shortPayload(needs: Int, has: Int)
    }

    /// Parses all messages of a datagram; an empty datagram has none.
    ///
    /// Messages begin at multiples of four bytes; the last one needs no padding.
    package static func all(in datagram: ArraySlice<UInt8>) throws(Malformation) -> [NetlinkMessage] {
        var messages: [NetlinkMessage] = []
        var rest = datagram
        while !rest.isEmpty {
            let offset = rest.startIndex - datagram.startIndex
            guard let length = rest.hostOrder(UInt32.self, at: 0), let type = rest.hostOrder(UInt16.self, at: 4),
                let flags = rest.hostOrder(UInt16.self, at: 6), let sequence = rest.hostOrder(UInt32.self, at: 8),
                rest.count >= headerBytes
            else { throw .shortHeader(at: offset) }
            guard let size = Int(exactly: length), (headerBytes...rest.count).contains(size) else {
                throw .badLength(Int(truncatingIfNeeded: length), at: offset)
            }
            messages.append(
                NetlinkMessage(
                    type: type, flags: flags, sequence: sequence, payload: rest.prefix(size).after(headerBytes)))
            rest = rest.after(aligned(size))
        }
        return messages
    }

    static let headerBytes = 16

    /// Rounds up to a multiple of four bytes, at which messages and attributes begin: NLMSG_ALIGN, RTA_ALIGN.
    static func aligned(_ length: Int) -> Int { (length + 3) & ~3 }
}
