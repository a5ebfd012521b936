import Foundation

/// Where a test's daemon and its client live: a network, names and variables of their own.
struct Surroundings {
    /// A network namespace, as ip-netns(8) knows it.
    var network: String?
    /// What /etc/hosts says beside the name of this machine.
    var hosts: String?
    /// The address of the one name server.
    var nameServer: String?
    /// The certificates, as PEM, of the authorities that are believed there; nil for those of this machine.
    var authorities: String?
    /// How many files it may have open (RLIMIT_NOFILE).
    var descriptors: Int?
    /// How many it may allow itself; nil for no more than `descriptors`.
    var mostDescriptors: Int?
    /// Files that it has to see, wherever they are.
    var files: [String] = []
    /// Variables, as `NAME=value`.
    var environment: [String] = []

    /// The command that runs another one there.
    var prefix: [String] {
        var prefix: [String] = []
        if let network { prefix += ["/usr/sbin/ip", "netns", "exec", network] }
        if !replaced.isEmpty {
            // In a mount namespace of its own.
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
            prefix += ["/usr/bin/prlimit", "--nofile=\(descriptors):\(mostDescriptors ?? descriptors)"]
        }
        return prefix + (environment.isEmpty ? [] : ["/usr/bin/env"] + environment)
    }

    /// The same for a service (systemd.exec(5)).
    ///
    /// - Parameter folder: one of the test's, for the file of names.
    func properties(folder: String) throws -> [String] {
        var properties = environment.map { "Environment=\"\($0)\"" }
        properties += files.map { "BindReadOnlyPaths=\($0)" }
        if let descriptors { properties.append("LimitNOFILE=\(descriptors):\(mostDescriptors ?? descriptors)") }
        if let network { properties.append("NetworkNamespacePath=/run/netns/\(network)") }
        for (path, text) in replaced {
            let file = Self.file(standingFor: path, folder: folder)
            try text.write(toFile: file, atomically: true, encoding: .utf8)
            properties.append("BindReadOnlyPaths=\(file):\(path)")
        }
        return properties
    }

    /// What is put in the place of a file of the system, for a service.
    static func file(standingFor path: String, folder: String) -> String {
        folder + "/" + URL(fileURLWithPath: path).lastPathComponent
    }

    /// Files of the system that have another content there.
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
