package import RecordKeeping

/// What the kernel answered about one address.
package enum RouteAnswer: Hashable, Sendable {
    case way
    case noWay(NoWay)
    /// Nothing that tells whether there is a way; the text says what it was.
    case unusable(String)

    /// What the answers about several addresses of one destination mean together.
    ///
    /// One way is enough. Without one, an address that is known to have none makes it none, unless another one's answer
    /// could not be used: then a way is presumed, because a daemon that is wrongly offline helps nobody.
    ///
    /// That the kernel lacks a family counts as no way, but does not prove alone that there is none: a kernel's stand-in
    /// (gVisor) that answers no questions about routes says the same of all families.
    ///
    /// - Parameter name: what an interface of this index is called.
    package static func way(of answers: [RouteAnswer], name: (Int32) -> String?) -> Way {
        var worst: NoWay?
        var trouble: String?
        for answer in answers {
            switch answer {
            case .way: return .open
            case .noWay(let reason): if reason.weight > worst?.weight ?? -1 { worst = reason }
            case .unusable(let text): trouble = trouble ?? text
            }
        }
        if let trouble { return .unknown(reason: trouble) }
        switch worst {
        case nil: return .unknown(reason: "there is no address to ask the kernel about")
        case .familyMissing: return .unknown(reason: "the kernel answers no questions about routes")
        case .some(let reason): return .none(reason: reason.reason(name: name))
        }
    }
}
