import Foundation
import TestSupport

/// A separate systemd with its own journal, in namespaces that end with it.
enum SystemdGuest {
    /// Whether a guest can be booted on this host, which is tested by booting one.
    static let isAvailable: Bool = {
        let ended = try? run("exit 0")
        if ended?.status == 0 { return true }
        print(
            """
            SKIPPED: the tests under systemd need root, systemd, overlayfs and cgroup2: \
            \(ended?.errors ?? "it could not be started")
            """)
        return false
    }()

    /// Runs a shell script in a new guest, in which `$PROBE` is the probe.
    static func run(_ script: String) throws -> Probe.Ended {
        try Probe.run(
            [tool, "--timeout", "60", "--bind", BuiltProgram.directory, "--", "/bin/sh", "-euc", script],
            environment: ["PROBE": Probe.path])
    }

    private static let tool = #filePath.replacing(
        "Tests/SystemdTests/Support/SystemdGuest.swift", with: "scripts/with-systemd")
}
