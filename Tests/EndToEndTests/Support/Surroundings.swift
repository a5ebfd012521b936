import Foundation

/// Where a test's daemon and its client live: a network, names and variables of their own.
struct Surroundings {
    /// A network namespace, as ip-netns(8) knows it.
    var network: String?
    /// What /etc/hosts says beside the name of this machine.
    var hosts: String?
    /// Files that it has to see, wherever they are.
    var files: [String] = []
    /// Variables, as `NAME=value`.
    var environment: [String] = []

    private static let localhost = "127.0.0.1 localhost\n"

    /// The command that runs another one there.
    var prefix: [String] {
        var prefix: [String] = []
        if let network { prefix += ["/usr/sbin/ip", "netns", "exec", network] }
        if let hosts {
            // In a mount namespace of its own.
            let script = """
                mount -t tmpfs -o size=64k tmpfs /mnt && printf '%s' "$0" >/mnt/hosts &&
                mount --bind /mnt/hosts /etc/hosts && exec "$@"
                """
            prefix += ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", script, Self.localhost + hosts + "\n"]
        }
        return prefix + (environment.isEmpty ? [] : ["/usr/bin/env"] + environment)
    }

    /// The same for a service (systemd.exec(5)).
    ///
    /// - Parameter folder: one of the test's, for the file of names.
    func properties(folder: String) throws -> [String] {
        var properties = environment.map { "Environment=\"\($0)\"" }
        properties += files.map { "BindReadOnlyPaths=\($0)" }
        if let network { properties.append("NetworkNamespacePath=/run/netns/\(network)") }
        if let hosts {
            try (Self.localhost + hosts + "\n").write(toFile: folder + "/hosts", atomically: true, encoding: .utf8)
            properties.append("BindReadOnlyPaths=\(folder)/hosts:/etc/hosts")
        }
        return properties
    }
}
