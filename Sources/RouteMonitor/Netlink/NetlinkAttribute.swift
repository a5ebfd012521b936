import CLinux

/// An attribute of a message (rtnetlink(7), struct rtattr): a type and bytes.
package struct NetlinkAttribute: Hashable, Sendable {
    /// The type, such as RTA_…, without the flags NLA_F_NESTED and NLA_F_NET_BYTEORDER.
    package let type: UInt16
    package let payload: ArraySlice<UInt8>

    /// Parses all attributes in order.
    ///
    /// Up to three zero bytes of padding may follow the last one.
    package static func all(
        in bytes: ArraySlice<UInt8>
    ) throws(NetlinkMessage.Malformation) -> [NetlinkAttribute] {
        var attributes: [NetlinkAttribute] = []
        var rest = bytes
        while !rest.isEmpty {
            let offset = rest.startIndex - bytes.startIndex
            guard let length = rest.hostOrder(UInt16.self, at: 0), let type = rest.hostOrder(UInt16.self, at: 2) else {
                if rest.allSatisfy({ $0 == 0 }) { break }
                throw .shortHeader(at: offset)
            }
            guard (headerBytes...rest.count).contains(Int(length)) else { throw .badLength(Int(length), at: offset) }
            attributes.append(
                NetlinkAttribute(type: type & typeMask, payload: rest.prefix(Int(length)).after(headerBytes)))
            rest = rest.after(NetlinkMessage.aligned(Int(length)))
        }
        return attributes
    }

    /// Encodes an attribute, padded to a multiple of four bytes, where the next attribute begins.
    static func encode(_ type: UInt16, _ payload: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(hostOrder: UInt16(headerBytes + payload.count))
        bytes.append(hostOrder: type)
        bytes += payload
        bytes += Array(repeating: 0, count: NetlinkMessage.aligned(bytes.count) - bytes.count)
        return bytes
    }

    static let headerBytes = 4
    /// NLA_TYPE_MASK, a macro that Swift does not import.
    private static let typeMask: UInt16 = 0x3FFF
}
