import Foundation
import Testing

/// Two network namespaces with two links between them: one for the daemon, and one for the mock provider.
///
///     daemon 10.77.1.1 ──way1──  10.77.1.2
///            10.77.2.1 ──way2──  10.77.2.2    provider 10.99.0.1, fd99::1
final class Namespaces {
    let daemon: String
    let provider: String

    static let providerV4 = "10.99.0.1"
    static let providerV6 = "fd99::1"

    init() throws {
        let id = UUID().uuidString.prefix(6)
        daemon = "ipr-d-\(id)"
        provider = "ipr-p-\(id)"
        for name in [daemon, provider] {
            try Self.ip("netns", "add", name)
            try Self.ip("-n", name, "link", "set", "lo", "up")
        }
        for (number, link) in [(1, "way1"), (2, "way2")] {
            try Self.ip(
                "-n", daemon, "link", "add", "name", link, "type", "veth", "peer", "name", link, "netns", provider)
            for (name, host) in [(daemon, 1), (provider, 2)] {
                // Without duplicate address detection, so that the addresses can be used at once.
                try Self.ip("-n", name, "addr", "add", "10.77.\(number).\(host)/24", "dev", link)
                try Self.ip("-n", name, "addr", "add", "fd77:\(number)::\(host)/64", "dev", link, "nodad")
                try Self.ip("-n", name, "link", "set", link, "up")
            }
        }
        try Self.ip("-n", provider, "addr", "add", "\(Self.providerV4)/32", "dev", "lo")
        try Self.ip("-n", provider, "addr", "add", "\(Self.providerV6)/128", "dev", "lo", "nodad")
    }

    deinit {
        for name in [daemon, provider] {
            // A namespace that is left over does no harm, and a deinitializer cannot report it.
            _ = try? Program.run(["/usr/sbin/ip", "netns", "delete", name])
        }
    }

    /// Runs ip(8) in the daemon's namespace.
    func change(_ arguments: String...) throws {
        try Self.ip(["-n", daemon] + arguments)
    }

    /// Runs ip(8) in the provider's namespace.
    func changeThere(_ arguments: String...) throws {
        try Self.ip(["-n", provider] + arguments)
    }

    var surroundings: Surroundings { Surroundings(network: daemon) }
    var providerPrefix: [String] { ["/usr/sbin/ip", "netns", "exec", provider] }

    private static func ip(_ arguments: String...) throws {
        try ip(arguments)
    }

    private static func ip(_ arguments: [String]) throws {
        let (status, _, errors) = try Program.run(["/usr/sbin/ip"] + arguments)
        guard status == 0 else {
            throw Program.DidNotHappen(description: "ip \(arguments.joined(separator: " ")): \(errors)")
        }
    }

    /// Whether network namespaces can be created here. If not, it prints a line.
    static let isPossible: Bool = {
        let name = "ipr-try-\(getpid())"
        let result = try? Program.run(["/usr/sbin/ip", "netns", "add", name])
        guard result?.status == 0 else {
            print("SKIPPED: cannot create network namespaces, so connectivity is not tested; run as root")
            return false
        }
        _ = try? Program.run(["/usr/sbin/ip", "netns", "delete", name])
        return true
    }()
}
