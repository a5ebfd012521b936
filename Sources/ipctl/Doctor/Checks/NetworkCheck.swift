import Control
import Glibc
import RecordKeeping

/// Whether the kernel has a way to the provider: what the daemon says, and without one what the kernel says here.
struct NetworkCheck: Check {
    static let name = "network"

    enum Witness {
        case daemon(Interface.Network)
        case kernel
    }

    let witness: Witness
    /// The provider's; none where its name could not be looked up.
    let addresses: [IPAddress]
    let now: Int64
    /// Why a packet would not go to an address; nil where it would.
    var refusal: (IPAddress) -> Int32? = Self.kernelsRefusal

    func findings() -> [Finding] {
        switch witness {
        case .daemon(let network) where network.state == "online":
            return [ok("online since \(Times.clock(network.since, from: now))")]
        case .daemon(let network):
            let reason = network.reason ?? "no way to the provider"
            return [
                bad("offline since \(Times.clock(network.since, from: now)): \(reason)", remedy: remedy(for: reason))
            ]
        case .kernel:
            let refusals = addresses.map(refusal)
            if addresses.isEmpty { return [skipped("not looked at: the provider's address is not known")] }
            guard !refusals.contains(nil), let first = refusals.first, let error = first else {
                return [ok("the kernel has a way to the provider")]
            }
            let reason = meaning(of: error)
            return [bad("the kernel has no way to \(addresses[0]): \(reason)", remedy: remedy(for: reason))]
        }
    }

    private func remedy(for reason: String) -> String {
        let question = addresses.first.map { "ip route get \($0)" } ?? "ip route; ip -6 route"
        // "no carrier: eth0", "link down: eth0"
        let link = reason.split(separator: ": ").last.map(String.init)
        if reason.hasPrefix("no carrier: "), let link {
            return "Look at the cable, the switch or the Wi-Fi: ip link show dev \(link.shellWord)"
        }
        if reason.hasPrefix("link down: "), let link { return Patient.asRoot("ip link set dev \(link.shellWord) up") }
        if reason.contains("prohibited") || reason.contains("blackhole") || reason.contains("unreachable route") {
            return "A route or rule forbids it: \(question); ip rule; ip route show table all"
        }
        return "\(question) asks the kernel; ip -br address and ip route tell what it has"
    }

    /// Connecting a datagram socket looks up the route, and sends nothing (connect(2)).
    private static func kernelsRefusal(_ address: IPAddress) -> Int32? {
        let family = address.family == .v4 ? AF_INET : AF_INET6
        let descriptor = socket(family, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return errno }
        defer { close(descriptor) }
        let port = in_port_t(80).bigEndian
        let result: Int32
        switch address.family {
        case .v4:
            var target = sockaddr_in()
            (target.sin_family, target.sin_port) = (sa_family_t(family), port)
            withUnsafeMutableBytes(of: &target.sin_addr) { $0.copyBytes(from: address.networkOrder) }
            result = Self.connect(descriptor, &target)
        case .v6:
            var target = sockaddr_in6()
            (target.sin6_family, target.sin6_port) = (sa_family_t(family), port)
            withUnsafeMutableBytes(of: &target.sin6_addr) { $0.copyBytes(from: address.networkOrder) }
            result = Self.connect(descriptor, &target)
        }
        return result == 0 ? nil : errno
    }

    private static func connect<Address>(_ descriptor: Int32, _ address: inout Address) -> Int32 {
        withUnsafeBytes(of: &address) { bytes in
            // Each of the two begins like every sockaddr, and connect(2) reads no more than the length.
            Glibc.connect(descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
        }
    }
}
