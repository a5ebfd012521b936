import Control
import Foundation
import RecordKeeping
import TestSupport
import Testing
import Varlink

@testable import ipctl

/// `ipctl monitor --exec`, with the built program and a mock daemon.
@Suite struct MonitorExecTests {
    private static func event(
        _ seq: Int64, _ kind: PublishedEvent.Kind = .added, _ address: String? = Sample.address,
        fields: [FieldChange] = []
    ) throws -> [UInt8] {
        var event = try Sample.event(kind, address: address, fields: fields)
        (event.seq, event.at) = (seq, seq * 1_000)
        return OutgoingReply.message(Control.Monitor.Reply(event: event), continues: true)
    }

    /// The end of a monitor, with its cursor file and the lines that the script has written to the file `log`.
    private struct Ran {
        let ended: BuiltIpctl.Ended
        let cursor: String
        let log: [String]
    }

    /// Runs a script for each event after number 6. The script ends the monitor with `kill -TERM $PPID`.
    private static func run(
        _ events: [[UInt8]], options: [String] = [], environment: [String: String] = [:], prefix: [String] = [],
        _ script: String
    ) throws -> Ran {
        let folder = try TemporaryFolder()
        let server = try WireServer(
            connections: [[Sample.statusReply { $0.lastSeq = 6 }, events.flatMap { $0 }]], staysOpen: true)
        let file = try folder.write("6\n", to: "cursor")
        let log = try folder.write("", to: "log")
        let ended = try BuiltIpctl.run(
            ["--socket", server.path, "monitor", "--timeout", "60s", "--cursor-file", file] + options
                + ["--exec", "/bin/sh", "-c", script],
            environment: ["PATH": "/usr/bin:/bin", "log": log].merging(environment) { $1 }, prefix: prefix)
        return Ran(
            ended: ended, cursor: try folder.text("cursor"),
            log: try folder.text("log").split(separator: "\n").map(String.init))
    }

    @Test func `the command gets the event as JSON and in the environment, and its output is passed on`() throws {
        let fields = [FieldChange(field: "isp", old: "A\nB", new: "C")]
        let ran = try Self.run(
            [Self.event(7, .changed, fields: fields)], environment: ["IPRECORD_MESSAGE": "of another event"],
            """
            cat
            env | grep ^IPRECORD_ | sort >&2
            kill -TERM $PPID
            """)
        #expect(ran.ended.status == -SIGTERM)
        let expected = #"{"event":{"address":"192.0.2.1","at":7000,"#
        #expect(ran.ended.output.hasPrefix(expected) && ran.ended.output.hasSuffix("}}\n"), "\(ran.ended)")
        #expect(ran.ended.output.contains(#""old":"A\nB""#))
        #expect(
            ran.ended.errorLines.filter { !$0.hasPrefix("IPRECORD_SOCKET=") } == [
                "IPRECORD_ADDRESS=192.0.2.1", "IPRECORD_AT=7000", "IPRECORD_ATTEMPT=1", "IPRECORD_EVENT=changed",
                "IPRECORD_FIELDS=isp", "IPRECORD_NEW_isp=C", "IPRECORD_OLD_isp=A\u{FFFD}B", "IPRECORD_SEQ=7",
            ])
        // A running command may finish after the signal.
        #expect(ran.cursor == "7 7000\n")
    }

    @Test func `the command inherits only its standard streams, and default signals in a group of its own`() throws {
        // The monitor itself has inherited a descriptor, an ignored signal and a blocked one.
        let inheriting = ["/usr/bin/env", "--ignore-signal=HUP", "--block-signal=USR1", "/bin/sh", "-c"]
        let ran = try Self.run(
            [Self.event(7)], prefix: inheriting + [#"exec 9</dev/null; exec "$0" "$@""#],
            """
            ls /proc/self/fd >"$log"
            # The C library uses signals 32 and 33 itself.
            sed -n 's/^SigBlk:[[:space:]]*/0x/p;s/^SigIgn:[[:space:]]*/0x/p' /proc/self/status | while read -r signals; do
                echo "signals $((signals & ~0x180000000))" >>"$log"
            done
            [ "$(ps -o pgid= -p $$)" -eq $$ ] && echo leader >>"$log"
            kill -TERM $PPID
            """)
        // ls(1) itself opens the directory.
        #expect(ran.log == ["0", "1", "2", "3", "signals 0", "signals 0", "leader"], "\(ran.ended)")
    }

    @Test func `events run one after the other, and the cursor moves past those that succeeded`() throws {
        let events = try (7...12).map { try Self.event($0) }
        let ran = try Self.run(
            events,
            """
            echo "begin $IPRECORD_SEQ" >>"$log"
            echo "end $IPRECORD_SEQ" >>"$log"
            [ "$IPRECORD_SEQ" != 11 ] || kill -TERM $PPID
            """)
        #expect(ran.log == (7...11).flatMap { ["begin \($0)", "end \($0)"] })
        #expect(ran.cursor == "11 11000\n")
    }

    @Test func `a failed command runs again, and the cursor stays before its event`() throws {
        let ran = try Self.run(
            [Self.event(7), Self.event(8)],
            """
            echo "$IPRECORD_SEQ $IPRECORD_ATTEMPT" >>"$log"
            case $IPRECORD_SEQ.$IPRECORD_ATTEMPT in
                7.1) exit 3 ;;
                8.1) kill -TERM $PPID; exit 4 ;;
            esac
            """)
        #expect(ran.log == ["7 1", "7 2", "8 1"])
        #expect(ran.cursor == "7 7000\n")
        #expect(
            ran.ended.errorLines == [
                "ipctl: event 7 (added 192.0.2.1): the command exited with status 3; trying again in 1 s",
                "ipctl: event 8 (added 192.0.2.1): the command exited with status 4",
            ])
    }

    @Test func `an event is skipped after the given number of tries`() throws {
        let ran = try Self.run(
            [Self.event(7), Self.event(8)], options: ["--exec-tries", "1"],
            """
            echo "$IPRECORD_SEQ" >>"$log"
            [ "$IPRECORD_SEQ" != 7 ] || kill -KILL $$
            kill -TERM $PPID
            """)
        #expect(ran.log == ["7", "8"])
        #expect(ran.cursor == "8 8000\n")
        #expect(
            ran.ended.errorLines == [
                "ipctl: event 7 (added 192.0.2.1): the command was killed by signal 9; skipped after 1 try"
            ])
    }

    /// The command starts another program in its process group, which the limit stops, too.
    @Test func `a command that exceeds its time limit is stopped with the programs that it has started`() throws {
        let ran = try Self.run(
            [Self.event(7), Self.event(8)], options: ["--exec-timeout", "300ms", "--exec-tries", "1"],
            """
            if [ "$IPRECORD_SEQ" = 7 ]; then sleep 1000 & echo $! >>"$log"; wait; fi
            # A process that has not been reaped yet is a zombie.
            grep -q '^State:.[^Z]' "/proc/$(cat "$log")/status" 2>/dev/null && echo running >>"$log"
            kill -TERM $PPID
            """)
        #expect(ran.log.count == 1, "\(ran.log)")
        #expect(
            ran.ended.errorLines == [
                "ipctl: event 7 (added 192.0.2.1): the command was stopped: it ran for more than 300ms; "
                    + "skipped after 1 try"
            ])
    }

    @Test func `a command that ignores SIGTERM is killed`() throws {
        let ran = try Self.run(
            [Self.event(7), Self.event(8)], options: ["--exec-timeout", "300ms", "--exec-tries", "1"],
            """
            if [ "$IPRECORD_SEQ" = 7 ]; then trap '' TERM; sleep 1000; sleep 1000; fi
            kill -TERM $PPID
            """)
        #expect(ran.cursor == "8 8000\n")
        #expect(ran.ended.errors.contains("it ran for more than 300ms"), "\(ran.ended)")
    }

    @Test func `commands for different addresses run at the same time with several jobs`() throws {
        let events =
            try (7...9).map { try Self.event($0, .added, "192.0.2.\($0)") } + [Self.event(10, .removed, "192.0.2.7")]
        // Each of the first three waits for the other two.
        let ran = try Self.run(
            events, options: ["--jobs", "3"],
            """
            echo "$IPRECORD_SEQ" >>"$log"
            until [ "$(wc -l <"$log")" -ge 3 ]; do :; done
            [ "$IPRECORD_SEQ" != 10 ] || kill -TERM $PPID
            """)
        #expect(ran.log.prefix(3).sorted() == ["7", "8", "9"] && ran.log.last == "10", "\(ran.log)")
        #expect(ran.cursor == "10 10000\n")
    }

    /// The pipe to the command does not hold such an event.
    @Test func `a large event is complete, and a command need not read it`() throws {
        let fields = [FieldChange(field: "isp", old: String(repeating: "a", count: 300_000), new: "b")]
        let ran = try Self.run(
            [Self.event(7, .changed, fields: fields), Self.event(8, .changed, fields: fields)],
            """
            [ "$IPRECORD_SEQ" != 7 ] || exit 0
            wc -c >>"$log"
            printf %s "$IPRECORD_OLD_isp" | wc -c >>"$log"
            kill -TERM $PPID
            """)
        let sizes = ran.log.compactMap { Int($0) }
        #expect(sizes.count == 2 && sizes[0] > 300_000 && sizes[1] == 4_096, "\(ran)")
        #expect(ran.cursor == "8 8000\n")
    }

    @Test func `a command that does not exist is a usage error`() throws {
        let server = try WireServer([Sample.statusReply()])
        let ended = try BuiltIpctl.run(
            ["--socket", server.path, "monitor", "--exec", "no-such-program", "x"], environment: ["PATH": "/usr/bin"])
        #expect(ended.status == 64)
        #expect(ended.errorLines.first == "ipctl: cannot run \"no-such-program\": not found, or not executable")
    }

    @Test func `after a lost connection, the events continue after the last one that was received`() throws {
        let folder = try TemporaryFolder()
        let log = try folder.write("", to: "log")
        let server = try WireServer(
            connections: [
                [Sample.statusReply { $0.lastSeq = 6 }, try Self.event(7) + Self.event(8)],
                [Sample.statusReply { $0.lastSeq = 9 }, try Self.event(9)], [try Self.event(8)],
            ])
        let script = """
            echo "$IPRECORD_SEQ" >>"$log"
            [ "$IPRECORD_SEQ" != 9 ] || kill -TERM $PPID
            """
        let ended = try BuiltIpctl.run(
            [
                "--socket", server.path, "monitor", "--timeout", "60s", "--cursor-file",
                try folder.write("6\n", to: "cursor"), "--exec", "/bin/sh", "-c", script,
            ], environment: ["PATH": "/usr/bin:/bin", "log": log])
        #expect(ended.status == -SIGTERM, "\(ended)")
        #expect(try folder.text("log") == "7\n8\n9\n")
        #expect(try folder.text("cursor") == "9 9000\n")
        #expect(ended.errors.contains("ipctl: reconnected; continuing after event 8"), "\(ended)")
    }
}
