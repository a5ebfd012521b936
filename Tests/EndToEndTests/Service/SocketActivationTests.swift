import Testing

/// The control socket, created by systemd or by the daemon.
@Suite(.serialized, .enabled(if: Service.isPossible, "cannot boot systemd; run as root"))
struct SocketActivationTests {
    @Test func `the first call starts the daemon`() throws {
        let result = try Service.run(
            before: nil,
            """
            systemctl start iprecordd.socket
            systemctl show -P ActiveState iprecordd
            stat -c '%a %F' /run/iprecord/control.sock
            readlink /run/varlink/registry/io.iprecord.Control
            as_anyone "$programs/ipctl" --json --socket /run/varlink/registry/io.iprecord.Control status
            systemctl show -P ActiveState iprecordd
            systemctl show -P TriggeredBy iprecordd
            systemctl stop iprecordd
            stat -c '%a %F' /run/iprecord/control.sock
            ipctl add 1.1.1.1
            systemctl stop iprecordd.socket iprecordd
            ls /run/varlink/registry /run/iprecord
            """)
        #expect(result.status == 0, "\(result)")
        let lines = result.output.split(separator: "\n").map(String.init)
        try #require(lines.count >= 9, "\(result)")
        let target = try #require(lines[2].split(separator: "/").last)
        #expect(lines[0...1] == ["inactive", "666 socket"])
        #expect(target == "control.sock")
        #expect(lines[3].contains("\"watched\":0"))
        #expect(lines[4...7] == ["active", "iprecordd.socket", "666 socket", "1 address added"])
        #expect(lines[8...] == ["/run/iprecord:", "/run/varlink/registry:"], "both directories must be empty")
    }

    @Test func `no call fails while the daemon is restarted repeatedly`() throws {
        let result = try Service.run(
            """
            ask() {
                for number in $(seq 1 "$2"); do "$programs/ipctl" add "10.$1.0.$number" >/dev/null || echo "refused $?"; done
                echo "asked $2"
            }
            for client in 1 2 3; do ask "$client" 60 & asking+=($!); done
            # As often as it can be, for as long as somebody asks.
            (trap 'exit' TERM; while :; do systemctl restart iprecordd; done) & restarting=$!
            wait "${asking[@]}"
            kill "$restarting"
            wait "$restarting"
            systemctl start iprecordd
            ipctl --json status
            """)
        #expect(result.status == 0, "\(result)")
        #expect(!result.output.contains("refused"), "\(result)")
        #expect(result.output.contains("\"watched\":180"), "\(result)")
    }

    @Test func `several sockets lead to the same daemon`() throws {
        let result = try Service.run(
            before: """
                cat > /etc/systemd/system/second.socket <<END
                [Socket]
                ListenStream=/run/second.sock
                FileDescriptorName=varlink
                Service=iprecordd.service
                END
                systemctl start iprecordd.socket second.socket
                """,
            """
            ipctl add 1.1.1.1
            ipctl --socket /run/second.sock add 8.8.8.8
            ipctl --json status
            await _SYSTEMD_UNIT=iprecordd.service \\
                MESSAGE="0 entries in /var/lib/iprecord/records.db; listening on /run/iprecord/control.sock, /run/second.sock"
            """)
        #expect(result.status == 0, "\(result)")
        #expect(result.output.contains("\"watched\":2"))
    }

    @Test func `without the socket unit the daemon creates its socket, and removes it at the end`() throws {
        let result = try Service.run(
            before: "systemctl mask --now iprecordd.socket",
            """
            ipctl add 1.1.1.1
            kill -9 "$(main_pid)"
            await_property NRestarts 1
            await_property SubState running
            # The file that was left behind was replaced.
            ipctl add 8.8.8.8
            systemctl stop iprecordd
            ls /run/iprecord
            """)
        #expect(result.status == 0, "\(result)")
        #expect(result.output == "1 address added\n1 address added\n")
    }

    @Test func `a second instance names the first, even if systemd created the socket`() throws {
        let result = try Service.run(
            """
            main_pid
            iprecordd --config /etc/iprecord/iprecordd.toml || echo "status $?"
            printf '[store]\\npath = "/tmp/other.db"\\n' > /tmp/other.toml
            iprecordd --config /tmp/other.toml || echo "status $?"
            ipctl --json status
            """)
        #expect(result.status == 0, "\(result)")
        let lines = result.output.split(separator: "\n").map(String.init)
        try #require(lines.count == 4, "\(result)")
        #expect(lines[1...2] == ["status 1", "status 1"])
        #expect(
            result.errors.contains("records.db is in use by another iprecordd (pid \(lines[0]))\n"), "\(result.errors)")
        let hint = "pid \(lines[0]) is already listening on it"
        #expect(result.errors.contains("cannot listen on /run/iprecord/control.sock: Address already in use; \(hint)"))
    }
}
