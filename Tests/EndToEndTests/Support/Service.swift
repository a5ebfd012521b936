import Foundation

/// The daemon as a service of a throwaway systemd, with the shipped units.
enum Service {
    /// Whether a systemd can be booted here, found by booting one. If not, it prints a line.
    static let isPossible: Bool = {
        let result = try? Program.run([tool, "--", "/bin/true"])
        if result?.status == 0 { return true }
        print(
            "SKIPPED: cannot boot systemd, so the service is not tested: \(result?.errors ?? "cannot run \(tool)")"
        )
        return false
    }()

    /// The beginning of every script: it creates the user and starts the mock provider.
    ///
    /// The mock provider has its own address, 10.99.0.1, which the script can remove.
    private static let prologue = """
        programs=$0
        lost=\(MessageID.networkLost) restored=\(MessageID.networkRestored)
        ipctl() { "$programs/ipctl" "$@"; }
        as_anyone() { setpriv --reuid 65534 --regid 65534 --clear-groups "$@"; }
        # Waits for an entry of the journal. Restarts journalctl(1) every 5 seconds, because it once missed an entry
        # under load.
        await() { until grep -q -m 1 . < <(exec timeout 5 journalctl -f -n all -o cat "$@"); do :; done; }
        # Waits until the service manager says so of a property of the service.
        await_property() { until systemctl show -P "$1" iprecordd | grep -qE "$2"; do read -r -t 0.05 <> <(:) || :; done; }
        main_pid() { systemctl show -P MainPID iprecordd; }
        # Puts settings over those of a unit.
        override() { install -d "/etc/systemd/system/$1.d"; cat > "/etc/systemd/system/$1.d/test.conf"; systemctl daemon-reload; }
        systemd-sysusers iprecord.conf
        install -d -m 0755 /etc/iprecord
        printf '[provider]\\nendpoint = "http://10.99.0.1:8080"\\n' > /etc/iprecord/iprecordd.toml
        ip addr add 10.99.0.1/32 dev lo
        exec 3< <(exec "$programs/ip-api-stand-in" --bind 0.0.0.0:8080 --single-quota none --batch-quota none)
        read -r -u 3 line

        """

    /// Runs a bash(1) script in its own guest beside the service.
    ///
    /// - Parameters:
    ///   - before: commands that run before the service is started; nil if the script starts it.
    ///   - copying: more files of the guest, by their paths there.
    static func run(
        before: String? = "", copying files: [String: String] = [:], _ script: String
    ) throws -> (status: Int32, output: String, errors: String) {
        let daemon = Rig.program("iprecordd")
        let programs = Rig.programs
        let start = before.map { $0 + "\nsystemctl start iprecordd\n" } ?? ""
        return try Program.run(
            [
                tool, "--timeout", "180",
                "--copy", top + "systemd/iprecordd.service:/usr/lib/systemd/system/iprecordd.service",
                "--copy", top + "systemd/iprecordd.socket:/usr/lib/systemd/system/iprecordd.socket",
                "--copy", top + "systemd/iprecordd.sysusers:/usr/lib/sysusers.d/iprecord.conf",
                "--copy", top + "systemd/iprecord.catalog:/usr/lib/systemd/catalog/iprecord.catalog",
                "--copy", daemon + ":/usr/sbin/iprecordd", "--bind", programs,
            ] + files.flatMap { ["--copy", "\($0.value):\($0.key)"] } + Sanitizer.binding + [
                "--", "/bin/bash", "-euc", prologue + Sanitizer.drop + start + script, programs,
            ])
    }

    static let top = #filePath.replacing("Tests/EndToEndTests/Support/Service.swift", with: "")
    static let tool = top + "scripts/with-systemd"
}
