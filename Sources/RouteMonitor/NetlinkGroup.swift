import CLinux

/// A multicast group of rtnetlink(7): what the kernel is asked to tell of.
///
/// The kernel does not tell of every route that goes: IPv4 routes go in silence with their link or their address, and
/// routes over a nexthop object go with the object. What makes them go is told. On Linux 6.18 the address groups tell of
/// nothing that did not come with a local route's event as well; they cost nothing and lean on no such accident.
package enum NetlinkGroup: CaseIterable, Hashable, Sendable {
    case links
    case addresses4, addresses6
    case routes4, routes6
    case rules4, rules6
    case nexthops

    /// The group's number, for NETLINK_ADD_MEMBERSHIP of netlink(7).
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

    /// What the group tells of, in a person's words.
    package var name: String {
        switch self {
        case .links: "link"
        case .addresses4: "IPv4 address"
        case .addresses6: "IPv6 address"
        case .routes4: "IPv4 route"
        case .routes6: "IPv6 route"
        case .rules4: "IPv4 rule"
        case .rules6: "IPv6 rule"
        case .nexthops: "nexthop"
        }
    }

    /// Whether a kernel may lack the group and nothing be lost: before Linux 5.3 there are neither nexthop objects nor
    /// their group, and joining it is EINVAL.
    package var mayBeMissing: Bool { self == .nexthops }
}
