import Foundation
import Systemd
import TestSupport
import Testing

/// Tests of the module with a real systemd and a real journald.
@Suite(.enabled("needs root and systemd") { SystemdGuest.isAvailable })
struct SystemdGuestTests {
    @Test func `messages of a service reach the journal with all their fields`() throws {
        let ended = try SystemdGuest.run(
            """
            systemd-run --quiet --wait --unit=probe "$PROBE" log
            journalctl --sync
            journalctl --output=json --all _SYSTEMD_UNIT=probe.service SYSLOG_IDENTIFIER=systemd-probe
            """)
        try #require(ended.status == 0, "\(ended.errors)")
        let entries = try ended.output.split(separator: "\n").map {
            try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        let native = entries.filter { $0["_TRANSPORT"] as? String == "journal" }
        try #require(native.count == 2)
        let warning = native[0]
        #expect(warning["MESSAGE"] as? String == "two\nlines")
        #expect(warning["PRIORITY"] as? String == "4")
        #expect(warning["MESSAGE_ID"] as? String == MessageID.networkLost.text)
        #expect(warning["IPRECORD_EVENT"] as? String == "networkLost")
        #expect(warning["RETRY_AFTER"] as? String == "5")
        #expect(warning["ADDRESSES"] as? [String] == ["192.0.2.1", "2001:db8::1"])
        // journalctl prints values that are not text as arrays of numbers.
        #expect(warning["LOG_PRIORITY"] as? [Int] == [0x61, 0, 0x62, 1])
        #expect((warning["CODE_FILE"] as? String)?.hasSuffix("main.swift") == true)
        #expect((native[1]["MESSAGE"] as? String)?.count == 300_000)
        #expect(native[1]["PRIORITY"] as? String == "2")
    }

    @Test func `journalctl finds an alert by its message id`() throws {
        let ended = try SystemdGuest.run(
            """
            systemd-run --quiet --wait --unit=probe "$PROBE" log
            journalctl --sync
            journalctl --output=cat MESSAGE_ID=\(MessageID.networkLost.text)
            """)
        #expect(ended.output == "two\nlines\n", "\(ended.errors)")
    }

    @Test func `the service manager receives readiness, status, reloads and the stop`() throws {
        let ended = try SystemdGuest.run(
            """
            systemd-run --quiet --unit=probe --property=Type=notify --property=WatchdogSec=90 \\
                --property=ExecReload='/bin/kill -HUP $MAINPID' --property=NotifyAccess=main "$PROBE" serve
            systemctl show --value --property=StatusText,ActiveState probe
            systemctl reload probe
            until systemctl show --value --property=StatusText probe | grep -qx 'reloaded 1'; do :; done
            systemctl show --value --property=ActiveState probe
            systemctl stop probe
            journalctl --sync
            journalctl --output=cat _SYSTEMD_UNIT=probe.service
            systemctl is-failed probe || true
            """)
        #expect(
            ended.output == """
                serving STOPPING=1
                active
                active
                watchdog 90.0 seconds
                inactive

                """, "\(ended.errors)")
        #expect(ended.status == 0)
    }

    @Test func `the service manager passes a socket and a credential to the service`() throws {
        let ended = try SystemdGuest.run(
            """
            cd /etc/systemd/system
            printf 'top secret\\n' > /etc/key
            printf '[Socket]\\nListenStream=/run/probe.sock\\nFileDescriptorName=control\\n' > probe.socket
            printf '[Service]\\nType=notify\\nExecStart=%s serve\\nLoadCredential=ip-api-key:/etc/key\\n' "$PROBE" \\
                > probe.service
            systemctl daemon-reload
            systemctl start probe.socket
            systemctl start probe.service
            systemctl stop probe.service
            journalctl --sync
            journalctl --output=cat _SYSTEMD_UNIT=probe.service
            """)
        #expect(
            ended.output == """
                watchdog none
                socket control 3
                credential top secret

                """, "\(ended.errors)")
    }
}
