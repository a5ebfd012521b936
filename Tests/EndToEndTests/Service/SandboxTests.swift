import Testing

/// The unit as systemd rates it, and the daemon in its sandbox.
@Suite(.serialized, .enabled(if: Service.isPossible, "cannot boot systemd; run as root"))
struct SandboxTests {
    @Test func `the units have no errors, and an exposure level of at most 1.5`() throws {
        let result = try Service.run(
            """
            systemd-analyze verify --man=no /usr/lib/systemd/system/iprecordd.{service,socket}
            systemd-analyze security --threshold=15 --no-pager iprecordd.service > /tmp/security || { cat /tmp/security; exit 1; }
            grep Overall /tmp/security
            """)
        #expect(result.status == 0, "\(result)")
        #expect(result.errors == "", "systemd-analyze verify reports nothing")
    }

    @Test func `the daemon cannot leave its sandbox`() throws {
        let result = try Service.run(
            """
            in_sandbox() { nsenter -t "$(main_pid)" -m -S "$(id -u iprecord)" -G "$(id -g iprecord)" "$@"; }
            grep -E '^(CapEff|CapBnd|NoNewPrivs|Seccomp):' "/proc/$(main_pid)/status" | tr -s '\\t ' ' '
            for file in /etc/x /usr/x /var/x /root/x /home/x /proc/sys/kernel/hostname /var/lib/iprecord/x; do
                in_sandbox sh -c "2>/dev/null >> $file" && echo "wrote $file" || :
            done
            systemctl show -P IPAccounting -P User iprecordd
            [ "$(readlink "/proc/$(main_pid)/ns/ipc")" != "$(readlink /proc/self/ns/ipc)" ] && echo "an IPC namespace of its own"
            """)
        #expect(result.status == 0, "\(result)")
        #expect(
            result.output
                == """
                CapBnd: 0000000000000000
                CapEff: 0000000000000000
                NoNewPrivs: 1
                Seccomp: 2
                wrote /var/lib/iprecord/x
                yes
                iprecord
                an IPC namespace of its own

                """.replacing(
                    "CapBnd: 0000000000000000\nCapEff: 0000000000000000",
                    with: "CapEff: 0000000000000000\nCapBnd: 0000000000000000"),
            "\(result)")
    }

    @Test func `names, groups and routes work in the sandbox`() throws {
        let result = try Service.run(
            before: """
                groupadd watchers
                useradd -G watchers watcher
                echo '10.99.0.1 provider.example' >> /etc/hosts
                printf '[provider]\\nendpoint = "http://provider.example:8080"\\n[control]\\nadmin-group = "watchers"\\n' \\
                    > /etc/iprecord/iprecordd.toml
                """,
            """
            setpriv --reuid watcher --regid watcher --init-groups "$programs/ipctl" add 1.1.1.1 --wait
            as_anyone "$programs/ipctl" add 8.8.8.8 || echo "status $?"
            ip addr del 10.99.0.1/32 dev lo
            await MESSAGE_ID=$lost
            journalctl --sync
            journalctl -u iprecordd -o cat
            """)
        #expect(result.status == 0, "\(result)")
        #expect(result.output.contains("1 address added") && result.output.contains("fresh"), "\(result)")
        #expect(result.output.contains("status 77"))
        #expect(!result.output.contains("cannot monitor the kernel's routes"), "\(result.output)")
        #expect(!result.output.contains("does not exist; only root"))
    }
}
