import Testing

/// A daemon that hangs is restarted by systemd.
@Suite(.serialized, .enabled(if: Service.isPossible, "cannot boot systemd; run as root"))
struct WatchdogTests {
    /// The shipped watchdog with a timeout of seconds instead of minutes.
    private static let impatient =
        "printf '[Service]\\nWatchdogSec=2s\\nRestartSec=100ms\\n' | override iprecordd.service"

    @Test func `a stopped daemon is restarted, and nothing is lost`() throws {
        let result = try Service.run(
            before: Self.impatient,
            """
            ipctl add 1.1.1.1 8.8.8.8 --tag dns --wait >/dev/null
            first=$(main_pid)
            kill -STOP "$first"
            await UNIT=iprecordd.service MESSAGE="iprecordd.service: Watchdog timeout (limit 2s)!"
            await_property NRestarts 1
            await_property StatusText '^2 addresses watched; online'
            [ "$(main_pid)" != "$first" ]
            ipctl --json show 8.8.8.8
            ipctl --json status
            """)
        #expect(result.status == 0, "\(result)")
        #expect(result.output.contains("\"state\":\"fresh\"") && result.output.contains("\"tags\":[\"dns\"]"))
        #expect(result.output.contains("\"calls\":0"), "a fresh record is not refreshed")
    }

    /// A process that holds SQLite's write lock blocks commits for the five seconds of the busy timeout.
    @Test func `a daemon whose commits hang is restarted, even though its core works`() throws {
        let result = try Service.run(
            before: Self.impatient,
            """
            mkfifo /tmp/locked
            exec 4> >(exec sqlite3 -cmd '.timeout 20000' /var/lib/iprecord/records.db)
            printf '%s\\n' 'BEGIN IMMEDIATE; CREATE TABLE held (it);' '.shell echo >/tmp/locked' >&4
            read -r _ </tmp/locked
            (ipctl add 1.1.1.1 || :) 2>/dev/null &
            await UNIT=iprecordd.service MESSAGE="iprecordd.service: Watchdog timeout (limit 2s)!"
            echo 'ROLLBACK;' >&4
            exec 4>&-
            await_property NRestarts 1
            await_property SubState running
            ipctl add 8.8.8.8
            """)
        #expect(result.status == 0, "\(result)")
        #expect(result.output.hasSuffix("1 address added\n"), "\(result)")
    }

    @Test func `a daemon that works is not restarted`() throws {
        let result = try Service.run(
            before: Self.impatient,
            """
            strace -f -qq -e trace=sendmsg -o /tmp/pings -p "$(main_pid)" & tracer=$!
            await_pings() { until [ "$(grep -c WATCHDOG=1 /tmp/pings)" -ge "$1" ]; do read -r -t 0.1 <> <(:) || :; done; }
            # Three times what the watchdog waits.
            await_pings 6
            kill "$tracer"
            systemctl show -P NRestarts iprecordd
            """)
        #expect(result.status == 0, "\(result)")
        #expect(result.output == "0\n")
    }
}
