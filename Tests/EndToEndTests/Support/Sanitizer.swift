import Foundation

/// The sanitizer that everything is built under: `make test-tsan`, `make test-asan`.
enum Sanitizer {
    private static let environment = ProcessInfo.processInfo.environment

    /// Where whatever it finds is told; nil where there is none.
    private static let reports = environment["IPRECORD_SANITIZER_REPORTS"]

    /// What makes a guest see that folder.
    static let binding = reports.map { ["--bind", $0] } ?? []

    /// The thread sanitizer has a thread of its own in each process, which wakes up ten times a second.
    static let hasThread = environment["IPRECORD_SANITIZER"] == "thread"

    /// How a script of bash(1) tells a service what the tests were told: a service manager hands on nothing of its environment.
    static let drop: String = {
        guard let reports else { return "" }
        // What tells of a crash forks while it does, which the thread sanitizer cannot follow. Leaks are looked for by ptrace(2),
        // which a service may not use.
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
