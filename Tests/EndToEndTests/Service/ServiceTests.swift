import Foundation
import Testing

/// The daemon under a real systemd, with its journal.
@Suite(.serialized, .enabled(if: Service.isPossible, "cannot boot systemd; run as root"))
struct ServiceTests {
    @Test func `the service starts, any user can query it, and only administrators can change it`() throws {
        let result = try Service.run(
            """
            systemctl show -P ActiveState -P SubState iprecordd
            ipctl add 1.1.1.1 --wait
            as_anyone "$programs/ipctl" show 1.1.1.1 --field country
            as_anyone "$programs/ipctl" add 8.8.8.8 || echo "status $?"
            ipctl --json show 8.8.8.8
            stat -c '%a %U %n' /run/iprecord/control.sock /var/lib/iprecord /var/lib/iprecord/records.db
            systemctl show -P StatusText iprecordd
            systemctl stop iprecordd
            systemctl show -P Result iprecordd
            """)
        #expect(result.status == 0, "\(result)")
        let lines = result.output.split(separator: "\n").map(String.init)
        #expect(lines.prefix(2) == ["active", "running"])
        #expect(lines.contains("1 address added"))
        #expect(lines.contains("Australia"))
        #expect(lines.contains("status 77"))
        #expect(result.errors.contains("join the group"))
        #expect(lines.contains { $0.contains("\"watched\":false") }, "the refused address is not watched")
        #expect(lines.contains("666 iprecord /run/iprecord/control.sock"))
        #expect(lines.contains("700 iprecord /var/lib/iprecord"))
        #expect(lines.contains("600 iprecord /var/lib/iprecord/records.db"))
        let isLine =
            lines.dropLast().last?.wholeMatch(of: /1 address watched; online; next refresh at \d\d:\d\d:\d\d/) != nil
        #expect(isLine && lines.last == "success", "\(lines)")
    }

    @Test func `the journal has one alert for each loss and each return`() throws {
        let result = try Service.run(
            """
            for round in 1 2; do
                ip addr del 10.99.0.1/32 dev lo
                await MESSAGE_ID=$lost IPRECORD_SEQ=$((round * 2 - 1))
                ip addr add 10.99.0.1/32 dev lo
                await MESSAGE_ID=$restored IPRECORD_SEQ=$((round * 2))
            done
            systemctl stop iprecordd
            journalctl -u iprecordd -o json MESSAGE_ID=$lost + MESSAGE_ID=$restored
            """)
        #expect(result.status == 0, "\(result)")
        let alerts = try result.output.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(alerts.map { $0["PRIORITY"] as? String } == ["4", "5", "4", "5"], "warning and notice")
        let kinds = ["networkLost", "networkRestored"]
        #expect(alerts.map { $0["IPRECORD_EVENT"] as? String } == kinds + kinds)
        #expect(alerts.map { $0["IPRECORD_SEQ"] as? String } == ["1", "2", "3", "4"])
        #expect((alerts.first?["MESSAGE"] as? String)?.hasPrefix("network lost: no route to 10.99.0.1") == true)
    }

    @Test func `after kill -9 the daemon is restarted with its records`() throws {
        let result = try Service.run(
            """
            ipctl add 1.1.1.1 --wait
            first=$(systemctl show -P MainPID iprecordd)
            kill -9 "$first"
            message="1 entry in /var/lib/iprecord/records.db; listening on /run/iprecord/control.sock"
            await _SYSTEMD_UNIT=iprecordd.service MESSAGE="$message"
            [ "$(systemctl show -P MainPID iprecordd)" != "$first" ]
            ipctl --json show 1.1.1.1
            ipctl --json status
            """)
        #expect(result.status == 0, "\(result)")
        #expect(result.output.contains("\"state\":\"fresh\""))
        #expect(result.output.contains("\"calls\":0"), "a fresh record is not refreshed")
    }

    @Test func `a daemon that is killed repeatedly under load has every acknowledged address exactly once`() throws {
        let result = try Service.run(
            before: "printf '[Service]\\nRestartSec=50ms\\n' | override iprecordd.service",
            """
            clients=
            client() {
                local n=0
                until [ -e /tmp/enough ]; do
                    n=$((n + 1)); address=$1.0.$((n / 250)).$((n % 250 + 1))
                    if ipctl add "$address" >/dev/null 2>&1; then echo "$address" >> "/tmp/added.$1"; fi
                done
            }
            for number in 11 12 13; do : > /tmp/added.$number; client $number & clients+=" $!"; done
            for kill in 1 2 3 4 5 6 7 8; do
                until [ "$(cat /tmp/added.* | wc -l)" -ge $((20 * kill)) ]; do read -r -t 0.01 <> <(:) || :; done
                kill -9 "$(main_pid)"
                await_property NRestarts "^$kill$"
                await_property SubState running
            done
            touch /tmp/enough
            wait $clients
            ipctl --json list --all | jq -r '.entries[].address' | sort > /tmp/there
            echo "lost: $(sort /tmp/added.* | comm -23 - /tmp/there | wc -l), twice: $(uniq -d /tmp/there | wc -l)"
            [ "$(wc -l < /tmp/there)" -ge 160 ]
            """)
        #expect(result.status == 0, "\(result)")
        #expect(result.output == "lost: 0, twice: 0\n")
    }

    @Test func `the doctor finds no fault in a healthy service, and then the planted ones`() throws {
        let result = try Service.run(
            """
            ipctl add 1.1.1.1 --wait
            ipctl doctor
            as_anyone "$programs/ipctl" doctor >/dev/null && echo "no problem for any user"
            install -d -m 0755 /etc/iprecord/watch.d
            install -m 0600 /dev/null /etc/iprecord/watch.d/closed.list
            printf '8.8.8\\n' > /etc/iprecord/watch.d/open.list
            as_anyone "$programs/ipctl" --json doctor || echo "status $?"
            systemctl stop iprecordd.socket iprecordd
            ipctl doctor || echo "status $?"
            """)
        #expect(result.status == 0, "\(result)")
        let lines = result.output.split(separator: "\n").map(String.init)
        #expect(lines.contains("no problem for any user"))
        let ends = lines.indices.filter { lines[$0].hasPrefix("status ") }
        #expect(ends.map { lines[$0] } == ["status 1", "status 69"])
        let first = try #require(lines.firstIndex(of: "no problem for any user"))
        #expect(!lines[..<first].contains { $0.hasPrefix("✗") || $0.hasPrefix("!") }, "\(lines[..<first])")
        let wrong = lines[first..<ends[0]].filter { !$0.contains(#""state":"ok""#) }.dropFirst()
        #expect(wrong.count == 3, "\(wrong)")
        #expect(wrong.contains { $0.contains("recovered or restored: you cannot list /var/lib/iprecord") })
        #expect(
            wrong.contains {
                $0.contains("the daemon cannot read /etc/iprecord/watch.d/closed.list: its mode is 0600")
            })
        #expect(wrong.contains { $0.contains("line 1 of /etc/iprecord/watch.d/open.list") })
        #expect(lines.contains("✗ socket        /run/iprecord/control.sock does not exist: no daemon listens there"))
    }
}
