import IPAPI
import RecordKeeping
import Testing

@Suite struct ProxyChoiceTests {
    private struct Case: CustomTestStringConvertible, Sendable {
        var variables: [String: String]
        var provider = "http://ip-api.com"
        var proxy: String?
        var origin: ProxyChoice.Origin

        var testDescription: String { "\(variables.sorted { $0.key < $1.key }), \(provider)" }
    }

    private static let https = "https://pro.ip-api.com"
    private static let cases = [
        Case(variables: [:], origin: .none),
        Case(variables: ["http_proxy": "http://p:1"], proxy: "p:1", origin: .variable("http_proxy")),
        Case(variables: ["http_proxy": "p:1"], proxy: "p:1", origin: .variable("http_proxy")),
        Case(variables: ["http_proxy": ""], origin: .none),
        // A web server sets HTTP_PROXY for a client's header.
        Case(variables: ["HTTP_PROXY": "http://p:1"], origin: .none),
        Case(variables: ["https_proxy": "http://p:1"], origin: .none),
        Case(variables: ["all_proxy": "http://p:1", "ALL_PROXY": "http://p:1"], origin: .none),
        Case(variables: ["http_proxy": "http://p:1"], provider: https, origin: .none),
        Case(
            variables: ["http_proxy": "http://p:1", "https_proxy": "http://q:2"], provider: https, proxy: "q:2",
            origin: .variable("https_proxy")),
        Case(
            variables: ["HTTPS_PROXY": "http://q:2"], provider: https, proxy: "q:2", origin: .variable("HTTPS_PROXY")),
        Case(
            variables: ["https_proxy": "http://p:1", "HTTPS_PROXY": "http://q:2"], provider: https, proxy: "p:1",
            origin: .variable("https_proxy")),
        Case(
            variables: ["https_proxy": "", "HTTPS_PROXY": "http://q:2"], provider: https, proxy: "q:2",
            origin: .variable("HTTPS_PROXY")),
        Case(
            variables: ["http_proxy": "http://p:1", "no_proxy": "ip-api.com"],
            origin: .excepted(variable: "http_proxy", exception: "no_proxy")),
        Case(
            variables: ["http_proxy": "http://p:1", "NO_PROXY": "*"],
            origin: .excepted(variable: "http_proxy", exception: "NO_PROXY")),
        Case(
            variables: ["http_proxy": "http://p:1", "no_proxy": "localhost", "NO_PROXY": "*"], proxy: "p:1",
            origin: .variable("http_proxy")),
        Case(
            variables: ["HTTPS_PROXY": "http://p:1", "no_proxy": ".ip-api.com"], provider: https,
            origin: .excepted(variable: "HTTPS_PROXY", exception: "no_proxy")),
        Case(variables: ["no_proxy": "*"], origin: .none),
        // The exception is found before an invalid URL.
        Case(
            variables: ["http_proxy": "socks5://p", "no_proxy": "*"],
            origin: .excepted(variable: "http_proxy", exception: "no_proxy")),
    ]

    @Test(arguments: cases)
    private func `the environment selects the proxy`(example: Case) throws {
        let choice = try ProxyChoice(environment: example.variables, for: try BaseURL(example.provider))
        #expect(choice.proxy?.description == example.proxy)
        #expect(choice.origin == example.origin)
    }

    @Test(arguments: ["https://p:1", "socks5://user:hunter2@p:1", "http://user:hunter2"])
    func `an unusable proxy in the environment is an error that names the variable, and quotes nothing`(
        value: String
    ) throws {
        let error = try #require(throws: ProviderError.self) {
            try ProxyChoice(environment: ["http_proxy": value], for: try BaseURL("http://ip-api.com"))
        }
        #expect(error.description.hasPrefix("the environment variable http_proxy: not the URL of an HTTP proxy"))
        #expect(!error.description.contains("hunter2"))
    }

    @Test func `the choice is described with its origin and without the password`() throws {
        let proxy = try HTTPProxy("http://user:hunter2@p:1")
        let prefix = "calls to the provider go through"
        #expect(ProxyChoice(nil, from: .none).sentence == nil)
        #expect(ProxyChoice(proxy, from: .configuration).sentence == "\(prefix) the proxy p:1 ([provider] proxy)")
        #expect(ProxyChoice(proxy, from: .file(path: "/f")).sentence == "\(prefix) the proxy p:1 (/f)")
        #expect(
            ProxyChoice(proxy, from: .credential("iprecord-proxy")).sentence
                == "\(prefix) the proxy p:1 (the credential iprecord-proxy)")
        #expect(
            ProxyChoice(proxy, from: .variable("http_proxy")).sentence
                == "\(prefix) the proxy p:1 (the environment variable http_proxy)")
        #expect(ProxyChoice(nil, from: .configuration).sentence == "\(prefix) no proxy ([provider] proxy)")
        #expect(
            ProxyChoice(nil, from: .excepted(variable: "http_proxy", exception: "no_proxy")).sentence
                == "\(prefix) no proxy (no_proxy excludes the provider from http_proxy)")
    }
}
