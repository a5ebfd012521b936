import CLinux

/// A multicast group of rtnetlink(7), to whose members the kernel sends events.
///
/// The kernel does not report every route that it removes: IPv4 routes disappear silently when their link or address is
/// removed, as do routes that use a nexthop object when that object is removed. However, the kernel reports the cause.
/// On Linux 6.18, each event of an address group accompanies an event about a local route. The monitor joins the
/// address groups nevertheless: they cost nothing, and detection then does not depend on this detail.
///
/// The raw value is the kind of event, for human-readable messages.
package enum NetlinkGroup: String, CaseIterable, Hashable, Sendable {
    case links = "link"
    case addresses4 = "IPv4 address"
    case addresses6 = "IPv6 address"
    case routes4 = "IPv4 route"
    case routes6 = "IPv6 route"
    case rules4 = "IPv4 rule"
    case rules6 = "IPv6 rule"
    case nexthops = "nexthop"

    /// The number of the group, for NETLINK_ADD_MEMBERSHIP of netlink(7).
    package var number: UInt32 {
        let group =
            switch self {
            case .links: RTNLGRP_LINK
            case .addresses4: RTNLGRP_IPV4_IFADDR
            case .addresses6: RTNLGRP_IPV6_IFADDR
            case .routes4: RTNLGRP_IPV4_ROUTE
            case .routes6: RTNLGRP_IPV6_ROUTE
            case .rules4: RTNLGRP_IPV4_RULE
            case .rules6: RTNLGRP_IPV6_RULE
            case .nexthops: RTNLGRP_NEXTHOP
            }
        return group.rawValue
    }

    /// Whether the group may be missing without loss of events: Linux before 5.3 has neither nexthop objects nor their
    /// group, and joining it fails with EINVAL.
    package var mayBeMissing: Bool { self == .nexthops }
}
