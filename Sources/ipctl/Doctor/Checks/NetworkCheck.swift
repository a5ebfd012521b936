import Control
import Glibc
import RecordKeeping

/// Checks that there is a route to the provider, according to the daemon, or to the kernel if no daemon replies.
struct NetworkCheck: Check {
    static let name = "network"

    enum Source {
        case daemon(Interface.Network)
        case kernel
    }

    let source: Source
    /// The addresses of the provider or its proxy; empty if the name could not be resolved.
    let addresses: [IPAddress]
    let now: Int64
    /// The server whose addresses these are, for messages.
    var server = "the provider"
    /// Returns the error of the route lookup for an address; nil if there is a route.
    var routeError: (IPAddress) -> Int32? = Self.kernelRouteError

    func findings() -> [Finding] {
        switch source {
        case .daemon(let network) where network.state == "online":
            return ok("online since \(Times.clock(network.since, from: now))")
        case .daemon(let network):
            let reason = network.reason ?? "no route to \(server)"
            return bad("offline since \(Times.clock(network.since, from: now)): \(reason)", remedy: remedy(for: reason))
        case .kernel:
            let errors = addresses.map(routeError)
            if addresses.isEmpty { return skipped("not checked: the address of \(server) is unknown") }
            guard !errors.contains(nil), let first = errors.first, let error = first else {
                return ok("the kernel has a route to \(server)")
            }
            let reason = meaning(of: error)
            return bad("the kernel has no route to \(addresses[0]): \(reason)", remedy: remedy(for: reason))
        }
    }

    private func remedy(for reason: String) -> String {
        let routeCommand = addresses.first.map { "ip route get \($0)" } ?? "ip route; ip -6 route"
        // The reason is, for example, "no carrier: eth0" or "link down: eth0".
        let link = reason.split(separator: ": ").last.map(String.init)
        if reason.hasPrefix("no carrier: "), let link {
            return "Check the cable, the switch or the Wi-Fi: ip link show dev \(link.shellWord)"
        }
        if reason.hasPrefix("link down: "), let link {
            return DoctorTarget.asRoot("ip link set dev \(link.shellWord) up")
        }
        if reason.contains("prohibited") || reason.contains("blackhole") || reason.contains("unreachable route") {
            return "A route or rule forbids it: \(routeCommand); ip rule; ip route show table all"
        }
        return "Check the routes: \(routeCommand); ip -br address\(addresses.isEmpty ? "" : "; ip route")"
    }

    /// Connects a datagram socket, which looks up the route and sends nothing (connect(2)).
    private static func kernelRouteError(_ address: IPAddress) -> Int32? {
        var hints = addrinfo()
        (hints.ai_flags, hints.ai_socktype) = (AI_NUMERICHOST, Int32(SOCK_DGRAM.rawValue))
        var list: UnsafeMutablePointer<addrinfo>?
        // getaddrinfo can always parse the text of an address.
        guard getaddrinfo(address.description, "80", &hints, &list) == 0, let target = list?.pointee else { return nil }
        defer { freeaddrinfo(list) }
        let descriptor = socket(target.ai_family, target.ai_socktype | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        return connect(descriptor, target.ai_addr, target.ai_addrlen) == 0 ? nil : errno
    }
}
