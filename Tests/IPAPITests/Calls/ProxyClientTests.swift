import RecordKeeping
import Testing

@testable import IPAPI

/// The client and a server that answers like a proxy.
@Suite(.timeLimit(.minutes(20))) struct ProxyClientTests {
    private static let refused = "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n"
    private static let unauthenticated =
        "HTTP/1.1 407 Proxy Authentication Required\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n"

    private func call(
        _ endpoint: String, through server: CannedServer, login: String = ""
    ) async throws -> (failure: CallFailure?, request: String) {
        let url = server.endpoint.replacing("http://", with: "http://\(login)")
        let provider = try Provider(endpoint: endpoint, proxy: HTTPProxy(url))
        let failure = await send(try batch("1.1.1.1", "8.8.8.8"), to: provider).failure
        return (failure, try #require(server.requests.first))
    }

    @Test func `a request for http has the absolute form, and resolves no name`() async throws {
        let body = #"[{"status":"fail","message":"private range","query":"1.1.1.1"}]"#
        let server = try CannedServer("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        let (failure, request) = try await call("http://provider.invalid:8080", through: server)
        #expect(failure == nil)
        let parts = request.split(separator: "\r\n\r\n", maxSplits: 1)
        let lines = parts[0].split(separator: "\r\n")
        #expect(lines[0].hasPrefix("POST http://provider.invalid:8080/batch?fields="))
        #expect(lines[0].hasSuffix(" HTTP/1.1"))
        let headers = lines.map { $0.lowercased() }
        #expect(headers.filter { $0.hasPrefix("host:") } == ["host: provider.invalid:8080"])
        #expect(headers.contains("cache-control: no-cache"))
        #expect(!headers.contains { $0.hasPrefix("proxy-authorization:") })
        #expect(parts[1] == #"["1.1.1.1","8.8.8.8"]"#)
    }

    @Test(arguments: [
        ("http://[2001:db8::1]:8080", "POST http://[2001:db8::1]:8080/batch?", "\r\nhost: [2001:db8::1]:8080\r\n"),
        ("http://192.0.2.1", "POST http://192.0.2.1/batch?", "\r\nhost: 192.0.2.1\r\n"),
        ("https://[2001:db8::1]", "CONNECT [2001:db8::1]:443 HTTP/1.1", "\r\nhost: [2001:db8::1]"),
        ("https://192.0.2.1:8443", "CONNECT 192.0.2.1:8443 HTTP/1.1", "\r\nhost: 192.0.2.1"),
    ])
    func `a provider that is an address is named in the form of a URL`(
        endpoint: String, line: String, host: String
    ) async throws {
        let (_, request) = try await call(endpoint, through: try CannedServer(Self.refused))
        #expect(request.hasPrefix(line), "\(request)")
        #expect(request.lowercased().contains(host), "\(request)")
    }

    @Test func `the login is sent to the proxy`() async throws {
        let server = try CannedServer(Self.unauthenticated)
        let (failure, request) = try await call("http://provider.invalid", through: server, login: "user:hunter2@")
        #expect(request.lowercased().contains("\r\nproxy-authorization: basic dxnlcjpodw50zxiy\r\n"))
        #expect(failure?.kind == .unreachable)
        #expect(failure?.message.hasSuffix("rejects the user name or password (407)") == true)
    }

    @Test func `a provider with https is called through a tunnel`() async throws {
        let server = try CannedServer(Self.refused)
        let (failure, request) = try await call("https://provider.invalid", through: server, login: "user:hunter2@")
        #expect(request.hasPrefix("CONNECT provider.invalid:443 HTTP/1.1\r\n"))
        #expect(request.lowercased().contains("\r\nproxy-authorization: basic dxnlcjpodw50zxiy\r\n"))
        #expect(!request.contains("1.1.1.1"))
        #expect(failure?.kind == .unreachable)
        #expect(failure?.message.contains("did not connect to https://provider.invalid") == true)
    }

    @Test func `a proxy that requires a login for a tunnel is reported`() async throws {
        let (failure, _) = try await call("https://provider.invalid", through: try CannedServer(Self.unauthenticated))
        #expect(failure?.kind == .unreachable)
        #expect(failure?.message.contains("requires a user name and password (407)") == true)
    }

    @Test func `a proxy that closes the connection is named`() async throws {
        for endpoint in ["http://provider.invalid", "https://provider.invalid"] {
            let (failure, _) = try await call(endpoint, through: try CannedServer(""))
            let message = try #require(failure?.message)
            #expect(message.contains("\(endpoint) through the proxy 127.0.0.1:"), "\(message)")
        }
    }

    @Test(arguments: [
        "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 101 Switching Protocols\r\n\r\n",
        "HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\nHTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.1 502 Bad Gateway\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhel",
        "HTTP/1.1 302 Found\r\nLocation: http://portal.invalid/\r\nContent-Length: 0\r\n\r\n",
        "SSH-2.0-OpenSSH_9.2\r\n", "\u{5}\u{0}",
    ])
    func `a reply to CONNECT without a tunnel is a failure that names the proxy`(response: String) async throws {
        let server = try CannedServer(response)
        let (failure, request) = try await call("https://provider.invalid", through: server)
        #expect(!request.contains("1.1.1.1"))
        let failed = try #require(failure)
        #expect(failed.kind == .unreachable && failed.quota == nil, "\(failed)")
        #expect(failed.message.contains("the proxy 127.0.0.1:"), "\(failed)")
    }

    @Test func `a server that is not an HTTP proxy is named`() async throws {
        let (failure, _) = try await call("http://provider.invalid", through: try CannedServer("SSH-2.0-x\r\n"))
        #expect(failure?.kind == .malformed)
        #expect(failure?.message.contains("http://provider.invalid through the proxy 127.0.0.1:") == true)
    }

    @Test func `a proxy without a listener is named`() async throws {
        // Nothing listens at port 9, which is reserved for the discard protocol (RFC 863).
        let provider = try Provider(proxy: HTTPProxy("http://127.0.0.1:9"))
        let failure = await send(try single("1.1.1.1"), to: provider).failure
        #expect(failure?.kind == .unreachable)
        #expect(failure?.message.hasPrefix("cannot connect to the proxy 127.0.0.1:9: Connection refused") == true)
    }
}
