import Foundation
import Testing

/// The entries of the journal, as an administrator reads them.
@Suite(.serialized, .enabled(if: Service.isPossible, "cannot boot systemd; run as root"))
struct JournalTests {
    @Test func `each alert has an explanation in the catalog, with its fields in the text`() throws {
        let result = try Service.run(
            """
            journalctl --update-catalog
            ip addr del 10.99.0.1/32 dev lo
            await MESSAGE_ID=$lost
            journalctl -x -o short MESSAGE_ID=$lost
            journalctl --catalog --list-catalog $lost 331131a7b69f48079ee4be2165138c60
            """)
        #expect(result.status == 0, "\(result)")
        #expect(result.output.contains("Subject: No route to the provider of IP records"))
        #expect(result.output.contains("Defined-By: iprecordd"))
        #expect(result.output.contains("ip route get"))
        #expect(result.output.contains("331131a7b69f48079ee4be2165138c60 iprecordd: The record of @IPRECORD_ADDRESS@"))
    }

    @Test func `a client's change is logged with its user, and as one line`() throws {
        let result = try Service.run(
            """
            usermod -a -G iprecord daemon
            user=$(id -u daemon)
            setpriv --reuid daemon --regid daemon --init-groups "$programs/ipctl" add 10.0.0.1 10.0.0.2
            ipctl tag 10.0.0.1 --tag office
            ipctl remove 10.0.0.2
            await IPRECORD_EVENT=removed
            journalctl -u iprecordd -o cat IPRECORD_USER=$user
            journalctl -u iprecordd -o cat IPRECORD_USER=0
            """)
        #expect(result.status == 0, "\(result)")
        let lines = result.output.split(separator: "\n").filter { $0.hasPrefix("user ") }
        #expect(lines.first?.hasSuffix(" added 2 addresses: 10.0.0.1, 10.0.0.2") == true, "\(lines)")
        #expect(lines.dropFirst() == ["user 0 changed the labels of 10.0.0.1", "user 0 removed 10.0.0.2"], "\(lines)")
    }

    @Test func `only changes of the configured fields are logged, and the history has all changes`() throws {
        let result = try Service.run(
            before: """
                printf '[alerts]\\nfields = []\\n[refresh]\\ninterval = "1s"\\n' >> /etc/iprecord/iprecordd.toml
                """,
            """
            changed=331131a7b69f48079ee4be2165138c60
            ipctl add 1.1.1.1 --wait
            curl -sS -f -X POST "http://10.99.0.1:8080/_admin/change?address=1.1.1.1" > /dev/null
            until ipctl history 1.1.1.1 > history 2> /dev/null; do read -r -t 0.05 <> <(:) || :; done
            journalctl --sync
            echo "first: $(journalctl -o cat MESSAGE_ID=$changed)"
            sed -i 's/^fields = .*/fields = ["city", "isp"]/' /etc/iprecord/iprecordd.toml
            systemctl restart iprecordd
            curl -sS -f -X POST "http://10.99.0.1:8080/_admin/change?address=1.1.1.1" > /dev/null
            await MESSAGE_ID=$changed
            journalctl -o cat MESSAGE_ID=$changed | sed 's/^/second: /'
            """)
        #expect(result.status == 0, "\(result)")
        let lines = result.output.split(separator: "\n").map(String.init)
        #expect(lines.contains("first: "), "\(lines)")
        #expect(lines.contains { $0.hasPrefix("second: 1.1.1.1 changed: ") }, "\(lines)")
    }

    @Test func `an outage logs a single warning`() throws {
        let result = try Service.run(
            """
            ip addr del 10.99.0.1/32 dev lo
            await MESSAGE_ID=$lost
            ip addr add 10.99.0.1/32 dev lo
            await MESSAGE_ID=$restored
            systemctl restart iprecordd
            journalctl --sync
            journalctl -u iprecordd -p warning -o cat
            """)
        #expect(result.status == 0, "\(result)")
        let lines = result.output.split(separator: "\n")
        #expect(lines.count == 1 && lines.first?.hasPrefix("network lost: no route to 10.99.0.1") == true, "\(lines)")
    }

    @Test func `the key is in no message, status or reply, whatever fails`() throws {
        let key = "s3cr3t-key-0123456789"
        let faults = ["status429", "status5xx=500", "hang", "reset", "html", "forbidden", "redirect", "truncated"]
        let result = try Service.run(
            before: """
                install -d -m 0700 /etc/credstore
                printf '\(key)\\n' > /etc/credstore/ip-api-key
                chmod 0600 /etc/credstore/ip-api-key
                printf 'timeout = "300ms"\\n[log]\\nlevel = "trace"\\n' >> /etc/iprecord/iprecordd.toml
                """,
            """
            number=0
            for fault in \(faults.joined(separator: " ")); do
                number=$((number + 1))
                curl -sS -f -G -X PUT --data-urlencode "name=$fault" http://10.99.0.1:8080/_admin/fault >/dev/null
                ipctl show "1.1.$number.1" --wait 2 || :
                systemctl show iprecordd
            done
            ipctl --json status
            ipctl --json list || :
            timeout 1 "$programs/ipctl" --json monitor --after 0 || :
            journalctl --sync
            journalctl -o export -u iprecordd
            sqlite3 /var/lib/iprecord/records.db .dump
            tr '\\0' '\\n' < "/proc/$(main_pid)/cmdline"
            tr '\\0' '\\n' < "/proc/$(main_pid)/environ"
            curl -sS http://10.99.0.1:8080/_admin/calls
            """)
        #expect(result.status == 0, "\(result)")
        #expect(!result.output.contains(key) && !result.errors.contains(key))
        #expect(result.output.contains("call 1 failed"), "the failure was logged in full")
    }
}
