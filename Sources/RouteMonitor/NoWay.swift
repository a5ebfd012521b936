/// Why the kernel would not send a packet to an address.
package enum NoWay: Hashable, Sendable {
    /// No route at all: ENETUNREACH, which a rule of type unreachable gives as well.
    case noRoute
    /// The kernel knows nothing of the address's family: it was built or started without IPv6.
    case familyMissing
    /// A route of type unreachable: EHOSTUNREACH.
    case unreachable
    /// A route, rule or nexthop of type blackhole: EINVAL.
    case blackhole
    /// A route or rule of type prohibit: EACCES.
    case prohibited
    /// The route is there, and every link that it leads over is down (RTNH_F_DEAD); the lowest interface index.
    case linkDown(interface: Int32)
    /// The route is there, and no link that it leads over has a carrier (RTNH_F_LINKDOWN); the lowest index.
    case noCarrier(interface: Int32)

    /// How much a reason tells, where the addresses that were asked about have different ones.
    ///
    /// A lost carrier is what just happened. That one family has no route, or an unreachable default that some
    /// distributions install for IPv6, is how many hosts are all the time.
    package var weight: Int {
        switch self {
        case .familyMissing: 0
        case .noRoute: 1
        case .unreachable: 2
        case .blackhole: 3
        case .prohibited: 4
        case .linkDown: 5
        case .noCarrier: 6
        }
    }

    /// The reason for a person.
    ///
    /// - Parameter name: what an interface of this index is called; nil where it is gone by now.
    package func reason(name: (Int32) -> String?) -> String {
        switch self {
        case .noRoute: "no route"
        case .familyMissing: "no route: the kernel has no IPv6"
        case .unreachable: "unreachable route"
        case .blackhole: "blackhole route"
        case .prohibited: "prohibited by a route or rule"
        case .linkDown(let interface): "link down: \(name(interface) ?? "interface \(interface)")"
        case .noCarrier(let interface): "no carrier: \(name(interface) ?? "interface \(interface)")"
        }
    }
}
