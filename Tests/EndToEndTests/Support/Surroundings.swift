import Foundation

/// The network, files and environment of a daemon and its client.
struct Surroundings {
    /// The name of a network namespace, as in ip-netns(8).
    var network: String?
    /// A line of /etc/hosts, beside that of localhost.
    var hosts: String?
    /// The address of the only name server.
    var nameServer: String?
    /// The trusted certificate authorities as PEM; nil for those of the host.
    var authorities: String?
    /// The soft limit of open files (RLIMIT_NOFILE).
    var descriptors: Int?
    /// The hard limit of open files; nil if it equals `descriptors`.
    var maxDescriptors: Int?
    /// Files that must be visible in the sandbox.
    var files: [String] = []
    /// Environment variables as `NAME=value`.
    var environment: [String] = []

    /// The command that runs another one with all of this.
    var prefix: [String] {
        var prefix: [String] = []
        if let network { prefix += ["/usr/sbin/ip", "netns", "exec", network] }
        if !replaced.isEmpty {
            // In its own mount namespace.
            let script = """
                mount -t tmpfs -o size=64k tmpfs /mnt || exit
                while [ "$1" != -- ]; do
                    file=/mnt/$(basename "$1")
                    printf '%s' "$2" >"$file" && mount --bind "$file" "$1" || exit
                    shift 2
                done
                shift
                exec "$@"
                """
            prefix += ["/usr/bin/unshare", "--mount", "/bin/sh", "-euc", script, "sh"]
            prefix += replaced.flatMap { [$0.path, $0.text] } + ["--"]
        }
        if let descriptors {
            prefix += ["/usr/bin/prlimit", "--nofile=\(descriptors):\(maxDescriptors ?? descriptors)"]
        }
        return prefix + (environment.isEmpty ? [] : ["/usr/bin/env"] + environment)
    }

    /// Returns the same as properties of a service (systemd.exec(5)).
    ///
    /// - Parameter folder: a directory of the test, for the replaced files.
    func properties(folder: String) throws -> [String] {
        var properties = environment.map { "Environment=\"\($0)\"" }
        properties += files.map { "BindReadOnlyPaths=\($0)" }
        if let descriptors { properties.append("LimitNOFILE=\(descriptors):\(maxDescriptors ?? descriptors)") }
        if let network { properties.append("NetworkNamespacePath=/run/netns/\(network)") }
        for (path, text) in replaced {
            let file = Self.file(standingFor: path, folder: folder)
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            properties.append("BindReadOnlyPaths=\(file):\(path)")
        }
        return properties
    }

    /// Returns the path of the file that replaces a system file in the sandbox.
    static func file(standingFor path: String, folder: String) -> String {
        folder + "/" + URL(fileURLWithPath: path).lastPathComponent
    }

    /// System files with another content.
    private var replaced: [(path: String, text: String)] {
        [
            (Self.hostsFile, hosts.map(Self.hostsText)),
            ("/etc/resolv.conf", nameServer.map { "nameserver \($0)\n" }),
            ("/etc/ssl/certs/ca-certificates.crt", authorities),
        ].compactMap { path, text in text.map { (path, $0) } }
    }

    static let hostsFile = "/etc/hosts"
    static func hostsText(_ line: String) -> String { "127.0.0.1 localhost\n\(line)\n" }
}
