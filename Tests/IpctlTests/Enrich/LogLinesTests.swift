import RecordKeeping
import Testing

@testable import ipctl

/// Lines as real programs write them, with the addresses in them.
@Suite struct LogLinesTests {
    /// Each line is followed by the addresses in it; a comment begins with a number sign.
    private static let log = #"""
        # nginx: access log and error log.
        192.0.2.1 - - [29/Nov/2026:12:34:56 +0000] "GET /a/1.2.3?v=1.2.3.4.5 HTTP/1.1" 200 612 "-" "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120.0.0.0 Safari/537.36 Edg/120.0.0.0"
          => 192.0.2.1
        2001:db8:85a3::8a2e:370:7334 - bob [29/Nov/2026:12:34:56 +0000] "POST /x HTTP/2.0" 201 5 "https://198.51.100.7/" "curl/7.88.1" "203.0.113.5, 10.0.0.1"
          => 2001:db8:85a3::8a2e:370:7334 198.51.100.7 203.0.113.5 10.0.0.1
        2026/11/29 12:34:56 [error] 31#31: *7 connect() failed (111: Connection refused) while connecting to upstream, client: 2001:db8::7, server: _, request: "GET / HTTP/1.1", upstream: "http://[::1]:8080/", host: "192.0.2.9:8443"
          => 2001:db8::7 ::1 192.0.2.9
        # Apache httpd: the error log has ports without brackets.
        [Sun Nov 29 12:34:56.281165 2026] [ssl:info] [pid 32202:tid 1401] [client 2001:db8::5:51234] AH01964: x
          => 2001:db8::5
        [Sun Nov 29 12:34:56.281165 2026] [core:error] [pid 3] [client 192.0.2.44:11388] AH00124: Request exceeded
          => 192.0.2.44
        # sshd, by syslog and by journalctl -o short-iso-precise.
        Nov 29 12:34:56 host sshd[1234]: Failed password for invalid user a.b from 192.0.2.1 port 51234 ssh2
          => 192.0.2.1
        2026-11-29T12:34:56.789012+0000 host sshd[1]: Connection closed by 2001:db8::22 port 40022 [preauth]
          => 2001:db8::22
        2026-11-29T12:34:56+0000 host sshd[1]: Accepted publickey for a from fe80::1%eth0 port 1 ssh2: ED25519 SHA256:ab:cd:12
          => fe80::1
        sshd[7]: debug1: RSA key MD5:16:27:ac:a5:76:28:2d:36:63:1b:56:4d:eb:df:a6:48 from ::ffff:192.0.2.3 port 22
          => 192.0.2.3
        # systemd.
        systemd[1]: Listening on 0.0.0.0:22 and [::]:22 (openssh 9.2.1.4p1).
          => 0.0.0.0
        systemd-resolved[300]: Using degraded feature set UDP instead of UDP+EDNS0 for DNS server 2001:db8::53%2.
          => 2001:db8::53
        # Postfix and Dovecot.
        postfix/smtpd[99]: NOQUEUE: reject: RCPT from unknown[192.0.2.25]: 450 4.7.25 Client host rejected: cannot find your hostname, [192.0.2.25]; helo=<[192.0.2.26]>
          => 192.0.2.25 192.0.2.25 192.0.2.26
        postfix/smtp[9]: 4C0FFEE: to=<a@example.com>, relay=mx.example.com[2001:db8::25]:25, delay=1.2, delays=0.1/0/0.5/0.6, dsn=2.0.0, status=sent (250 2.0.0 Ok)
          => 2001:db8::25
        dovecot: imap-login: Login: user=<a>, rip=192.0.2.8, lip=::1, session=<aB1:2>
          => 192.0.2.8 ::1
        # The kernel: iptables and nftables.
        kernel: [12345.678901] IN=eth0 OUT= MAC=02:42:ac:11:00:02:02:42:ac:11:00:03:08:00 SRC=192.0.2.66 DST=198.51.100.2 LEN=40 TOS=0x00 PREC=0x00 TTL=244 ID=54321 PROTO=TCP SPT=443 DPT=22
          => 192.0.2.66 198.51.100.2
        kernel: drop IN=eth0 MAC=33:33:00:00:00:01:00:1a:2b:3c:4d:5e:86:dd SRC=2001:0db8:0000:0000:0000:0000:0000:0001 DST=ff02:0000:0000:0000:0000:0000:0000:0001 LEN=72
          => 2001:db8::1 ff02::1
        # tcpdump: a port after a period. That of IPv4 has the form of a version with five parts.
        12:34:56.789012 IP6 2001:db8::1.51234 > 2001:db8::2.443: Flags [S], seq 1:2, win 64800
          => 2001:db8::1 2001:db8::2
        # ss, netstat and conntrack.
        tcp ESTAB 0 0 [::ffff:192.0.2.1]:22 [::ffff:198.51.100.1]:51234
          => 192.0.2.1 198.51.100.1
        tcp6 0 0 :::80 :::* LISTEN 1/nginx
          =>
        tcp 6 431999 ESTABLISHED src=192.0.2.1 dst=192.0.2.2 sport=1 dport=2 [ASSURED]
          => 192.0.2.1 192.0.2.2
        # BIND, HAProxy, OpenVPN, fail2ban, PostgreSQL.
        named[1]: client @0x7f12 192.0.2.1#51234 (1.2.0.192.in-addr.arpa): query: 1.2.0.192.in-addr.arpa IN PTR +E(0) (198.51.100.53)
          => 192.0.2.1 198.51.100.53
        haproxy[1]: 192.0.2.1:51234 [29/Nov/2026:12:34:56.789] fe~ be/srv1 0/0/1/2/3 200 500 - - ---- 1/1/0/0/0 0/0 "GET / HTTP/1.1"
          => 192.0.2.1
        openvpn[1]: AF_INET:192.0.2.1:1194 peer info: IV_VER=2.6.0.1.2
          => 192.0.2.1
        openvpn[1]: [AF_INET6]::ffff:192.0.2.1:1194 TLS
          => 192.0.2.1
        fail2ban.actions [12]: NOTICE [sshd] Ban 192.0.2.1
          => 192.0.2.1
        LOG:  connection received: host=2001:db8::1 port=51234
          => 2001:db8::1
        # Java and Cisco.
        Closing connection from /192.0.2.1:51234, broker kafka.example/192.0.2.2:9092
          => 192.0.2.1 192.0.2.2
        %ASA-6-302013: Built outbound TCP connection 1 for outside:192.0.2.1/443 (192.0.2.1/443) to inside:10.0.0.1/5555
          => 192.0.2.1 192.0.2.1 10.0.0.1
        %ASA-6-106100: access-list acl permitted tcp outside/192.0.2.1(51234) -> inside/10.0.0.1(22) hit-cnt 1
          => 192.0.2.1 10.0.0.1
        # Programs and packages.
        error[E0433]: std::net::Ipv6Addr::new at a.cpp:12:34: ab::cd::ef(), FEED::add, dead::beef
          =>
        Unpacking linux-image-6.1.0.1-amd64 (6.1.0.1-1) over (6.1.0.1-1~bpo1) ... libfoo1:amd64 1.2.3.4+dfsg-1
          =>
        C:\Windows\WinSxS\x86_6.0.0.1\1.2.3.4\a.dll \\192.0.2.1\c$\x
          => 192.0.2.1
        id=2001db80-0000-4000-8000-00000a000001 hash=20010db8::f oid=1.3.6.1.4.1.311 at 00:1a:2b:3c:4d:5e
          =>
        """#

    private static let lines: [(line: String, addresses: [String])] = {
        let lines = log.split(separator: "\n").filter { !$0.hasPrefix("#") }
        return stride(from: 0, to: lines.count, by: 2).map { index in
            (String(lines[index]), lines[index + 1].split(separator: " ").dropFirst().map(String.init))
        }
    }()

    @Test(arguments: lines) func `exactly the addresses of a line are found`(line: String, expected: [String]) {
        #expect(AddressFinder.addresses(in: Array(line.utf8)).map { "\($0.address)" } == expected, "\(line)")
    }

    /// Suricata (eve.json), Zeek (conn.log), systemd (journalctl -o json) and Caddy.
    private static let json = #"""
        {"timestamp":"2026-11-29T12:34:56.789012+0000","flow_id":1924506780223434,"event_type":"alert","src_ip":"192.0.2.1","src_port":51234,"dest_ip":"198.51.100.2","proto":"TCP","alert":{"signature":"ET SCAN 1.2.3.4.5"},"http":{"http_user_agent":"Mozilla\/5.0 Chrome\/120.0.0.0"}}
        {"ts":1764419696.789,"uid":"CHhAvVGS1DHFjwGM9","id.orig_h":"192.0.2.1","id.orig_p":51234,"id.resp_h":"2001:db8::1","orig_l2_addr":"00:1a:2b:3c:4d:5e","history":"ShADadFf"}
        {"__REALTIME_TIMESTAMP":"1764419696789012","_BOOT_ID":"f47ac10b58cc4372a5670e02b2c3d479","MESSAGE":"Failed password for root from 192.0.2.1 port 22\nagain","_CMDLINE":"sshd: root [priv]"}
        {"level":"info","request":{"remote_ip":"2001:db8::1","remote_port":"51234","headers":{"X-Forwarded-For":["192.0.2.1, 203.0.113.1"]},"uri":"\/a?b=\u0026c"},"duration":0.0001}
        """#

    @Test(arguments: json.split(separator: "\n").map(String.init))
    func `a line of JSON keeps its members`(line: String) throws {
        let edited = try EditedLines(.json).edited(line + "\n")
        #expect(edited.hasPrefix(line.dropLast() + ",\"iprecord\":{\"") && edited.hasSuffix("}}}\n"))
        #expect(edited.contains("\"192.0.2.1\":{\"asn\":64500,\"country\":\"DE\"}"))
        #expect(edited.contains("\"2001:db8::1\":{\"country\":\"FR\"") == line.contains("2001:db8::1"))
    }

    /// Traefik and Grafana.
    @Test(arguments: [
        (
            #"""
            time="2026-11-29T12:34:56Z" level=error msg="connect to [2001:db8::1]:443: refused" remote=192.0.2.1:51234
            """#,
            #" msg.country=FR msg.isp="A \"B\" C" remote.country=DE remote.asn=64500"#
        ),
        (
            #"logger=context t=2026-11-29T12:34:56.789Z level=info msg="Request Completed" remote_addr=192.0.2.1 referer="""#,
            " remote_addr.country=DE remote_addr.asn=64500"
        ),
    ])
    func `a line of logfmt gets the fields under the keys`(line: String, added: String) throws {
        #expect(try EditedLines(.logfmt).edited(line) == line + added)
    }
}
