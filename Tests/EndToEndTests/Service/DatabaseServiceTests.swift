import Testing

/// The timer and the service that keep an MMDB file current, in a throwaway systemd.
@Suite(.serialized, .enabled(if: Service.isPossible, "cannot boot systemd; run as root"))
struct DatabaseServiceTests {
    private static let files = [
        "/usr/lib/systemd/system/iprecord-mmdb.service": Service.top + "systemd/iprecord-mmdb.service",
        "/usr/lib/systemd/system/iprecord-mmdb.timer": Service.top + "systemd/iprecord-mmdb.timer",
        "/usr/bin/ipctl": Rig.program("ipctl"),
    ]
    private static let prologue = """
        file=/var/lib/iprecord-mmdb/iprecord.mmdb
        # Prints a field of an address, as any user.
        field() { as_anyone mmdblookup --file $file --ip "$@" | grep -o '"[^"]*"'; }

        """

    @Test func `the units have no errors, and an exposure level of at most 1.5`() throws {
        let result = try Service.run(
            copying: Self.files,
            """
            systemd-analyze verify --man=no /usr/lib/systemd/system/iprecord-mmdb.{service,timer}
            systemd-analyze security --threshold=15 --no-pager iprecord-mmdb.service > /tmp/security || { cat /tmp/security; exit 1; }
            """)
        #expect(result.status == 0, "\(result)")
        #expect(result.errors == "", "systemd-analyze verify reports nothing")
    }

    @Test func `the service writes a file that every user can read, and replaces it`() throws {
        let result = try Service.run(
            copying: Self.files,
            Self.prologue + """
                ipctl add 1.1.1.1 --tag dns --wait > /dev/null
                systemctl start iprecord-mmdb.service
                stat -c '%A %U' /var/lib/iprecord-mmdb $file
                field 1.1.1.1 iprecord state
                field 1.1.1.1 iprecord tags 0
                exec 4< $file
                ipctl add 8.8.8.8 --wait > /dev/null
                systemctl start iprecord-mmdb.service
                field 8.8.8.8 iprecord state
                [ "$(stat -L -c %i /proc/self/fd/4)" != "$(stat -c %i $file)" ] && echo "another file"
                ls /var/lib/iprecord-mmdb
                """)
        #expect(result.status == 0, "\(result)")
        #expect(
            result.output == """
                drwxr-xr-x iprecord
                -rw-r--r-- iprecord
                "fresh"
                "dns"
                "fresh"
                another file
                iprecord.mmdb

                """, "\(result)")
    }

    @Test func `without the daemon, the service fails and the old file stays`() throws {
        let result = try Service.run(
            copying: Self.files,
            Self.prologue + """
                ipctl add 1.1.1.1 --wait > /dev/null
                systemctl start iprecord-mmdb.service
                before=$(sha256sum $file)
                systemctl stop iprecordd.socket iprecordd.service
                ! systemctl start iprecord-mmdb.service 2> /dev/null
                systemctl show -P ExecMainStatus iprecord-mmdb.service
                systemctl is-active iprecordd.socket iprecordd.service || :
                [ "$before" = "$(sha256sum $file)" ] && echo unchanged
                """)
        #expect(result.status == 0, "\(result)")
        #expect(result.output == "69\ninactive\ninactive\nunchanged\n", "\(result)")
    }

    @Test func `the timer exports the records again and again`() throws {
        let result = try Service.run(
            copying: Self.files,
            Self.prologue + """
                override iprecord-mmdb.timer <<< $'[Timer]\\nOnActiveSec=\\nOnActiveSec=10ms\\nOnUnitInactiveSec=10ms\\nAccuracySec=1us'
                override iprecord-mmdb.service <<< $'[Unit]\\nStartLimitIntervalSec=0'
                # Waits for a file other than the one with this number.
                await_file() { until [ -e $file ] && [ "$(stat -c %i $file)" != "$1" ]; do read -r -t 0.05 <> <(:) || :; done; }
                systemctl start iprecord-mmdb.timer
                await_file none
                exec 4< $file
                await_file "$(stat -L -c %i /proc/self/fd/4)"
                systemctl stop iprecord-mmdb.timer
                echo replaced
                """)
        #expect(result.status == 0, "\(result)")
        #expect(result.output == "replaced\n", "\(result)")
    }
}
