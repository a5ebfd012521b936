import Testing

/// iprecord-hook@.service under a real systemd, with its sandbox.
@Suite(.serialized, .enabled(if: Service.isPossible, "cannot boot systemd; run as root"))
struct HookServiceTests {
    /// Runs a script beside the service, with the unit, the commands and the settings of the hooks.
    private static func run(_ script: String) throws -> (status: Int32, output: String, errors: String) {
        let unit = "/usr/lib/systemd/system/iprecord-hook@.service"
        var copies = [unit: "\(Service.top)systemd/iprecord-hook@.service", "/usr/bin/ipctl": Rig.program("ipctl")]
        for name in ["webhook", "mail", "nftables"] {
            copies["/usr/lib/iprecord/hooks/\(name)"] = "\(Service.top)hooks/\(name)"
        }
        for name in [
            "webhook.conf.example", "mail.conf.example", "mail.service.conf", "nftables.conf.example",
            "nftables.service.conf",
        ] {
            copies["/usr/share/doc/iprecord/examples/hooks/\(name)"] = "\(Service.top)etc/hooks.d/\(name)"
        }
        let functions = """
            examples=/usr/share/doc/iprecord/examples/hooks
            install -d -m 0755 /etc/iprecord/hooks.d
            state=/var/lib/iprecord-hooks
            until_true() { until "$@"; do read -r -t 0.05 <> <(:) || :; done; }
            has_line() { grep -qx -- "$2" "$1" 2>/dev/null; }

            """
        return try Service.run(copying: copies, functions + script)
    }

    @Test func `the unit has no errors, and an exposure level of at most 1.5`() throws {
        let result = try Self.run(
            """
            install -m 0600 $examples/webhook.conf.example /etc/iprecord/hooks.d/webhook.conf
            systemd-analyze verify --man=no iprecord-hook@webhook.service
            systemd-analyze security --threshold=15 --no-pager iprecord-hook@webhook.service > /tmp/security \\
                || { cat /tmp/security; exit 1; }
            """)
        #expect(result.status == 0, "\(result)")
        #expect(result.errors == "", "systemd-analyze verify reports nothing")
    }

    @Test func `an instance runs its command for each event, as a user of its own, and continues after a kill`() throws
    {
        let result = try Self.run(
            #"""
            cat > /usr/bin/note <<'END'
            #!/bin/sh
            printf '%s\n' "$IPRECORD_SEQ $1 $2 $SECRET" >>log
            grep -E '^(CapEff|CapBnd|NoNewPrivs|Seccomp):' /proc/self/status | tr -s '\t ' ' ' >>status
            id -u >>user
            for file in /usr/x /etc/x /x /home/x /var/lib/iprecord/x; do
                touch "$file" 2>/dev/null && echo "wrote $file" >>log
            done
            exit 0
            END
            chmod 755 /usr/bin/note
            # Quotes are respected, and nothing is expanded.
            cat > /etc/iprecord/hooks.d/note.conf <<'END'
            IPCTL_OPTIONS=--after 0 --kind added
            COMMAND=/usr/bin/note "two words" '$(id)'
            SECRET=s3cret
            END
            chmod 0600 /etc/iprecord/hooks.d/note.conf
            ipctl add 10.0.0.1
            systemctl start iprecord-hook@note
            until_true has_line $state/note/log '1 two words $(id) s3cret'
            sort -u $state/note/status
            [ "$(cat $state/note/user)" -ge 61184 ] && echo "a dynamic user"
            stat -c '%a' -L $state/note
            # Without --after, it continues after the last event.
            sed -i 's/--after 0 //' /etc/iprecord/hooks.d/note.conf
            until_true grep -q '^1 ' $state/note/cursor
            first=$(systemctl show -P MainPID iprecord-hook@note)
            systemctl kill -s KILL iprecord-hook@note
            ipctl add 10.0.0.2
            until_true has_line $state/note/log '2 two words $(id) s3cret'
            cat $state/note/log
            [ "$(systemctl show -P MainPID iprecord-hook@note)" != "$first" ] && echo "restarted"
            systemctl stop iprecord-hook@note
            systemctl show -P Result iprecord-hook@note
            """#)
        #expect(result.status == 0, "\(result)")
        #expect(
            result.output == """
                1 address added
                CapBnd: 0000000000000000
                CapEff: 0000000000000000
                NoNewPrivs: 1
                Seccomp: 2
                a dynamic user
                700
                1 address added
                1 two words $(id) s3cret
                2 two words $(id) s3cret
                restarted
                success

                """, "\(result)")
    }

    /// Processes of one user can read each other's environment, which may have secrets.
    @Test func `two instances have different users`() throws {
        let result = try Self.run(
            """
            for name in one two; do
                printf 'IPCTL_OPTIONS=\\nCOMMAND=true\\n' > /etc/iprecord/hooks.d/$name.conf
                systemctl start iprecord-hook@$name
                stat -c %u "/proc/$(systemctl show -P MainPID iprecord-hook@$name)" >> /tmp/users
            done
            sort -u /tmp/users | wc -l
            """)
        #expect(result.status == 0, "\(result)")
        #expect(result.output == "2\n", "\(result)")
    }

    @Test func `with its settings for Postfix, the mail command can run a set-group-ID program`() throws {
        let result = try Self.run(
            """
            groupadd --system drop
            useradd --system iprecord-mail
            install -d -m 0730 -g drop /var/spool/postfix/maildrop
            # In place of sendmail(8): with the arguments of the command, tee(1) writes the mail to the recipient's path.
            install -m 2755 -g drop /usr/bin/tee /usr/sbin/drop
            install -D -m 0644 -t /etc/systemd/system/iprecord-hook@mail.service.d $examples/mail.service.conf
            mail=/var/spool/postfix/maildrop/mail
            sed -e 's|^IPCTL_OPTIONS=.*|IPCTL_OPTIONS=--after 0 --kind added|' -e "s|^MAIL_TO=.*|MAIL_TO=$mail|" \\
                -e 's|^#SENDMAIL=.*|SENDMAIL=/usr/sbin/drop|' $examples/mail.conf.example > /etc/iprecord/hooks.d/mail.conf
            systemctl daemon-reload
            ipctl add 10.0.0.1 >/dev/null
            systemctl start iprecord-hook@mail
            until_true has_line $mail 'Subject: \\[iprecord\\] added 10.0.0.1'
            stat -c '%U %G' $mail
            """)
        #expect(result.status == 0, "\(result)")
        #expect(result.output == "iprecord-mail drop\n", "\(result)")
    }

    @Test func `wrong settings are reported, and not tried again`() throws {
        let result = try Self.run(
            """
            systemctl start iprecord-hook@missing || echo "no file"
            printf 'IPCTL_OPTIONS=--kind wrong\\nCOMMAND=true\\n' > /etc/iprecord/hooks.d/wrong.conf
            printf 'IPCTL_OPTIONS=--kind added\\n' > /etc/iprecord/hooks.d/empty.conf
            for name in wrong empty; do
                systemctl start iprecord-hook@$name || :
                until_true systemctl is-failed --quiet iprecord-hook@$name
                systemctl show -P ExecMainStatus iprecord-hook@$name
                systemctl show -P NRestarts iprecord-hook@$name
            done
            journalctl --sync
            journalctl -o cat -u iprecord-hook@wrong -u iprecord-hook@empty
            """)
        #expect(result.status == 0, "\(result)")
        #expect(result.output.hasPrefix("no file\n64\n0\n64\n0\n"), "\(result)")
        #expect(result.output.contains("unknown kind \"wrong\""))
        #expect(result.output.contains("--exec requires a command"))
    }

    @Test func `the webhook works in the sandbox`() throws {
        let result = try Self.run(
            #"""
            cat > /tmp/receiver.py <<'END'
            import http.server
            class Handler(http.server.BaseHTTPRequestHandler):
                def do_POST(self):
                    body = self.rfile.read(int(self.headers["Content-Length"]))
                    self.send_response(204)
                    self.end_headers()
                    open("/tmp/received", "ab").write(self.headers["X-Iprecord-Signature"].encode() + b" " + body)
                def log_message(self, *arguments):
                    pass
            http.server.HTTPServer(("10.99.0.1", 8090), Handler).serve_forever()
            END
            python3 /tmp/receiver.py &
            sed -e 's|^WEBHOOK_URL=.*|WEBHOOK_URL=http://10.99.0.1:8090/|' -e 's|^WEBHOOK_SECRET=.*|WEBHOOK_SECRET=key|' \
                -e 's|^IPCTL_OPTIONS=.*|IPCTL_OPTIONS=--after 0|' \
                $examples/webhook.conf.example > /etc/iprecord/hooks.d/webhook.conf
            ipctl add 10.0.0.1 >/dev/null
            systemctl start iprecord-hook@webhook
            until_true test -s /tmp/received
            until_true grep -q '"kind":"added"' /tmp/received
            tail -n 1 /tmp/received | cut -d ' ' -f 2- > /tmp/body
            [ "$(tail -n 1 /tmp/received | cut -d ' ' -f 1)" = \
                "sha256=$(openssl dgst -sha256 -hmac key -r /tmp/body | cut -d ' ' -f 1)" ] && echo "valid"
            """#)
        #expect(result.status == 0, "\(result)")
        #expect(result.output == "valid\n", "\(result)")
    }

    @Test(.enabled(if: HookCommandTests.hasPacketFilter))
    func `the sets of nftables are filled at startup and follow the events, with only one capability`() throws {
        let result = try Self.run(
            """
            unit=/etc/systemd/system/iprecord-hook@nftables.service.d
            install -D -m 0644 $examples/nftables.service.conf $unit/nftables.service.conf
            sed 's|^NFT_FILTER=.*|NFT_FILTER=--country AU|' $examples/nftables.conf.example \\
                > /etc/iprecord/hooks.d/nftables.conf
            systemctl daemon-reload
            has() { [ "$(nft -j list set inet iprecord hosting4 | jq -r '.nftables[1].set.elem // [] | join(",")')" = "$1" ]; }
            ipctl add 1.1.1.1 8.8.8.8 --wait >/dev/null
            systemctl start iprecord-hook@nftables
            has 1.1.1.1 && echo "filled"
            grep CapEff "/proc/$(systemctl show -P MainPID iprecord-hook@nftables)/status" | tr -s '\\t ' ' '
            ipctl remove 1.1.1.1 >/dev/null
            until_true has ""
            echo "removed"
            ipctl add 1.1.1.1 >/dev/null
            until_true has 1.1.1.1
            echo "added"
            """)
        #expect(result.status == 0, "\(result)")
        #expect(result.output == "filled\nCapEff: 0000000000001000\nremoved\nadded\n", "\(result)")
    }
}
