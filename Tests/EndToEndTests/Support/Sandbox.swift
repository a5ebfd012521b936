import Foundation

/// The sandbox of the shipped unit, for the daemon of any test: `make test-sandbox`.
///
/// If $IPRECORD_SANDBOX names the unit, in a booted systemd, each daemon is started as a service. The service has the
/// user and the restrictions of the unit: file systems, address families and system calls.
enum Sandbox {
    /// The settings of the unit as `Name=value`; nil if daemons are started without a sandbox.
    private static let properties: [String]? = {
        guard let unit = ProcessInfo.processInfo.environment["IPRECORD_SANDBOX"] else { return nil }
        guard let text = try? String(contentsOfFile: unit, encoding: .utf8) else {
            preconditionFailure("cannot read \(unit), the value of IPRECORD_SANDBOX")
        }
        let section = text.components(separatedBy: "\n[").first { $0.hasPrefix("Service]") } ?? ""
        return section.split(separator: "\n").dropFirst().map(String.init).filter { line in
            !line.hasPrefix("#") && !ofTheService.contains { line.hasPrefix("\($0)=") }
        }
    }()

    /// Settings that define a service of the host and not a sandbox. Other tests cover them.
    private static let ofTheService = [
        "Type", "ExecStart", "ExecReload", "Sockets", "Restart", "RestartSec", "RestartPreventExitStatus",
        "WatchdogSec", "TimeoutStartSec", "RuntimeDirectory", "RuntimeDirectoryMode", "RuntimeDirectoryPreserve",
        "StateDirectory", "StateDirectoryMode", "ConfigurationDirectory", "LoadCredential", "SetCredential",
    ]

    /// Whether daemons are started in the sandbox.
    static var isOn: Bool { properties != nil }

    /// Returns the command that starts the daemon in the sandbox, or in its surroundings without one.
    ///
    /// - Parameters:
    ///   - folder: the directory that the daemon can write to.
    ///   - surroundings: the network, files and environment of the daemon.
    static func command(
        _ command: [String], unit: String, folder: String, _ surroundings: Surroundings
    ) throws -> [String] {
        guard var properties else { return surroundings.prefix + command }
        properties += ["BindPaths=\(folder)", "ReadWritePaths=\(folder)"]
        // As a service, the daemon would log to the journal. The test reads standard error.
        properties.append("UnsetEnvironment=SYSTEMD_EXEC_PID")
        properties += try surroundings.properties(folder: folder)
        return ["/usr/bin/systemd-run", "--quiet", "--pipe", "--wait", "--collect", "--unit", unit]
            + properties.flatMap { ["-p", $0] } + ["/usr/sbin/iprecordd"] + command.dropFirst()
    }

    /// Makes the daemon's user the owner of a directory.
    static func open(_ folder: String) throws {
        guard isOn else { return }
        let (status, _, errors) = try Program.run(["/usr/bin/chown", "iprecord:iprecord", folder])
        guard status == 0 else { throw Program.DidNotHappen(description: "chown \(folder): \(errors)") }
    }

    /// Returns the pid of the daemon in the sandbox, in place of that of systemd-run; nil without a sandbox.
    static func process(of unit: String) throws -> Int32? {
        guard isOn else { return nil }
        let (_, output, errors) = try Program.run(["/usr/bin/systemctl", "show", "-P", "MainPID", unit])
        guard let process = Int32(output.trimmingCharacters(in: .newlines)), process > 0 else {
            throw Program.DidNotHappen(description: "\(unit) has no main process: \(errors)")
        }
        // Outside the sandbox the test would prove nothing.
        let state = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        guard state.contains("\nSeccomp:\t2\n"), state.contains("\nNoNewPrivs:\t1\n") else {
            throw Program.DidNotHappen(description: "\(unit) does not run in the sandbox")
        }
        return process
    }
}
