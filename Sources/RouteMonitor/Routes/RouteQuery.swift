import CLinux
import Glibc
package import RecordKeeping

/// A query for the route of a packet to an address: RTM_GETROUTE of rtnetlink(7).
///
/// The lookup is the same as for a packet that this process sends, with all rules, tables and marks. RTM_F_FIB_MATCH
/// requests the matching entry of the table instead of the result of the lookup, because only the entry has the flags
/// that report a lost carrier.
package struct RouteQuery: Hashable, Sendable {
    package let address: IPAddress
    /// The sequence number, repeated in the reply; different for each query on a socket.
    package let sequence: UInt32

    package init(address: IPAddress, sequence: UInt32) {
        self.address = address
        self.sequence = sequence
    }

    /// The request as one datagram.
    package var bytes: [UInt8] {
        let destination = address.networkOrder
        let family = address.family == .v4 ? AF_INET : AF_INET6
        var body: [UInt8] = [UInt8(family), UInt8(destination.count * 8)]
        body += [0, 0, 0, 0, 0, 0]  // source, service, table, protocol, scope, type: any
        body.append(hostOrder: UInt32(RTM_F_FIB_MATCH))
        body += NetlinkAttribute.encode(UInt16(RTA_DST.rawValue), destination)
        // Without a protocol the kernel assumes UDP, and skips rules for TCP.
        body += NetlinkAttribute.encode(UInt16(RTA_IP_PROTO.rawValue), [UInt8(IPPROTO_TCP)])

        var datagram: [UInt8] = []
        datagram.append(hostOrder: UInt32(NetlinkMessage.headerBytes + body.count))
        datagram.append(hostOrder: UInt16(RTM_GETROUTE))
        datagram.append(hostOrder: UInt16(NLM_F_REQUEST))
        datagram.append(hostOrder: sequence)
        datagram.append(hostOrder: UInt32(0))  // to the kernel
        return datagram + body
    }

    /// Returns the answer in a datagram; nil if the datagram is not a reply to this query.
    ///
    /// - Parameter port: the port id of the sender, as reported by the socket. Only the kernel, which has port id 0, is
    ///   trusted.
    package func answer(in datagram: ArraySlice<UInt8>, from port: UInt32) -> RouteAnswer? {
        guard port == 0 else { return nil }
        do throws(NetlinkMessage.Malformation) {
            for message in try NetlinkMessage.all(in: datagram) where message.sequence == sequence {
                switch Int32(message.type) {
                case NLMSG_ERROR: return try RouteRefusal(message).answer
                case Int32(RTM_NEWROUTE): return try FoundRoute(message.payload).answer
                default: continue
                }
            }
            return nil
        } catch {
            return .unusable("the kernel's reply to a route query could not be parsed: \(error)")
        }
    }
}
