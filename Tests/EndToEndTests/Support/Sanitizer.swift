import Foundation

/// The sanitizer that all programs are built with in `make test-tsan` and `make test-asan`.
enum Sanitizer {
    private static let environment = ProcessInfo.processInfo.environment

    /// The directory of its reports; nil without a sanitizer.
    private static let reports = environment["IPRECORD_SANITIZER_REPORTS"]

    /// The options of `with-systemd` that bind this directory in the guest.
    static let binding = reports.map { ["--bind", $0] } ?? []

    /// Whether it is the thread sanitizer, whose own thread wakes up ten times a second.
    static let hasThread = environment["IPRECORD_SANITIZER"] == "thread"

    /// A bash(1) script that passes the sanitizer's environment to the service, because systemd does not pass its own.
    static let drop: String = {
        guard let reports else { return "" }
        // The backtracer forks during a crash, which the thread sanitizer does not support. The search for leaks uses
        // ptrace(2), which the sandbox of the service forbids.
        let names = ["TSAN_OPTIONS": "", "ASAN_OPTIONS": ":detect_leaks=0", "SWIFT_BACKTRACE": ""]
        let options = names.sorted { $0.key < $1.key }.compactMap { name, more in
            environment[name].map { "Environment=\"\(name)=\($0)\(more)\"" }
        }
        return """
            install -d /etc/systemd/system/iprecordd.service.d
            cat > /etc/systemd/system/iprecordd.service.d/sanitizer.conf <<'END'
            [Service]
            \(options.joined(separator: "\n"))
            BindPaths=\(reports)
            END
            systemctl daemon-reload

            """
    }()
}
