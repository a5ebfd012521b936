import Foundation
import Testing

/// The Debian package, installed by the real dpkg beside a real systemd.
@Suite(.serialized, .enabled(if: Service.isPossible, "no systemd can be booted here: run as root"))
struct PackageTests {
    @Test func `installed it runs, upgraded it keeps its records, and purged it leaves nothing`() throws {
        let result = try Package.run(
            """
            dpkg -i "$package" >&2
            systemctl is-active iprecordd
            systemctl is-enabled iprecordd iprecordd.socket
            use_stand_in
            ipctl add 1.1.1.1 --wait >&2
            ipctl show 1.1.1.1 --field state
            as_anyone ipctl show 1.1.1.1 --field country
            as_anyone ipctl add 8.8.8.8 >&2 || echo "status $?"
            first=$(systemctl show -P MainPID iprecordd)
            dpkg -i "$package" >&2
            [ "$(systemctl show -P MainPID iprecordd)" != "$first" ] && echo "started anew"
            ipctl show 1.1.1.1 --field state
            cat /etc/iprecord/iprecordd.toml
            dpkg -r iprecord >&2
            systemctl is-active iprecordd.socket iprecordd || true
            ls /var/lib/iprecord/records.db /etc/iprecord/iprecordd.toml
            dpkg -P iprecord >&2
            getent passwd iprecord || echo "no user"
            getent group iprecord || echo "no group"
            find_ours > /after
            comm -13 /before /after | grep . || echo "nothing left"
            """)
        #expect(result.status == 0, "\(result)")
        #expect(
            result.output.split(separator: "\n") == [
                "active", "enabled", "enabled", "fresh", "Australia", "status 77", "started anew", "fresh",
                "[provider]", "endpoint = \"http://10.99.0.1:8080\"", "inactive", "inactive",
                "/etc/iprecord/iprecordd.toml", "/var/lib/iprecord/records.db", "no user", "no group", "nothing left",
            ], "\(result)")
    }

    @Test func `an older database is taken over, and a newer one refused with its path`() throws {
        let result = try Package.run(
            """
            dpkg -i "$package" >&2
            use_stand_in
            ipctl add 1.1.1.1 --tag kept --wait >&2
            systemctl stop iprecordd.socket iprecordd
            sqlite3 /var/lib/iprecord/records.db \\
                "DROP TABLE outage; DELETE FROM grdb_migrations WHERE identifier LIKE '2:%'"
            systemctl start iprecordd
            ipctl list --tag kept --json | jq -r '.entries[0].address'
            ipctl outages >&2
            systemctl stop iprecordd.socket iprecordd
            sqlite3 /var/lib/iprecord/records.db "INSERT INTO grdb_migrations VALUES ('99: of a later version')"
            systemctl start iprecordd || echo "refused"
            journalctl -u iprecordd -o cat | grep -m 1 newer
            """)
        #expect(result.status == 0, "\(result)")
        let lines = result.output.split(separator: "\n").map(String.init)
        #expect(lines.prefix(2) == ["1.1.1.1", "refused"], "\(result)")
        #expect(lines.last?.contains("/var/lib/iprecord/records.db") == true, "\(result)")
        #expect(lines.last?.contains("newer") == true, "\(result)")
    }
}
