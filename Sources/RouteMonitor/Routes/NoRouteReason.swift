/// The reason why the kernel cannot send a packet to an address.
package enum NoRouteReason: Hashable, Sendable {
    /// There is no route (ENETUNREACH), or there is a rule of type unreachable, which returns the same error.
    case noRoute
    /// The kernel does not support the address family: it was built or started without IPv6.
    case familyMissing
    /// A route has the type unreachable: EHOSTUNREACH.
    case unreachable
    /// A route, rule or nexthop has the type blackhole: EINVAL.
    case blackhole
    /// A route or rule has the type prohibit: EACCES.
    case prohibited
    /// There is a route, but all of its links are down (RTNH_F_DEAD); `interface` is the lowest of their indices.
    case linkDown(interface: Int32)
    /// There is a route, but none of its links has a carrier (RTNH_F_LINKDOWN); `interface` is the lowest of their
    /// indices.
    case noCarrier(interface: Int32)

    /// The priority of the reason: if addresses of one destination have different reasons, the highest weight is
    /// reported.
    ///
    /// A lost carrier is probably a recent event. Many hosts permanently lack a route for one address family, or have
    /// the unreachable IPv6 default route that some distributions install.
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

    /// Returns the reason as text.
    ///
    /// - Parameter name: returns the name of an interface by its index; nil if the interface no longer exists.
    package func reason(name: (Int32) -> String?) -> String {
        switch self {
        case .noRoute: "network is unreachable"
        case .familyMissing: "the kernel does not support the address family"
        case .unreachable: "unreachable route"
        case .blackhole: "blackhole route"
        case .prohibited: "prohibited by a route or rule"
        case .linkDown(let interface): "link down: \(name(interface) ?? "interface \(interface)")"
        case .noCarrier(let interface): "no carrier: \(name(interface) ?? "interface \(interface)")"
        }
    }
}
