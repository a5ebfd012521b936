import CLinux

/// One message of a netlink datagram (netlink(7), struct nlmsghdr), cut out of bytes that nobody vouches for.
///
/// Cutting is a pure function that never reads beyond what it was given and takes one step of at least a header's length
/// for each message, so it ends.
package struct NetlinkMessage: Hashable, Sendable {
    /// RTM_… of rtnetlink(7), or NLMSG_… below 16.
    package let type: UInt16
    /// NLM_F_….
    package let flags: UInt16
    /// Which request this answers; 0 for an event.
    package let sequence: UInt32
    /// What follows the header.
    package let payload: ArraySlice<UInt8>

    /// Where and why a buffer is no sequence of whole messages or attributes.
    package enum Malformation: Error, Hashable, Sendable {
        /// A header begins and the buffer ends within it.
        case shortHeader(at: Int)
        /// The header says a length that is shorter than itself or longer than what is left.
        case badLength(Int, at: Int)
        /// The kind of message needs more bytes than it has.
        case shortPayload(needs: Int, has: Int)
    }

    /// All messages of a datagram; none for an empty one.
    ///
    /// Each begins on a multiple of four; the last one needs no padding.
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

    /// Rounded up to the four bytes at which messages and attributes begin: NLMSG_ALIGN, RTA_ALIGN.
    ///
    /// - Parameter length: at most the length of a buffer, so that adding cannot overflow.
    static func aligned(_ length: Int) -> Int { (length + 3) & ~3 }
}
