import RecordKeeping
import Testing

@testable import IPAPI

@Suite struct ProxyFailureTests {
    private typealias Headers = [(name: String, value: String)]
    private static let login = "http://user:hunter2@proxy.example:3128"

    private func failed(
        _ status: Int, _ headers: Headers = [], _ body: String = "", proxy: String = login,
        endpoint: String = "http://ip-api.com"
    ) throws -> CallFailure {
        let provider = try Provider(endpoint: endpoint, proxy: HTTPProxy(proxy))
        let raw = reply(body, status: status, headers: headers)
        return try #require(failure(of: raw, to: try single("1.1.1.1"), from: provider))
    }

    @Test func `a 407 asks for a user name and password, or rejects them`() throws {
        let challenge = [("Proxy-Authenticate", "Basic realm=\"x\"")]
        let rejected = try failed(407, challenge)
        #expect(rejected.kind == .unreachable && rejected.quota == nil)
        #expect(rejected.message == "the proxy proxy.example:3128 rejects the user name or password (407)")
        let missing = try failed(407, challenge, proxy: "http://proxy.example:3128")
        #expect(missing.message.hasPrefix("the proxy proxy.example:3128 requires a user name and password (407)"))
    }

    @Test(
        arguments: [
            (502, nil), (503, ("X-Squid-Error", "ERR_CONNECT_FAIL 111")),
            (403, ("X-Squid-Error", "ERR_ACCESS_DENIED 0")),
            (429, ("Proxy-Status", "proxy; error=http_request_denied")),
            (503, ("Proxy-Status", "proxy; error=connection_refused")), (401, ("Proxy-Authenticate", "Basic")),
        ] as [(Int, (String, String)?)])
    func `an error status of the proxy is not taken for the provider's`(status: Int, mark: (String, String)?) throws {
        let failed = try failed(status, [mark].compactMap { $0 })
        #expect(failed.kind == .unreachable && failed.quota == nil)
        #expect(failed.message.hasPrefix("the proxy proxy.example:3128 answered \(status) instead of ip-api.com"))
        if let mark, mark.0 == "X-Squid-Error" { #expect(failed.message.hasSuffix(": \(mark.1)")) }
    }

    @Test(arguments: [[], [("X-Squid-Error", "ERR_READ_TIMEOUT 0")]] as [[(String, String)]])
    func `a 504 of the proxy is a timeout, because the provider may have received the call`(
        headers: [(String, String)]
    ) throws {
        let failed = try failed(504, headers.map { (name: $0.0, value: $0.1) })
        #expect(failed.kind == .timeout && failed.quota == nil)
        #expect(failed.message.hasPrefix("the proxy proxy.example:3128 answered 504 instead of ip-api.com"))
    }

    @Test(
        arguments: [
            (429, Failure.Kind.throttled, [("X-Rl", "0"), ("X-Ttl", "37"), ("Via", "1.1 squid")]),
            (429, .throttled, []), (403, .unauthorized, [("Via", "1.1 squid")]),
            (503, .rejected, [("Via", "1.1 squid")]),
            (502, .rejected, [("X-Rl", "3")]), (500, .rejected, []),
        ] as [(Int, Failure.Kind, [(String, String)])])
    func `an error status of the provider remains one, and the message names both`(
        status: Int, kind: Failure.Kind, headers: [(String, String)]
    ) throws {
        let failed = try failed(status, headers.map { (name: $0.0, value: $0.1) })
        #expect(failed.kind == kind)
        #expect(
            failed.message.hasPrefix("ip-api.com through the proxy proxy.example:3128 answered \(status)"))
    }

    @Test func `over https, each status except that of the tunnel is the provider's`() throws {
        let failed = try failed(502, endpoint: "https://pro.ip-api.com")
        #expect(failed.kind == .rejected)
        #expect(failed.message == "pro.ip-api.com through the proxy proxy.example:3128 answered 502")
    }

    @Test func `the proxy's request for a delay is observed, and is not a quota`() throws {
        let failed = try failed(503, [("X-Squid-Error", "ERR_TOO_MANY 0"), ("Retry-After", "120")])
        #expect(failed.retryAfter == .seconds(120) && failed.quota == nil)
    }

    @Test func `no failure contains the password, in plain or encoded form`() throws {
        let quoting = "Proxy-Authorization: Basic dXNlcjpodW50ZXIy, that is user:hunter2"
        let location = [(name: "Location", value: "http://x/?hunter2")]
        for failed in [
            try failed(502, [], quoting), try failed(500, [], quoting), try failed(200, [], quoting),
            try failed(403, [("X-Squid-Error", quoting)]), try failed(302, location),
        ] {
            #expect(failed.message.contains("•••"))
            #expect(!failed.message.contains("hunter2") && !failed.message.contains("dXNlcjpodW50ZXIy"))
        }
    }

    @Test(arguments: [
        (TransportProblem.nameNotFound, "cannot resolve the proxy proxy.example: check the name, and that DNS works"),
        (.notConnected("Connection refused"), "cannot connect to the proxy proxy.example:3128: Connection refused"),
        (.connectTimeout, "cannot connect to the proxy proxy.example:3128 within 2 s"),
        (.reset, "the connection to http://ip-api.com through the proxy proxy.example:3128 was reset"),
        (
            .tunnelRefused,
            "the proxy proxy.example:3128 did not connect to http://ip-api.com: check its log and its rules"
        ),
    ])
    func `a transport problem names the proxy`(problem: TransportProblem, message: String) throws {
        let provider = try Provider(proxy: HTTPProxy(Self.login))
        #expect(problem.failure(of: provider, timeout: .seconds(2), maxBodyBytes: 1).message == message)
    }
}
