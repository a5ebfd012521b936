import Foundation

/// The sandbox of the unit as it is shipped, around the daemon of any test: `make test-sandbox`.
///
/// Inside a booted systemd, with $IPRECORD_SANDBOX naming the unit, each daemon is a service of its own with all that the unit
/// says of its user, its file systems, its address families and its system calls.
enum Sandbox {
    /// What the unit says, as `Name=value`; nil where the daemon is started as it is.
    private static let properties: [String]? = {
        guard let unit = ProcessInfo.processInfo.environment["IPRECORD_SANDBOX"] else { return nil }
        guard let text = try? String(contentsOfFile: unit, encoding: .utf8) else {
            preconditionFailure("IPRECORD_SANDBOX names \(unit), which cannot be read")
        }
        let section = text.components(separatedBy: "\n[").first { $0.hasPrefix("Service]") } ?? ""
        return section.split(separator: "\n").dropFirst().map(String.init).filter { line in
            !line.hasPrefix("#") && !ofTheService.contains { line.hasPrefix("\($0)=") }
        }
    }()

    /// What makes it a service of the host rather than a sandbox, and is tested as that.
    private static let ofTheService = [
        "Type", "ExecStart", "ExecReload", "Sockets", "Restart", "RestartSec", "RestartPreventExitStatus",
        "WatchdogSec", "TimeoutStartSec", "RuntimeDirectory", "RuntimeDirectoryMode", "RuntimeDirectoryPreserve",
        "StateDirectory", "StateDirectoryMode", "ConfigurationDirectory", "LoadCredential",
    ]

    static var isOn: Bool { properties != nil }

    /// Puts the daemon's command into the sandbox.
    ///
    /// - Parameters:
    ///   - folder: the one that it may write.
    ///   - surroundings: where it lives, in the sandbox or without.
    static func command(
        _ command: [String], unit: String, folder: String, _ surroundings: Surroundings
    ) throws -> [String] {
        guard var properties else { return surroundings.prefix + command }
        properties += ["BindPaths=\(folder)", "ReadWritePaths=\(folder)"]
        // Who is started by a service manager tells the journal, and here the test is to be told.
        properties.append("UnsetEnvironment=SYSTEMD_EXEC_PID")
        properties += try surroundings.properties(folder: folder)
        return ["/usr/bin/systemd-run", "--quiet", "--pipe", "--wait", "--collect", "--unit", unit]
            + properties.flatMap { ["-p", $0] } + ["/usr/sbin/iprecordd"] + command.dropFirst()
    }

    /// Lets the daemon's user write the folder.
    static func open(_ folder: String) throws {
        guard isOn else { return }
        let (status, _, errors) = try Program.run(["/usr/bin/chown", "iprecord:iprecord", folder])
        guard status == 0 else { throw Program.DidNotHappen(description: "chown \(folder): \(errors)") }
    }

    /// The daemon itself, rather than who started it.
    static func process(of unit: String) throws -> Int32? {
        guard isOn else { return nil }
        let (_, output, errors) = try Program.run(["/usr/bin/systemctl", "show", "-P", "MainPID", unit])
        guard let process = Int32(output.trimmingCharacters(in: .newlines)), process > 0 else {
            throw Program.DidNotHappen(description: "\(unit) has no process: \(errors)")
        }
        // It would prove nothing to run outside.
        let state = try String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
        guard state.contains("\nSeccomp:\t2\n"), state.contains("\nNoNewPrivs:\t1\n") else {
            throw Program.DidNotHappen(description: "\(unit) runs outside of the sandbox")
        }
        return process
    }
}
