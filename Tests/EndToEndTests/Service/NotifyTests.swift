import Testing

/// The notifications to the service manager.
@Suite(.serialized, .enabled(if: Service.isPossible, "cannot boot systemd; run as root"))
struct NotifyTests {
    @Test func `the status line shows the current state without a call`() throws {
        let result = try Service.run(
            """
            await_property StatusText '^0 addresses watched; online$'
            ipctl add 1.1.1.1 8.8.8.8 192.168.1.1
            await_property StatusText '^3 addresses watched; online; next refresh at [0-9:]+$'
            ip addr del 10.99.0.1/32 dev lo
            await_property StatusText '^3 addresses watched; offline: '
            ip addr add 10.99.0.1/32 dev lo
            await_property StatusText '^3 addresses watched; online; next'
            """)
        #expect(result.status == 0, "\(result)")
    }

    @Test func `a reload is reported to systemd from its beginning to its end`() throws {
        let result = try Service.run(
            """
            strace -f -qq -s 200 -e trace=sendmsg,sendto -o /tmp/sent -p "$(main_pid)" & tracer=$!
            until grep -q TracerPid:.*[1-9] "/proc/$(main_pid)/status"; do :; done
            echo '1.1.1.1' > /etc/iprecord/watch.list
            install -D -m 0644 /etc/iprecord/watch.list /etc/iprecord/watch.d/a.list
            systemctl reload iprecordd
            await_property StatusText '^1 address watched'
            printf '[refresh]\\ninterval = "1m"\\n' >> /etc/iprecord/iprecordd.toml
            ipctl reload || echo "status $?"
            systemctl stop iprecordd
            wait "$tracer" || :
            grep -oE 'RELOADING=1.nMONOTONIC_USEC=[0-9]+|READY=1|STOPPING=1' /tmp/sent | sed 's/[0-9]\\{4,\\}/N/'
            """)
        #expect(result.status == 0, "\(result)")
        let lines = result.output.split(separator: "\n").map(String.init)
        #expect(lines == ["status 65", #"RELOADING=1\nMONOTONIC_USEC=N"#, "READY=1", "STOPPING=1"], "\(result)")
        #expect(result.errors.contains("refresh.interval changed; restart to apply"), "\(result.errors)")
    }

    @Test func `a migration that takes longer than TimeoutStartSec= is not terminated`() throws {
        let result = try Service.run(
            """
            systemctl stop iprecordd.socket iprecordd
            # As version 3 of the schema had it, with a history whose index takes some seconds.
            sqlite3 /var/lib/iprecord/records.db >/dev/null "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;
              DROP TABLE history_mark; DELETE FROM grdb_migrations WHERE identifier LIKE '4:%' OR identifier LIKE '5:%';
              WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 4000000)
                INSERT INTO change SELECT '192.0.2.1', n, n * 7919 % 4000037, '[]' FROM number"
            printf '[Service]\nTimeoutStartSec=1s\n' | override iprecordd.service
            systemctl start iprecordd
            systemctl show -P NRestarts iprecordd
            began=$(systemctl show -P ExecMainStartTimestampMonotonic iprecordd)
            echo $((($(systemctl show -P ActiveEnterTimestampMonotonic iprecordd) - began) / 1000))
            """)
        #expect(result.status == 0, "\(result)")
        let lines = result.output.split(separator: "\n")
        try #require(lines.count == 2, "\(result)")
        #expect(lines[0] == "0")
        #expect(Int(lines[1]).map { $0 > 1_000 } == true, "the start took only \(lines[1]) ms, less than the timeout")
    }

    @Test func `the daemon stops in time with silent clients and a silent provider, and loses no data`() throws {
        let result = try Service.run(
            """
            ipctl add 1.1.1.1 --wait >/dev/null
            curl -sS -f -X PUT 'http://10.99.0.1:8080/_admin/fault?name=hang' >/dev/null
            # One has asked and waits, one has asked nothing, one listens.
            "$programs/ipctl" show 8.8.8.8 --wait 60 > /tmp/shown 2>&1 & asking=$!
            "$programs/ipctl" --json monitor --after 0 --no-reconnect > /tmp/heard 2>&1 & listening=$!
            python3 -c 'import socket,time; s=socket.socket(socket.AF_UNIX); s.connect("/run/iprecord/control.sock"); s.recv(1)' &
            until [ -s /tmp/heard ] && curl -sS http://10.99.0.1:8080/_admin/calls | grep -q 8.8.8.8; do :; done
            begin=$(date +%s%N)
            systemctl stop iprecordd.socket iprecordd
            echo "ms $((($(date +%s%N) - begin) / 1000000))"
            systemctl show -P Result iprecordd
            wait "$asking" || echo "asked $?"
            wait "$listening" || echo "listened $?"
            [ ! -s /var/lib/iprecord/records.db-wal ] && echo 'no log is left'
            sqlite3 /var/lib/iprecord/records.db 'PRAGMA integrity_check'
            cat /tmp/shown
            """)
        #expect(result.status == 0, "\(result)")
        let lines = result.output.split(separator: "\n").map(String.init)
        let milliseconds = try #require(lines.first.flatMap { Int($0.dropFirst(3)) })
        #expect(milliseconds < 5_000)
        #expect(lines.dropFirst().first == "success")
        #expect(lines.contains("no log is left"), "the log must be checkpointed into the database")
        #expect(lines.contains("ok"))
        #expect(result.output.contains("8.8.8.8"), "the waiting client got its reply: \(result.output)")
    }
}
