import Testing

/// A daemon that cannot start until a person changes something.
@Suite(.serialized, .enabled(if: Service.isPossible, "cannot boot systemd; run as root"))
struct FailedStartTests {
    /// Prints the state of the socket unit, the socket file, the number of starts, and the errors in the journal.
    private static let outcome = """

        systemctl is-active iprecordd.socket
        ls /run/iprecord
        journalctl --sync
        echo "starts $(journalctl -u iprecordd -o cat | grep -c '^Starting iprecordd.service')"
        journalctl -u iprecordd -p err -o cat SYSLOG_IDENTIFIER=iprecordd | uniq
        """

    private static let reason = "/etc/iprecord/iprecordd.toml:2: refresh.intervall: "

    @Test func `one call starts the daemon at most twice, fails promptly, and the socket stays`() throws {
        let result = try Service.run(
            before: nil,
            """
            printf '[refresh]\\nintervall = "5m"\\n' > /etc/iprecord/iprecordd.toml
            systemctl start iprecordd.socket
            timeout 5 "$programs/ipctl" status >/dev/null || echo "status $?"
            \(Self.outcome)
            """)
        #expect(result.status == 0, "\(result)")
        let lines = result.output.split(separator: "\n").map(String.init)
        try #require(lines.count == 5, "\(result)")
        #expect(lines[0] == "status 69")
        #expect(lines[1...2] == ["active", "control.sock"])
        #expect(["starts 1", "starts 2"].contains(lines[3]))
        #expect(lines[4].hasPrefix(Self.reason))
    }

    @Test func `with any number of calls systemd keeps the socket, and starts the daemon once it can start`()
        throws
    {
        let result = try Service.run(
            before: nil,
            """
            cp /etc/iprecord/iprecordd.toml /tmp/good.toml
            printf '[refresh]\\nintervall = "5m"\\n' > /etc/iprecord/iprecordd.toml
            systemctl start iprecordd.socket
            for number in $(seq 100); do timeout 5 "$programs/ipctl" status >/dev/null 2>&1 || echo "$?"; done | sort | uniq -c
            \(Self.outcome)
            echo "$SECONDS"
            ipctl doctor | head -n 1
            cp /tmp/good.toml /etc/iprecord/iprecordd.toml
            until ipctl --json status 2>/dev/null; do :; done
            """)
        #expect(result.status == 0, "\(result)")
        let lines = result.output.split(separator: "\n").map(String.init)
        try #require(lines.count == 8, "\(result)")
        #expect(lines[0].hasSuffix(" 100 69"), "each call must fail before its timeout")
        #expect(lines[1...2] == ["active", "control.sock"])
        let starts = try #require(lines[3].split(separator: " ").last.flatMap { Int($0) })
        let seconds = try #require(Int(lines[5]))
        #expect(starts <= seconds / 2 + 2, "one start every 2 s, plus the first")
        #expect(lines[4].hasPrefix(Self.reason))
        #expect(lines[6].hasPrefix("✗ configuration \(Self.reason)"))
        #expect(lines[7].contains("\"watched\":0"))
    }

    @Test func `a missing key file is reported by --check, and ends the daemon without a restart`() throws {
        let result = try Service.run(
            before: nil,
            """
            printf 'key-file = "/etc/iprecord/key"\\n' >> /etc/iprecord/iprecordd.toml
            systemctl start iprecordd || :
            systemctl show -P ExecMainStatus -P NRestarts -P ActiveState iprecordd
            install -m 0600 /dev/null /etc/iprecord/key
            printf 's3cr3t\\n' > /etc/iprecord/key
            iprecordd --check 2>&1 || echo "status $?"
            chown root:iprecord /etc/iprecord/key
            chmod 0640 /etc/iprecord/key
            iprecordd --check
            as_anyone iprecordd --config /etc/iprecord/iprecordd.toml --check
            systemctl start iprecordd
            ipctl --json status
            """)
        #expect(result.status == 0, "\(result)")
        let lines = result.output.split(separator: "\n").map(String.init)
        try #require(lines.count >= 9, "\(result)")
        #expect(lines[0...2] == ["0", "78", "failed"], "not restarted")
        let denied = "provider.key-file: cannot read the key from /etc/iprecord/key: Permission denied"
        #expect(lines.contains("iprecordd: /etc/iprecord/iprecordd.toml:3: \(denied)"), "\(lines)")
        #expect(lines.contains("status 78"))
        #expect(lines.filter { $0 == "checking with the permissions of the user iprecord" }.count == 2)
        #expect(lines.filter { $0.hasPrefix("the configuration is valid") }.count == 2)
        #expect(lines.contains { $0.hasPrefix("not checked: /etc/iprecord/key: Permission denied") })
        #expect(lines.last?.contains("\"watched\":0") == true)
    }

    @Test func `a damaged database is reported as an error, and the socket stays`() throws {
        let result = try Service.run(
            before: nil,
            """
            install -d -o iprecord -g iprecord -m 0700 /var/lib/iprecord
            head -c 8192 /dev/zero | tr '\\0' x > /var/lib/iprecord/records.db
            chown iprecord:iprecord /var/lib/iprecord/records.db
            systemctl start iprecordd.socket
            timeout 5 "$programs/ipctl" status >/dev/null || echo "status $?"
            \(Self.outcome)
            ipctl doctor | grep -E '^. (daemon|store)'
            """)
        #expect(result.status == 0, "\(result)")
        let lines = result.output.split(separator: "\n").map(String.init)
        try #require(lines.count >= 7, "\(result)")
        #expect(lines[0...2] == ["status 69", "active", "control.sock"])
        #expect(["starts 1", "starts 2"].contains(lines[3]))
        #expect(lines[4].hasPrefix("/var/lib/iprecord/records.db is not an SQLite database"))
        #expect(lines[5].contains("last error in the journal: /var/lib/iprecord/records.db is not an SQLite database"))
        #expect(lines[6].hasPrefix("✗ store         /var/lib/iprecord/records.db is not an SQLite database"))
    }
}
