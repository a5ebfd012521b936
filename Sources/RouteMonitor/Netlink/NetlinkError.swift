import Glibc

/// A failure to query the kernel for routes, or to receive the kernel's events.
package enum NetlinkError: Error, Hashable, Sendable, CustomStringConvertible {
    /// An operation of netlink(7) that the kernel, or a sandbox around the process, can refuse.
    package enum Step: Hashable, Sendable {
        case open, configure, bind, connect, send, receive
        case join(NetlinkGroup)
    }

    /// A system call failed.
    case failed(Step, errno: Int32)
    /// The kernel accepted a query and did not answer it in time.
    case silent(milliseconds: Int)

    /// The failure and, if known, its likely cause.
    package var description: String {
        switch self {
        case .failed(let step, let errno):
            "\(Self.action(step)): \(String(cString: strerror(errno)))\(Self.advice(step, errno))"
        case .silent(let milliseconds):
            "the kernel did not answer a route query within \(milliseconds) ms"
        }
    }

    /// Whether the failure lasts as long as the process: a sandbox refuses netlink, or the kernel does not support it.
    package var isPermanent: Bool {
        switch self {
        case .failed(_, let errno):
            [EPERM, EACCES, EAFNOSUPPORT, EPROTONOSUPPORT, EOPNOTSUPP, ENOPROTOOPT, EINVAL].contains(errno)
        case .silent: false
        }
    }

    /// Whether the kernel did not answer a query.
    var isSilent: Bool {
        if case .silent = self { true } else { false }
    }

    private static func action(_ step: Step) -> String {
        switch step {
        case .open: "cannot open a routing netlink socket"
        case .configure: "cannot configure a routing netlink socket"
        case .bind: "cannot bind a routing netlink socket"
        case .connect: "cannot connect a routing netlink socket to the kernel"
        case .send: "cannot send a route query to the kernel"
        case .receive: "cannot receive from a routing netlink socket"
        case .join(let group): "cannot subscribe to the kernel's \(group.rawValue) events"
        }
    }

    private static func advice(_ step: Step, _ errno: Int32) -> String {
        switch (step, errno) {
        case (.open, EAFNOSUPPORT), (.open, EPERM), (.open, EACCES):
            "; the sandbox must allow AF_NETLINK (RestrictAddressFamilies=)"
        case (.join, EPERM), (.join, EACCES):
            "; the sandbox must allow routing netlink subscriptions"
        default: ""
        }
    }
}
