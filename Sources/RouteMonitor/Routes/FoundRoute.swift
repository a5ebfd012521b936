import CLinux

/// The route that the kernel found: an RTM_NEWROUTE in reply to a query (rtnetlink(7), struct rtmsg).
struct FoundRoute: Hashable, Sendable {
    /// A next hop of the route.
    struct Hop: Hashable, Sendable {
        /// The flags of the hop (RTNH_F_…).
        var flags: UInt32
        /// The index of the interface.
        var interface: Int32
    }

    /// The type of the route (RTN_…).
    let type: UInt32
    /// The next hops; at least one.
    let hops: [Hop]

    /// - Parameter payload: the message without its header.
    init(_ payload: ArraySlice<UInt8>) throws(NetlinkMessage.Malformation) {
        guard let kind = payload.hostOrder(UInt8.self, at: 7), let flags = payload.hostOrder(UInt32.self, at: 8) else {
            throw .shortPayload(needs: Self.headerBytes, has: payload.count)
        }
        type = UInt32(kind)
        var interface: Int32 = 0
        var several: [Hop] = []
        for attribute in try NetlinkAttribute.all(in: payload.after(Self.headerBytes)) {
            switch UInt32(attribute.type) {
            case RTA_OIF.rawValue:
                guard let index = attribute.payload.hostOrder(Int32.self, at: 0) else {
                    throw .shortPayload(needs: 4, has: attribute.payload.count)
                }
                interface = index
            case RTA_MULTIPATH.rawValue:
                several = try Self.hops(attribute.payload)
            default: continue
            }
        }
        // A single hop has the flags of the route. If there are several hops, each hop has its own flags, and the flags
        // of the route are meaningless.
        hops = several.isEmpty ? [Hop(flags: flags, interface: interface)] : several
    }

    /// What the kernel does with a packet that matches the route.
    ///
    /// The kernel distributes connections over several hops, so one working hop is sufficient.
    var answer: RouteAnswer {
        switch type {
        // The host's own address does not depend on a link.
        case UInt32(RTN_LOCAL): return .route
        case UInt32(RTN_UNREACHABLE): return .noRoute(.unreachable)
        case UInt32(RTN_BLACKHOLE): return .noRoute(.blackhole)
        case UInt32(RTN_PROHIBIT): return .noRoute(.prohibited)
        case UInt32(RTN_THROW): return .noRoute(.noRoute)
        default: break
        }
        let broken = UInt32(RTNH_F_DEAD | RTNH_F_LINKDOWN)
        // Report the lowest index, because the order of IPv6 hops depends on the destination.
        guard hops.allSatisfy({ $0.flags & broken != 0 }), let first = hops.min(by: { $0.interface < $1.interface })
        else { return .route }
        let isDown = first.flags & UInt32(RTNH_F_DEAD) != 0
        return .noRoute(isDown ? .linkDown(interface: first.interface) : .noCarrier(interface: first.interface))
    }

    /// Parses the hops of RTA_MULTIPATH (struct rtnexthop) and skips their attributes.
    private static func hops(_ bytes: ArraySlice<UInt8>) throws(NetlinkMessage.Malformation) -> [Hop] {
        var hops: [Hop] = []
        var rest = bytes
        while !rest.isEmpty {
            let offset = rest.startIndex - bytes.startIndex
            guard let length = rest.hostOrder(UInt16.self, at: 0), let flags = rest.hostOrder(UInt8.self, at: 2),
                let interface = rest.hostOrder(Int32.self, at: 4)
            else { throw .shortHeader(at: offset) }
            guard (hopBytes...rest.count).contains(Int(length)) else { throw .badLength(Int(length), at: offset) }
            hops.append(Hop(flags: UInt32(flags), interface: interface))
            rest = rest.after(NetlinkMessage.aligned(Int(length)))
        }
        return hops
    }

    private static let headerBytes = 12
    private static let hopBytes = 8
}
