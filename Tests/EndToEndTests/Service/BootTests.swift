import Testing

/// Starts of the daemon in an incomplete system, and after an unclean reboot.
@Suite(.serialized, .enabled(if: Service.isPossible, "cannot boot systemd; run as root"))
struct BootTests {
    @Test func `the daemon starts without a network and without a journal`() throws {
        let result = try Service.run(
            before: """
                ip addr del 10.99.0.1/32 dev lo
                systemctl stop systemd-journald.socket systemd-journald-dev-log.socket systemd-journald.service
                rm -f /run/systemd/journal/socket /run/systemd/journal/stdout
                """,
            """
            ipctl add 192.168.1.1 1.1.1.1
            await_property StatusText '^2 addresses watched; offline'
            ipctl --json status
            ip addr add 10.99.0.1/32 dev lo
            await_property StatusText '^2 addresses watched; online'
            """)
        #expect(result.status == 0, "\(result)")
        #expect(result.output.contains("2 addresses added") && result.output.contains("\"state\":\"offline\""))
    }

    @Test func `a missing or read-only state directory is reported with its path`() throws {
        let result = try Service.run(
            before: nil,
            """
            printf '[store]\\npath = "/nowhere/records.db"\\n' > /tmp/missing.toml
            iprecordd --config /tmp/missing.toml || echo "status $?"
            install -d /tmp/fixed && mount -t tmpfs -o ro tmpfs /tmp/fixed
            printf '[store]\\npath = "/tmp/fixed/records.db"\\n' > /tmp/fixed.toml
            iprecordd --config /tmp/fixed.toml || echo "status $?"
            printf '[store]\\npath = 5\\n' > /tmp/bad.toml
            iprecordd --config /tmp/bad.toml || echo "status $?"
            printf '[store]\\npath = 5\\n' > /etc/iprecord/iprecordd.toml
            systemctl start iprecordd || echo "not started"
            systemctl show -P ExecMainStatus -P NRestarts iprecordd
            """)
        #expect(result.status == 0, "\(result)")
        #expect(result.output == "status 78\nstatus 78\nstatus 78\nnot started\n0\n78\n", "\(result)")
        let lines = result.errors.split(separator: "\n").map(String.init)
        #expect(
            lines.contains {
                $0.hasPrefix("iprecordd: /tmp/missing.toml:2: store.path: the directory /nowhere does not exist;")
            })
        let readOnly = "cannot write to /tmp/fixed: Read-only file system; in a service, add it to ReadWritePaths="
        #expect(lines.contains { $0.hasPrefix("iprecordd: /tmp/fixed.toml:2: store.path: \(readOnly)") }, "\(lines)")
        #expect(result.errors.contains("iprecordd: /tmp/bad.toml:2: store.path: "))
    }

    /// The clock of a guest cannot be set, so the test edits the times that an earlier boot has stored.
    @Test func `after an unclean reboot, records with times of another clock are refreshed`() throws {
        let result = try Service.run(
            """
            # Two calls, so that the records do not share their time.
            ipctl add 1.1.1.1 --wait >/dev/null
            ipctl add 8.8.8.8 --wait >/dev/null
            systemctl stop iprecordd.socket
            systemctl mask --runtime iprecordd.socket
            systemctl kill -s KILL iprecordd
            systemctl stop iprecordd
            # One was scanned by a clock that was a day ahead, the other by one that was a day behind.
            scan_of() { echo "(SELECT scan FROM record JOIN entry USING (id) WHERE address = '$1')"; }
            sqlite3 /var/lib/iprecord/records.db "UPDATE scan SET at = at + 86400000 WHERE id = $(scan_of 1.1.1.1);
                UPDATE scan SET at = at - 86400000 WHERE id = $(scan_of 8.8.8.8);
                UPDATE boot SET boot_id = 'another'"
            systemctl start iprecordd
            ipctl --json show 1.1.1.1 --wait 5
            ipctl --json show 8.8.8.8 --wait 5
            sqlite3 /var/lib/iprecord/records.db "SELECT count(*) FROM record JOIN scan ON scan.id = record.scan
                JOIN boot ON boot.id = scan.boot WHERE boot_id <> 'another'"
            """)
        #expect(result.status == 0, "\(result)")
        let lines = result.output.split(separator: "\n").map(String.init)
        try #require(lines.count == 3, "\(result)")
        #expect(lines[0].contains("\"state\":\"fresh\"") && lines[1].contains("\"state\":\"fresh\""), "\(lines)")
        #expect(lines[2] == "2", "both were refreshed: the age of a record from the future is unknown")
    }
}
