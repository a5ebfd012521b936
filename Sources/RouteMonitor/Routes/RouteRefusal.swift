import CLinux
import Glibc

/// An NLMSG_ERROR from the kernel in reply to a query (netlink(7), struct nlmsgerr).
struct RouteRefusal: Hashable, Sendable {
    /// A positive errno; 0 for an acknowledgement.
    let code: Int32
    /// The kernel's explanation of what is wrong with the request itself: NLMSGERR_ATTR_MSG.
    let explanation: String?

    init(_ message: NetlinkMessage) throws(NetlinkMessage.Malformation) {
        let payload = message.payload
        guard let error = payload.hostOrder(Int32.self, at: 0), let echoed = payload.hostOrder(UInt32.self, at: 4)
        else {
            throw .shortPayload(needs: 4 + NetlinkMessage.headerBytes, has: payload.count)
        }
        code = error == .min ? .max : -error
        guard message.flags & UInt16(NLM_F_ACK_TLVS) != 0 else {
            explanation = nil
            return
        }
        // The attributes follow a copy of the request, or a copy of only its header if the kernel capped the copy.
        let isCapped = message.flags & UInt16(NLM_F_CAPPED) != 0
        let echo = isCapped ? NetlinkMessage.headerBytes : Int(echoed)
        guard echo >= NetlinkMessage.headerBytes, echo <= payload.count else { throw .badLength(echo, at: 4) }
        explanation = try NetlinkAttribute.all(in: payload.after(4 + NetlinkMessage.aligned(echo)))
            .first { $0.type == UInt16(NLMSGERR_ATTR_MSG.rawValue) }
            .map { String(decoding: $0.payload.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// The meaning of the error for a packet; the codes are those of the route types (`fib_props` in the kernel).
    var answer: RouteAnswer {
        // An explanation means that the request is invalid. A blackhole route also causes EINVAL, but without an
        // explanation.
        if let explanation { return .unusable("the kernel rejected a route query: \(explanation)") }
        switch code {
        case ENETUNREACH: return .noRoute(.noRoute)
        case EHOSTUNREACH: return .noRoute(.unreachable)
        case EACCES: return .noRoute(.prohibited)
        case EINVAL: return .noRoute(.blackhole)
        case EOPNOTSUPP, EAFNOSUPPORT: return .noRoute(.familyMissing)
        case EMSGSIZE:
            // The route was found, but its next hops do not fit into the kernel's reply.
            return .route
        default:
            return .unusable("unexpected reply from the kernel to a route query: \(String(cString: strerror(code)))")
        }
    }
}
