package import RecordKeeping

/// The kernel's answer to a route query for one address.
package enum RouteAnswer: Hashable, Sendable {
    case route
    case noRoute(NoRouteReason)
    /// The answer does not determine whether there is a route; the text describes it.
    case unusable(String)

    /// Combines the answers for all addresses of one destination.
    ///
    /// One route is sufficient. Otherwise, if any answer is unusable, a route is presumed, because a daemon that is
    /// wrongly offline is useless. If all answers are usable, there is no route.
    ///
    /// A missing address family counts as no route, but is not sufficient evidence on its own: a substitute kernel that
    /// answers no route queries (gVisor) reports all families as missing.
    ///
    /// - Parameter name: returns the name of an interface by its index; nil if the interface no longer exists.
    package static func status(of answers: [RouteAnswer], name: (Int32) -> String?) -> RouteStatus {
        var worst: NoRouteReason?
        var trouble: String?
        for answer in answers {
            switch answer {
            case .route: return .open
            case .noRoute(let reason): if reason.weight > worst?.weight ?? -1 { worst = reason }
            case .unusable(let text): trouble = trouble ?? text
            }
        }
        if let trouble { return .unknown(reason: trouble) }
        switch worst {
        case nil: return .unknown(reason: "no address to check")
        case .familyMissing: return .unknown(reason: "the kernel does not answer route queries")
        case .some(let reason): return .none(reason: reason.reason(name: name))
        }
    }
}
