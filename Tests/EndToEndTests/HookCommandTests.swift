import Foundation
import Testing

/// The commands that are installed for hooks, with `ipctl monitor --exec` and the daemon.
@Suite(.serialized) struct HookCommandTests {
    private static func path(_ command: String) -> String { "\(Service.top)hooks/\(command)" }

    /// Runs a bash(1) script with the daemon's socket and the commands.
    private static func run(
        _ rig: Rig, prefix: [String] = [], environment: [String: String] = [:], _ script: String
    ) throws -> (status: Int32, output: String, errors: String) {
        let fixed = [
            "PATH": "\(Rig.programs):/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "IPRECORD_SOCKET": rig.socket,
            "folder": rig.folder, "hooks": "\(Service.top)hooks",
        ]
        let functions = """
            # Runs a command until it succeeds.
            await() { for try in {1..400}; do "$@" && return; read -r -t 0.05 <> <(:) || :; done; echo "not: $*"; exit 1; }

            """
        return try Program.run(
            prefix + ["/bin/bash", "-euo", "pipefail", "-c", functions + script],
            environment: fixed.merging(environment) { $1 })
    }

    /// A server that checks the signature. It refuses the first request.
    private static let receiver = #"""
        import hashlib, hmac, http.server, os, sys
        class Handler(http.server.BaseHTTPRequestHandler):
            refused = False
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                digest = hmac.new(os.environ["SECRET"].encode(), body, hashlib.sha256).hexdigest()
                valid = self.headers["X-Iprecord-Signature"] == "sha256=" + digest
                if not Handler.refused:
                    Handler.refused = True
                    self.send_response(503)
                else:
                    print(valid, self.headers["X-Iprecord-Event"], self.headers["X-Iprecord-Seq"], body.decode(), end="")
                    self.send_response(204)
                self.end_headers()
                sys.stdout.flush()
            def log_message(self, *arguments):
                pass
        server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
        print("port", server.server_port, flush=True)
        server.serve_forever()
        """#

    /// The last key is longer than a block of the hash.
    @Test(arguments: ["secret", "ü \"'$(id)`\\", String(repeating: "key", count: 40)])
    func `the webhook signs each event, and sends it again if the server refuses it`(secret: String) throws {
        let rig = try Rig()
        let server = try Program(["/usr/bin/python3", "-c", Self.receiver], environment: ["SECRET": secret])
        let port = try server.waitForLine(containing: "port ").dropFirst("port ".count)
        let monitor = try Program(
            [
                Rig.program("ipctl"), "--socket", rig.socket, "monitor", "--after", "0", "--kind", "added", "--exec",
                Self.path("webhook"),
            ], environment: ["WEBHOOK_URL": "http://127.0.0.1:\(port)/hook?token=a", "WEBHOOK_SECRET": secret])
        try rig.ipctl("add", "10.0.0.1")
        let line = try server.waitForLine(containing: "added", within: 30)
        #expect(line.hasPrefix("True added 1 {\"event\":{\"address\":\"10.0.0.1\","), "\(line)")
        try monitor.stop()
        #expect(monitor.lines.contains("webhook: the server replied with status 503"))
        #expect(monitor.lines.contains { $0.hasSuffix("the command exited with status 1; trying again in 1 s") })
    }

    @Test func `the webhook needs no secret, and fails without a server`() throws {
        let rig = try Rig()
        let result = try Self.run(
            rig, environment: ["WEBHOOK_URL": "http://127.0.0.1:1/", "IPRECORD_EVENT": "added"],
            """
            "$hooks/webhook" <<<'{}' || echo "status $?"
            WEBHOOK_URL= "$hooks/webhook" <<<'{}' || echo "status $?"
            """)
        #expect(result.output == "status 7\nstatus 2\n", "\(result)")
        #expect(result.errors.contains("WEBHOOK_URL: is not set"))
    }

    @Test func `a webhook that is stopped leaves no files`() throws {
        let rig = try Rig()
        // A server that accepts a connection, and does not reply.
        let server = """
            import socket
            server = socket.create_server(("127.0.0.1", 0))
            print(server.getsockname()[1], flush=True)
            client = server.accept()[0]
            print("connected", flush=True)
            while client.recv(65536):
                pass
            """
        let result = try Self.run(
            rig, environment: ["server": server, "WEBHOOK_SECRET": "key", "IPRECORD_EVENT": "added"],
            """
            mkdir "$folder/tmp"
            exec 3< <(exec /usr/bin/python3 -c "$server")
            read -r port <&3
            TMPDIR="$folder/tmp" WEBHOOK_URL="http://127.0.0.1:$port/" setsid "$hooks/webhook" <<<'{}' &
            read -r line <&3
            echo "$line, $(ls "$folder/tmp" | wc -l) files"
            kill -TERM -- -$!
            wait $! || echo "status $?"
            echo "$(ls "$folder/tmp" | wc -l) files"
            """)
        #expect(result.output == "connected, 2 files\nstatus 143\n0 files\n", "\(result)")
    }

    @Test func `the mail has the changed fields, and goes through sendmail`() throws {
        let rig = try Rig()
        let sendmail = rig.folder + "/sendmail"
        try "#!/bin/sh\n{ echo \"$@\"; cat; } >\"$folder/mail.new\" && mv \"$folder/mail.new\" \"$folder/mail\"\n"
            .write(toFile: sendmail, atomically: true, encoding: .utf8)
        chmod(sendmail, 0o755)
        let result = try Self.run(
            rig,
            environment: [
                "MAIL_TO": "admin@example.com", "MAIL_FROM": "iprecord@example.com", "SENDMAIL": sendmail,
                "IPRECORD_FIELDS": "country,isp", "IPRECORD_OLD_country": "A $(id) `id` \"",
                "IPRECORD_NEW_country": "B",
                "IPRECORD_NEW_isp": "C", "IPRECORD_EVENT": "changed", "IPRECORD_ADDRESS": "192.0.2.1",
            ],
            """
            "$hooks/mail" <<<'{"event":{}}'
            cat "$folder/mail"
            rm "$folder/mail"
            ipctl monitor --after 0 --exec "$hooks/mail" &
            monitor=$!
            ipctl add 10.0.0.1 >/dev/null
            await test -e "$folder/mail"
            kill $monitor
            wait $monitor || :
            grep -E '^(Subject|To)' "$folder/mail"
            SENDMAIL=/bin/false "$hooks/mail" <<<'{}' || echo "status $?"
            """)
        #expect(
            result.output == """
                -i -f iprecord@example.com -- admin@example.com
                To: admin@example.com
                From: iprecord@example.com
                Subject: [iprecord] changed 192.0.2.1
                MIME-Version: 1.0
                Content-Type: text/plain; charset=utf-8
                Content-Transfer-Encoding: 8bit
                Auto-Submitted: auto-generated

                changed 192.0.2.1
                country: A $(id) `id` " -> B
                isp:  -> C

                {"event":{}}
                To: admin@example.com
                Subject: [iprecord] added 10.0.0.1
                status 1

                """, "\(result)")
    }

    /// Whether nft(8) works in a network namespace here. If not, it prints a line.
    static let hasPacketFilter: Bool = {
        let result = try? Program.run(["/usr/bin/unshare", "--net", "/usr/sbin/nft", "add table inet iprecord"])
        if result?.status == 0 { return true }
        print("SKIPPED: nft does not work here, so its hook is not tested: \(result?.errors ?? "cannot run unshare")")
        return false
    }()

    @Test(.enabled(if: hasPacketFilter))
    func `the sets of nftables follow the entries that match a filter, from their first record on`() throws {
        let rig = try Rig(mockProvider: Rig.unlimited)
        let result = try Self.run(
            rig, prefix: ["/usr/bin/unshare", "--net"],
            environment: ["NFT_FILTER": "--country AU", "NFT_SET": "australia", "IPRECORD_EVENT": ""],
            """
            has() { [ "$(nft -j list set inet iprecord "$1" | jq -r '.nftables[1].set.elem // [] | join(",")')" = "$2" ]; }
            "$hooks/nftables" </dev/null
            has australia4 "" && echo "empty"
            ipctl monitor --after 0 --kind added --kind removed --kind changed --exec "$hooks/nftables" >"$folder/out" 2>&1 &
            monitor=$!
            ipctl add 8.8.8.8 1.1.1.1 >/dev/null
            await has australia4 1.1.1.1
            echo "added"
            ipctl remove 1.1.1.1 >/dev/null
            await has australia4 ""
            echo "removed"
            kill $monitor
            wait $monitor || :
            # Other tables and sets stay, and an error of ipctl empties no set.
            ipctl add 1.1.1.1 >/dev/null
            ipctl show 1.1.1.1 --field country
            nft add element inet iprecord australia4 '{ 192.0.2.1 }'
            nft add table inet other
            IPRECORD_SOCKET=/nowhere "$hooks/nftables" </dev/null || echo "status $?"
            has australia4 192.0.2.1 && "$hooks/nftables" </dev/null && has australia4 1.1.1.1 && nft list tables
            NFT_SET='a; flush ruleset' "$hooks/nftables" </dev/null || echo "status $?"
            """)
        #expect(
            result.output == """
                empty
                added
                removed
                Australia
                status 69
                table inet iprecord
                table inet other
                status 64

                """, "\(result)")
    }
}
