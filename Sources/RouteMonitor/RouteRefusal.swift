import CLinux
import Glibc

/// The kernel's NLMSG_ERROR in answer to a question (netlink(7), struct nlmsgerr).
struct RouteRefusal: Hashable, Sendable {
    /// A positive errno; 0 for an acknowledgement.
    let code: Int32
    /// What the kernel has to say against the request itself: NLMSGERR_ATTR_MSG.
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
        // The request comes back before the attributes: its header alone where the kernel capped it.
        let isCapped = message.flags & UInt16(NLM_F_CAPPED) != 0
        let echo = isCapped ? NetlinkMessage.headerBytes : Int(echoed)
        guard echo >= NetlinkMessage.headerBytes, echo <= payload.count else { throw .badLength(echo, at: 4) }
        explanation = try NetlinkAttribute.all(in: payload.after(4 + NetlinkMessage.aligned(echo)))
            .first { $0.type == UInt16(NLMSGERR_ATTR_MSG.rawValue) }
            .map { String(decoding: $0.payload.prefix { $0 != 0 }, as: UTF8.self) }
    }

    /// What the refusal means for a packet; the codes are those of the route types (the kernel's fib_props).
    var answer: RouteAnswer {
        // Words mean that the request is at fault and not the route: a blackhole has the same EINVAL, without words.
        if let explanation { return .unusable("the kernel does not take a question about a route: \(explanation)") }
        switch code {
        case ENETUNREACH: return .noWay(.noRoute)
        case EHOSTUNREACH: return .noWay(.unreachable)
        case EACCES: return .noWay(.prohibited)
        case EINVAL: return .noWay(.blackhole)
        case EOPNOTSUPP, EAFNOSUPPORT: return .noWay(.familyMissing)
        case EMSGSIZE:
            // The route was found, and has more next hops than the kernel's answer has room for.
            return .way
        default:
            return .unusable("the kernel answers a question about a route with: \(String(cString: strerror(code)))")
        }
    }
}
