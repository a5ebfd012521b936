import Testing

/// The rights of other users of the host.
@Suite(.serialized, .enabled(if: Service.isPossible, "cannot boot systemd; run as root"))
struct PrivilegeTests {
    @Test func `another user can run every query, but change nothing`() throws {
        let result = try Service.run(
            """
            ipctl add 1.1.1.1 --wait
            mine() { as_anyone "$programs/ipctl" "$@" >/dev/null 2>&1 && echo "did $1" || echo "$1 ended with $?"; }
            mine add 8.8.8.8; mine remove 1.1.1.1; mine pin 1.1.1.1; mine unpin 1.1.1.1; mine tag 1.1.1.1 --tag mine
            mine note 1.1.1.1 --note mine; mine refresh 1.1.1.1; mine reload
            mine show 1.1.1.1; mine list; mine status; mine outages
            ipctl --json list
            """)
        #expect(result.status == 0, "\(result)")
        let lines = result.output.split(separator: "\n").map(String.init)
        for command in ["add", "remove", "pin", "unpin", "tag", "note", "refresh", "reload"] {
            #expect(lines.contains("\(command) ended with 77"), "\(command): \(lines)")
        }
        for command in ["show", "list", "status"] {
            #expect(lines.contains("did \(command)"), "\(command): \(lines)")
        }
        #expect(lines.contains("outages ended with 1"), "none are recorded: \(lines)")
        let list = try #require(lines.last)
        #expect(list.contains("1.1.1.1") && !list.contains("8.8.8.8") && !list.contains("mine"), "\(list)")
    }

    @Test func `another user can read no secret, and write no file of the daemon`() throws {
        let result = try Service.run(
            before: """
                umask 0
                printf 'a-very-secret-key\\n' > /etc/iprecord/key && chmod 0600 /etc/iprecord/key
                """,
            """
            ipctl add 1.1.1.1
            look() { for file; do as_anyone cat "$file" >/dev/null 2>&1 && echo "READ $file" || echo "kept $file"; done; }
            look /etc/iprecord/key /var/lib/iprecord/records.db /var/lib/iprecord/records.db-wal
            look /run/credentials/iprecordd.service/* "/proc/$(main_pid)/environ" "/proc/$(main_pid)/mem"
            as_anyone find /run/iprecord /var/lib/iprecord /etc/iprecord -writable ! -type s 2>/dev/null | sed 's/^/WRITABLE /'
            stat -c '%a %n' /run/iprecord /run/iprecord/control.sock /var/lib/iprecord/records.db
            """)
        #expect(result.status == 0, "\(result)")
        #expect(!result.output.contains("READ") && !result.output.contains("WRITABLE"), "\(result.output)")
        #expect(result.output.contains("kept /var/lib/iprecord/records.db"))
        #expect(result.output.contains("666 /run/iprecord/control.sock"), "\(result.output)")
        #expect(result.output.contains("600 /var/lib/iprecord/records.db"), "\(result.output)")
        #expect(result.output.contains("755 /run/iprecord\n"), "\(result.output)")
    }
}
