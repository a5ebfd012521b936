import CLinux
import Glibc
package import RecordKeeping

/// The question for the route of a packet to an address: RTM_GETROUTE of rtnetlink(7).
///
/// The kernel looks as it would for a packet that this process sends: rules, tables, marks and all. RTM_F_FIB_MATCH asks
/// for the entry that the lookup found rather than for the lookup's result, because only the entry has flags that tell
/// of a lost carrier; the lookup is the same.
package struct RouteQuestion: Hashable, Sendable {
    package let address: IPAddress
    /// Told again in the answer; each question of a socket has another.
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
        // Without it rules for TCP are passed over: the kernel takes the question for one about UDP.
        body += NetlinkAttribute.encode(UInt16(RTA_IP_PROTO.rawValue), [UInt8(IPPROTO_TCP)])

        var datagram: [UInt8] = []
        datagram.append(hostOrder: UInt32(NetlinkMessage.headerBytes + body.count))
        datagram.append(hostOrder: UInt16(RTM_GETROUTE))
        datagram.append(hostOrder: UInt16(NLM_F_REQUEST))
        datagram.append(hostOrder: sequence)
        datagram.append(hostOrder: UInt32(0))  // to the kernel
        return datagram + body
    }

    /// What a datagram answers to this question; nil when it is no answer to it.
    ///
    /// - Parameter port: who sent it, as the socket says; only the kernel, which is 0, is believed.
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
            return .unusable("the kernel's answer about a route is not understood: \(error)")
        }
    }
}
